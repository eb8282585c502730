"""Many runs in one command: time per run, and memory that does not grow."""

from __future__ import annotations

from typing import Final

from benchmarks import commands
from benchmarks.data import sample
from benchmarks.tables import Benchmark, Scale, Section, Target, megabytes, seconds, times
from benchmarks.timing import Timed, by_name, interleave, ratios

PYTREC_RUNS: Final = 2
"""Runs that pytrec_eval scores in one process; more would only take longer."""
FLAT: Final = 1.25
"""Memory may grow by this factor from the second most runs to the most."""


def measure(scale: Scale) -> Section:
    """Time runoff on growing numbers of runs, which are names of one file, beside pytrec_eval."""
    data = sample(scale.main)
    links = data.links(max(scale.many))
    counts = {f"runoff RR, {count} run{'s' if count > 1 else ''}": count for count in scale.many}
    peer = f"pytrec_eval RR, {PYTREC_RUNS} runs"
    contenders = [commands.runoff_evaluate(name, data.qrels, links[:count], "RR") for name, count in counts.items()]
    contenders += commands.pytrec_eval_rr(peer, data.qrels, links[:PYTREC_RUNS])
    cut = f"runoff RR@10, {len(links)} runs"
    contenders.append(commands.runoff_evaluate(cut, data.qrels, links, "RR@10"))
    counts |= {peer: PYTREC_RUNS, cut: len(links)}
    timed = interleave(contenders, scale.slow_rounds or 1)
    named = by_name(timed)
    rows = [
        [
            one.name,
            seconds(one.best),
            seconds(one.median),
            seconds(one.best / counts[one.name]),
            seconds(one.median / counts[one.name]),
            seconds(one.cpu / counts[one.name]),
            megabytes(one.peak),
            one.parallel,
            *(map(times, _per_run(named[peer], one, counts[one.name]).values()) if peer in named else ("–", "–")),
        ]
        for one in timed
    ]
    few, many = (timed[place] for place in (len(scale.many) - 2, len(scale.many) - 1))
    targets = []
    if peer in named:
        name = f"evaluate_many: pytrec_eval / runoff, time per run, {scale.many[-1]} runs"
        targets.append(Target(name, "at least", 10, "×", **_per_run(named[peer], many, scale.many[-1])))
    name = f"evaluate_many: memory of {scale.many[-1]} runs / {scale.many[-2]} runs"
    targets.append(Target(name, "below", FLAT, "×", *[many.peak / few.peak] * 2))
    header = ["command", "best s", "median s", "best s per run", "median s per run", "CPU s per run", "peak MB",
              "processes × threads", "pytrec_eval / this, best", "median"]  # fmt: skip
    notes = [
        f"Every run is a link to the run of {data.lines:,} lines; nothing is shared between them but the qrels.",
        "RR looks at whole lists, so a byte for every rank is kept of each run; RR@10 keeps ten per query.",
    ]
    return Section("evaluate_many: many runs in one command", header, rows, notes, targets)


def _per_run(peer: Timed, one: Timed, count: int) -> dict[str, float]:
    """How many times as long pytrec_eval takes for a run."""
    return {name: ratio * count / PYTREC_RUNS for name, ratio in ratios(peer, one).items()}


BENCHMARK: Final = Benchmark("evaluate_many", measure)
