"""One run, the whole command: parse, rank, score, print."""

from __future__ import annotations

from typing import Final

from benchmarks import commands
from benchmarks.data import sample
from benchmarks.tables import Benchmark, Scale, Section, Target, megabytes, seconds, times
from benchmarks.timing import Timed, by_name, interleave, ratios

RUNOFF_CUT: Final = "runoff RR@10"
RUNOFF_WHOLE: Final = "runoff RR"
PYTREC: Final = "pytrec_eval RR"
AGREEMENT: Final = 1e-4
"""trec_eval prints four decimals."""


def measure(scale: Scale) -> Section:
    """Time all tools on the same run and compare the means that they find."""
    data, small = sample(scale.main), sample(scale.small)
    timed = interleave(
        [
            commands.runoff_evaluate(RUNOFF_CUT, data, [data.run], "RR@10"),
            *commands.pytrec_eval_rr(PYTREC, data, [data.run]),
            commands.runoff_evaluate(RUNOFF_WHOLE, data, [data.run], "RR"),
            *commands.ir_measures_rr("ir_measures RR@10", data, scale.slow_rounds or None),
            *commands.trec_eval_rr("trec_eval RR", data),
            *commands.ranx_rr("ranx RR@10", data, small, scale.slow_rounds),
        ],
        scale.rounds,
    )
    named = by_name(timed)
    rows = [_row(one, named[_fair(one)]) for one in timed]
    size = data.run.stat().st_size / 1e6
    notes = [
        f"{data.lines:,} lines, {size:,.0f} MB, {scale.main:,} queries; ratios are to runoff under the same measure.",
        _agreement(timed),
    ]
    targets = [Target("evaluate_one: memory for RR@10", "below", 1.2, "GB", *[named[RUNOFF_CUT].peak / 1e9] * 2)]
    if PYTREC in named:
        targets[:0] = [
            Target(f"evaluate_one: pytrec_eval RR / {name}", "at least", 8, "×", **ratios(named[PYTREC], named[name]))
            for name in (RUNOFF_WHOLE, RUNOFF_CUT)
        ]
    header = [
        "tool",
        "mean",
        "best s",
        "median s",
        "CPU s",
        "peak MB",
        "processes × threads",
        "best ratio",
        "median ratio",
    ]
    return Section("evaluate_one: one run, the whole command", header, rows, notes, targets)


def _fair(one: Timed) -> str:
    """The runoff command with the same measure."""
    return RUNOFF_CUT if one.name.endswith("@10") else RUNOFF_WHOLE


def _row(one: Timed, runoff: Timed) -> list[str]:
    ratio = ratios(one, runoff)
    return [
        one.name,
        f"{one.value:.6f}",
        seconds(one.best),
        seconds(one.median),
        seconds(one.cpu),
        megabytes(one.peak),
        one.parallel,
        times(ratio["best"]),
        times(ratio["median"]),
    ]


def _agreement(timed: list[Timed]) -> str:
    """All tools agree with runoff, or the benchmark ends: a wrong answer has no speed."""
    named = by_name(timed)
    furthest = max(abs(one.value - named[_fair(one)].value) for one in timed)
    if furthest > AGREEMENT:
        raise RuntimeError("the tools disagree: " + ", ".join(f"{one.name} {one.value:.6f}" for one in timed))
    return f"All means under the same measure agree to {furthest:.1g}."


BENCHMARK: Final = Benchmark("evaluate_one", measure)
