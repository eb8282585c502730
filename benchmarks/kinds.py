"""One run in all the forms that run files have, and many small runs: the whole command beside trec_eval and others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks import commands
from benchmarks.data import Sample, sample
from benchmarks.kind_files import COMPRESSED, kind_files, long_qrels, real_runs, several_runs
from benchmarks.tables import Benchmark, Scale, Section, Target, megabytes, seconds, times
from benchmarks.timing import Contender, Timed, by_name, interleave, ratios

MEASURE: Final = "RR@10"
PLAIN: Final = "plain"
RUNOFF: Final = "runoff"
TREC_EVAL: Final = "trec_eval"
PEERS: Final = ("pytrec_eval", "ir_measures", "ranx")
DECOMPRESSION: Final = "decompression alone"
TOLERANCE: Final = {TREC_EVAL: 6e-5}
"""How far means may differ from runoff's: trec_eval prints four decimals, the others all of them."""
EXACT: Final = 1e-9
MOST_MEMORY: Final = 250
MOST_MEMORY_SHUFFLED: Final = 400
"""Megabytes for one run of 7 million lines."""
MOST_SPREAD: Final = 2.5
"""The slowest form may take so many times as long for a byte as the fastest."""
MOST_OVERHEAD: Final = 1.2
"""Scoring a file that takes long to decompress may take so many times as long as decompressing it."""
LEAST_PYTREC: Final = 8
"""How many times as long pytrec_eval should take on the plain file."""

FORMS: Final = {
    PLAIN: ("in order, short ids, six decimals, no ties", 20),
    "msmarco": ("MS MARCO's form: query, document, rank", 10),
    "digits": ("scores of float32 in full (17 digits), tabs", 10),
    "long": ("long ids, 15 decimals", 10),
    "tied": ("ties in sevens", 10),
    "one_decimal": ("scores with one decimal", 10),
    "shuffled": ("lines shuffled", 6),
    "crlf": ("CRLF line ends, several blanks between fields", 10),
    "exponents": ("scores with exponents", 10),
    "gzip": ("gzip", 10),
    "zstd": ("zstd", 10),
    "bzip2": ("bzip2", None),
    "xz": ("xz", None),
}
"""The forms of the one run: what a row says, and how many times as long trec_eval should take."""
TIED_FORMS: Final = ("tied", "one_decimal")
"""Forms that ir_measures and ranx rank otherwise: they do not order equal scores by document id as trec_eval does."""
SLOW: Final = ("bzip2", "xz")
"""Compressions whose time is that of their decompression."""
LEAST_FOR_MANY: Final = 5
"""How many times as long a loop of trec_eval should take as one command for many runs."""


@dataclass(frozen=True)
class Kind:
    """A row of the table.

    runs    the files that runoff reads
    plain   the same runs as trec_eval and the other tools must have them: in TREC form, not compressed
    size    bytes of the runs when decompressed
    least   how many times as long trec_eval should take; None where another target counts
    row     the row that times trec_eval: this one, or an earlier one with the same plain file
    peers   the tools that take part besides trec_eval
    """

    name: str
    text: str
    qrels: Path
    runs: Sequence[Path]
    plain: Sequence[Path]
    size: int
    least: float | None
    row: str
    peers: Sequence[str] = ()

    def contender(self, tool: str) -> str:
        """The name of a tool that is timed for this row."""
        return f"{self.row if tool == TREC_EVAL else self.name}: {tool}"


@dataclass(frozen=True)
class Row:
    """A kind and the times of the tools on it."""

    kind: Kind
    tools: dict[str, Timed]

    @property
    def runoff(self) -> Timed:
        return self.tools[RUNOFF]

    @property
    def ratio(self) -> dict[str, float]:
        """How many times as long trec_eval takes; empty if there is none."""
        return ratios(self.tools[TREC_EVAL], self.runoff) if TREC_EVAL in self.tools else {}

    @property
    def speed(self) -> dict[str, float]:
        """Megabytes a second."""
        return {"best": self.kind.size / 1e6 / self.runoff.best, "median": self.kind.size / 1e6 / self.runoff.median}


def measure(scale: Scale) -> Section:
    """Time every tool on every kind in turn, and compare the means that they find."""
    data, small = sample(scale.main), sample(scale.small)
    files = {PLAIN: data.run, **kind_files(data, [name for name in FORMS if name != PLAIN])}
    forms = [_form(data, name, file) for name, file in files.items()]
    kinds = [*forms, *_many(scale)]
    contenders = [one for kind in kinds for one in _contenders(kind, small, scale)]
    named = by_name(interleave(contenders, scale.rounds))
    rows = [Row(kind, _tools(kind, named)) for kind in kinds]
    header = ["kind", "MB", "best s", "median s", "CPU s", "peak MB", "MB/s", "trec_eval: best s", "median s", "CPU s",
              "peak MB", "trec_eval / runoff, best", "median", *(f"{peer}: best s" for peer in PEERS)]  # fmt: skip
    notes = [
        f"The first {len(forms)} rows are one run: {data.lines:,} lines, {scale.main:,} queries.",
        check_agreement(rows),
        *best_and_worst(rows),
        *(_beside_decompression(row) for row in rows if DECOMPRESSION in row.tools),
        "MB and MB/s count decompressed bytes; trec_eval reads the decompressed run in TREC form.",
        "Other tools take part where they can read the file itself, ir_measures and ranx where there are no ties.",
    ]
    if not commands.program("trec_eval"):
        notes.append("There is no trec_eval on the PATH.")
    title = f"kinds: all kinds of files, {MEASURE}"
    return Section(
        title, header, [_cells(row) for row in rows], notes, targets_of(rows[: len(forms)], rows[len(forms) :])
    )


def _form(data: Sample, name: str, run: Path) -> Kind:
    """The one run in some form."""
    text, least = FORMS[name]
    plain = data.run if name in COMPRESSED or name == "msmarco" else run
    qrels = long_qrels(data) if name == "long" else data.qrels
    size = (plain if name in COMPRESSED else run).stat().st_size
    peers = () if plain != run else PEERS[:1] if name in TIED_FORMS else PEERS
    return Kind(name, text, qrels, [run], [plain], size, least, name if plain == run else PLAIN, peers)


def _many(scale: Scale) -> list[Kind]:
    """Many runs of a track in one command: made up, and real ones where there are some."""
    count, queries = scale.several
    data = sample(queries)
    runs = several_runs(data, count)
    text = f"{count} runs of {data.lines:,} lines, long ids, 17 digits, tabs"
    size = sum(run.stat().st_size for run in runs)
    kinds = [Kind("several", text, long_qrels(data), runs, runs, size, LEAST_FOR_MANY, "several", PEERS[:1])]
    real = real_runs()
    if real:
        text = f"{len(real.runs)} runs of TREC DL 2021, gzip"
        size = sum(run.stat().st_size for run in real.plain)
        # No target: so few lines that Python's start decides. No pytrec_eval: a run has ties in float32.
        kinds.append(Kind("dl21", text, real.qrels, real.runs, real.plain, size, None, "dl21"))
    return kinds


def _contenders(kind: Kind, small: Sample, scale: Scale) -> list[Contender]:
    """What is timed for a row and for no earlier one."""
    made = [commands.runoff_evaluate(kind.contender(RUNOFF), kind.qrels, kind.runs, MEASURE)]
    if kind.row == kind.name:
        made += commands.trec_eval_rr(kind.contender(TREC_EVAL), kind.qrels, kind.plain, scale.slow_rounds or 1)
    rounds = (scale.slow_rounds or 1) if kind.name == PLAIN else 1
    if "pytrec_eval" in kind.peers:
        made += commands.pytrec_eval_rr(kind.contender("pytrec_eval"), kind.qrels, kind.plain, 10, rounds)
    if "ir_measures" in kind.peers:
        made += commands.ir_measures_rr(kind.contender("ir_measures"), kind.qrels, kind.plain[0], rounds)
    if "ranx" in kind.peers and scale.slow_rounds:
        made += commands.ranx_rr(kind.contender("ranx"), kind.qrels, kind.plain[0], small, rounds)
    if kind.name in SLOW:
        made.append(commands.decompression(kind.contender(DECOMPRESSION), kind.name, kind.runs[0]))
    return made


def _tools(kind: Kind, named: dict[str, Timed]) -> dict[str, Timed]:
    tools = {tool: kind.contender(tool) for tool in (RUNOFF, TREC_EVAL, *PEERS, DECOMPRESSION)}
    return {tool: named[name] for tool, name in tools.items() if name in named}


def _cells(row: Row) -> list[str]:
    runoff, trec_eval = row.runoff, row.tools.get(TREC_EVAL)
    cells = [row.kind.text, megabytes(row.kind.size), *_times(runoff), f"{row.speed['best']:,.0f}"]
    cells += _times(trec_eval) if trec_eval else ["–"] * 4
    cells += [times(row.ratio[name]) if row.ratio else "–" for name in ("best", "median")]
    return cells + [seconds(row.tools[peer].best) if peer in row.tools else "–" for peer in PEERS]


def _times(timed: Timed) -> list[str]:
    return [seconds(timed.best), seconds(timed.median), seconds(timed.cpu), megabytes(timed.peak)]


def check_agreement(rows: Sequence[Row]) -> str:
    """All tools agree with runoff on every run, or the benchmark ends: a wrong answer has no speed."""
    furthest = dict.fromkeys((TREC_EVAL, *PEERS), 0.0)
    for row in rows:
        for tool in furthest.keys() & row.tools.keys():
            pairs = zip(row.runoff.values, row.tools[tool].values, strict=True)
            difference = max(abs(ours - theirs) for ours, theirs in pairs)
            furthest[tool] = max(furthest[tool], difference)
            if difference > TOLERANCE.get(tool, EXACT):
                raise RuntimeError(
                    f"{row.kind.text}: {tool} and runoff disagree by {difference:.2g} on a mean {MEASURE}"
                )
    present = [tool for tool in furthest if any(tool in row.tools for row in rows)]
    return "All means agree: " + ", ".join(f"{tool} to {furthest[tool]:.1g}" for tool in present) + "."


def best_and_worst(rows: Sequence[Row]) -> list[str]:
    """The best and the worst row, beside trec_eval and by bytes."""
    notes = []
    beside = sorted((row for row in rows if row.ratio), key=lambda row: row.ratio["best"])
    if beside:
        named = [f"{row.kind.text}, {times(row.ratio['best'])}" for row in (beside[-1], beside[0])]
        notes.append(f"Beside trec_eval, best: {named[0]}; worst: {named[1]}.")
    by_speed = sorted(rows, key=lambda row: row.speed["best"])
    named = [f"{row.kind.text}, {row.speed['best']:,.0f} MB/s" for row in (by_speed[-1], by_speed[0])]
    notes.append(f"By decompressed bytes, fastest: {named[0]}; slowest: {named[1]}.")
    return notes


def _beside_decompression(row: Row) -> str:
    alone, runoff = row.tools[DECOMPRESSION], row.runoff
    if alone.values != [row.kind.size]:
        raise RuntimeError(f"{row.kind.runs[0]} is not the plain run; remove it, and it is written again")
    ratio = times(runoff.best / alone.best, 2)
    return (
        f"{row.kind.text}: {seconds(runoff.best)} s, decompression alone {seconds(alone.best)} s, so {ratio}, by best."
    )


def targets_of(forms: Sequence[Row], many: Sequence[Row]) -> list[Target]:
    """What the figures should be; `forms` are the rows of the one run."""
    targets = [
        Target(f"kinds: {row.kind.text}: trec_eval / runoff", "at least", row.kind.least, "×", **row.ratio)
        for row in [*forms, *many]
        if row.kind.least and row.ratio
    ]
    plain = forms[0]
    if "pytrec_eval" in plain.tools:
        ratio = ratios(plain.tools["pytrec_eval"], plain.runoff)
        targets.append(Target("kinds: plain: pytrec_eval / runoff", "at least", LEAST_PYTREC, "×", **ratio))
    for row in forms:
        if DECOMPRESSION in row.tools:
            ratio = ratios(row.runoff, row.tools[DECOMPRESSION])
            name = f"kinds: {row.kind.text}: runoff / decompression alone"
            targets.append(Target(name, "below", MOST_OVERHEAD, "×", **ratio))
    quick = [row.speed for row in forms if row.kind.name not in SLOW]
    spread = {name: max(one[name] for one in quick) / min(one[name] for one in quick) for name in ("best", "median")}
    name = "kinds: slowest / fastest form, time per byte without bzip2 and xz"
    targets.append(Target(name, "below", MOST_SPREAD, "×", **spread))
    for name, limit, shuffled in (
        ("one run in order", MOST_MEMORY, False),
        ("one run, shuffled", MOST_MEMORY_SHUFFLED, True),
    ):
        peak = max(row.runoff.peak for row in forms if (row.kind.name == "shuffled") is shuffled) / 1e6
        targets.append(Target(f"kinds: memory, {name}", "below", limit, "MB", peak, peak))
    return targets


BENCHMARK: Final = Benchmark("kinds", measure)
