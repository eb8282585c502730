"""Reliability: whether the significance tests say the same on the other half of the queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Final

from runoff.arguments import checks_arguments
from runoff.boards.reliability import Aggregate, ReliabilityResult
from runoff.boards.reliability import reliability as find_reliability
from runoff.display import Grid, Shown
from runoff.display.rows import column, grid_of, row_class, row_dict, row_of
from runoff.files.board_toml import read_board
from runoff.measures import NamedMeasure
from runoff.reading.boards import BoardSource, board_inputs, is_board, read_board_inputs
from runoff.reading.sources import Progress, QrelsSource, ReadOptions, RunSource, as_measures
from runoff.results.fit import Fit, dropped_notes, fit_notes, missing_of
from runoff.significance import BY_NAME
from runoff.tables.board import Board
from runoff.tables.scores import Scores
from runoff.verbs.evaluate import evaluate

if TYPE_CHECKING:
    from runoff.display.charts import Chart

ALPHA: Final = 0.05


@row_class
class ReliabilityRow:
    """One test: the shares of splits and pairs in which the two halves agree, and in which they do not."""

    test: str = column("Test")
    aggregate: Aggregate = column("Better by")
    agree: float = column(
        "Agree", "share", help="Both halves name the same better run, and both or neither are significant."
    )
    partial: float = column(
        "Partial", "share", help="The same run and one half significant, or different runs and neither."
    )
    disagree: float = column("Disagree", "share", help="Different runs, and at least one half significant.")
    significant: float = column("Significant", "share", help="At least one half is significant.")
    different: float = column("Different", "share", help="The halves do not name the same better run.")
    tied: float = column("Tied", "share", help="Neither run is better in at least one half.")


@dataclass(frozen=True, kw_only=True, eq=False)
class ReliabilityTableResult(Shown):
    """The paper's Table 4 for one board, with a row per test and aggregate.

    fits          how the runs fit the labels; empty where there are only scores
    measure_note  why the measure was chosen, if nobody named one
    """

    reliability: ReliabilityResult
    fits: tuple[Fit, ...] = ()
    measure_note: str = ""

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff reliability --format json`."""
        found = self.reliability
        return {
            "measure": found.measure,
            "measure_note": self.measure_note,
            **row_dict(found, "queries", "runs", "pairs", "splits"),
            "alpha": found.level,
            "seed": found.seed,
            "missing_queries": missing_of(self.fits),
            "tests": [asdict(line) for line in found.tests],
        }

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """Whether the tests repeat, in a sentence."""
        said = (
            f"The two halves agree in {self._range('mean')} of the cases where the mean says which run is better, and "
            f"in {self._range('median')} where the median does."
        )
        return (said,)

    def grid(self) -> Grid:
        """A row per test and aggregate."""
        found = self.reliability
        halves = f"{found.queries // 2:,} and {found.queries - found.queries // 2:,}"
        shares = (
            f"Shares of {found.splits:,} random splits of the queries ({halves}) times {found.pairs:,} pairs of runs; "
            f"significant is p < {found.level:g}; seed {found.seed}."
        )
        grid = grid_of(
            ReliabilityRow,
            [row_of(ReliabilityRow, line, test=BY_NAME[line.test].label) for line in found.tests],
            title=f"Do the tests repeat? {found.measure}, {found.queries:,} queries, {found.runs:,} runs",
        )
        definitions = [
            f"{shape.heading}: {shape.help[0].lower()}{shape.help[1:]}" for shape in grid.columns if shape.help
        ]
        chosen = [self.measure_note] if self.measure_note else []
        notes = [shares, *chosen, *definitions, *fit_notes(self.fits, found.queries), *dropped_notes(self.fits)]
        return replace(grid, notes=notes)

    def charts(self) -> tuple[Chart, ...]:
        """The shares as bars."""
        from runoff.display.charts import HalfSplits

        return (HalfSplits(self.reliability),)

    def _range(self, aggregate: Aggregate) -> str:
        shares = [line.agree for line in self.reliability.tests if line.aggregate == aggregate]
        return f"{min(shares):.1%} to {max(shares):.1%}"


@checks_arguments
def reliability(
    source: BoardSource | Scores,
    qrels: QrelsSource | None = None,
    *,
    measures: NamedMeasure | None = None,
    labels: str | None = None,
    query_set: str | None = None,
    queries: Sequence[str] | None = None,
    splits: int = 100,
    alpha: float | None = None,
    seed: int = 0,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> ReliabilityTableResult:
    """Score runs, split the queries in halves again and again, and see whether each test says the same on both.

    source     runs (see `RunSource`); the path of a `board.toml`, or a `Board`; or `Scores`, a matrix
    qrels      the relevance judgments; instead of those of a `board.toml`, if both are given
    measures   the measure, nDCG@10 or RR@10 by the labels, or that of the `board.toml`
    labels     the label set of a `board.toml`; the first if None
    query_set  the query set of a `board.toml`; `public` if it has one, else all queries but `development`
    queries    the queries to split; all of the qrels' if None
    alpha      the level of the tests, 0.05 or that of the `board.toml`
    progress   called with how many splits are done, and of how many

    >>> qrels = {f"q{i}": {"d": 1} for i in range(12)}
    >>> runs = [{q: {"d": 1.0, "x": 2.0 - good} for q in qrels} for good in (0, 2)]
    >>> result = reliability(runs, qrels, splits=10)
    >>> result.reliability.pairs, [line.agree for line in result.reliability.tests if line.test == "sign"]
    (1, [1.0, 1.0])
    """
    fits: tuple[Fit, ...] = ()
    note = ""
    if isinstance(source, Scores):
        scores = source
    elif is_board(source):
        board = source if isinstance(source, Board) else read_board(source)
        board = board if measures is None else replace(board, measure=str(as_measures(measures)[0]))
        inputs = board_inputs(board, qrels, labels=labels, query_set=query_set, queries=queries)
        data = read_board_inputs(inputs, reading=reading)
        scores, fits, alpha = data.scores, data.fits, data.policy.alpha if alpha is None else alpha
    else:
        inputs = board_inputs(source, qrels, labels=labels, query_set=query_set, queries=queries)
        runs: dict[str, RunSource] = dict(zip(inputs.names, inputs.sources, strict=True))
        scored = evaluate(runs, inputs.qrels, measures=measures, queries=queries, reading=reading)
        scores, fits, note = scored.scores[0], scored.facts, scored.measure_note
    return reliability_of(
        scores,
        fits=fits,
        measure_note=note,
        splits=splits,
        alpha=ALPHA if alpha is None else alpha,
        seed=seed,
        reading=reading,
        progress=progress,
    )


def reliability_of(
    scores: Scores,
    *,
    fits: tuple[Fit, ...] = (),
    measure_note: str = "",
    splits: int = 100,
    alpha: float = ALPHA,
    seed: int = 0,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> ReliabilityTableResult:
    """The same for scores that have been computed; the engine of `reading` counts in the halves."""
    spread = None if reading is None or reading.engine is None else reading.engine.mapped
    result = find_reliability(scores, level=alpha, splits=splits, seed=seed, progress=progress, spread=spread)
    return ReliabilityTableResult(reliability=result, fits=fits, measure_note=measure_note)
