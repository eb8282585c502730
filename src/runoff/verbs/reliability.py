"""Reliability: whether the significance tests say the same on the other half of the queries."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from runoff.boards.reliability import Aggregate, ReliabilityResult
from runoff.boards.reliability import reliability as find_reliability
from runoff.display import Column, Grid, Shown
from runoff.measures import Measure
from runoff.reading.boards import board_inputs, read_board_inputs
from runoff.reading.sources import Progress, ReadOptions
from runoff.reading.units import Engine
from runoff.results.fit import Fit, dropped_notes, fit_notes, missing_of
from runoff.tables.board import Board
from runoff.tables.scores import Scores
from runoff.verbs.evaluate import evaluate

if TYPE_CHECKING:
    from runoff.display.charts import Chart

DEFAULT_MEASURE: Final = "RR@10"
_HELP: Final = {
    "agree": "Both halves name the same better run, and both or neither are significant.",
    "partial": "The same run and one half significant, or different runs and neither.",
    "disagree": "Different runs, and at least one half significant.",
    "significant": "At least one half is significant.",
    "different": "The halves do not name the same better run.",
    "tied": "Neither run is better in at least one half.",
}


@dataclass(frozen=True, kw_only=True, eq=False)
class ReliabilityTableResult(Shown):
    """The paper's Table 4 for one board, with a row per test and aggregate.

    fits  how the runs fit the labels; empty where there are only scores
    """

    reliability: ReliabilityResult
    fits: tuple[Fit, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff reliability --format json`."""
        found = self.reliability
        return {
            "measure": found.measure,
            "queries": found.queries,
            "runs": found.runs,
            "pairs": found.pairs,
            "splits": found.splits,
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
        definitions = [f"{name.capitalize()}: {text[0].lower()}{text[1:]}" for name, text in _HELP.items()]
        halves = f"{found.queries // 2:,} and {found.queries - found.queries // 2:,}"
        shares = (
            f"Shares of {found.splits:,} random splits of the queries ({halves}) times {found.pairs:,} pairs of runs; "
            f"significant is p < {found.level:g}; seed {found.seed}."
        )
        return Grid(
            title=f"Do the tests repeat? {found.measure}, {found.queries:,} queries, {found.runs:,} runs",
            columns=[
                Column("test", "Test"),
                Column("aggregate", "Better by"),
                *(Column(name, name.capitalize(), "share", help=text) for name, text in _HELP.items()),
            ],
            rows=[
                [line.test, line.aggregate, *(getattr(line, name) for name in _HELP)] for line in found.tests
            ],
            notes=[shares, *definitions, *fit_notes(self.fits, found.queries), *dropped_notes(self.fits)],
        )  # fmt: skip

    def charts(self) -> tuple[Chart, ...]:
        """The shares as bars."""
        from runoff.display.charts import HalfSplits

        return (HalfSplits(self.reliability),)

    def _range(self, aggregate: Aggregate) -> str:
        shares = [line.agree for line in self.reliability.tests if line.aggregate == aggregate]
        return f"{min(shares):.1%} to {max(shares):.1%}"


def reliability(  # noqa: PLR0913
    runs: Iterable[Any],
    qrels: Any,
    *,
    measure: str | Measure = DEFAULT_MEASURE,
    queries: Sequence[str] | None = None,
    splits: int = 100,
    alpha: float = 0.05,
    seed: int = 0,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> ReliabilityTableResult:
    """Score runs, split the queries in halves again and again, and see whether each test says the same on both.

    >>> qrels = {f"q{i}": {"d": 1} for i in range(12)}
    >>> runs = [{q: {"d": 1.0, "x": 2.0 - good} for q in qrels} for good in (0, 2)]
    >>> result = reliability(runs, qrels, splits=10)
    >>> result.reliability.pairs, [line.agree for line in result.reliability.tests if line.test == "sign"]
    (1, [1.0, 1.0])
    """
    found = evaluate(list(runs), qrels, measures=[measure], queries=queries, reading=reading)
    engine = None if reading is None else reading.engine
    result = reliability_of_scores(
        found.scores[0], splits=splits, alpha=alpha, seed=seed, progress=progress, engine=engine
    )
    return replace(result, fits=tuple(facts.fit for facts in found.facts))


def reliability_from_file(
    path: str | os.PathLike[str] | Board,
    *,
    labels: str | None = None,
    query_set: str | None = None,
    splits: int = 100,
    alpha: float | None = None,
    seed: int = 0,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> ReliabilityTableResult:
    """The same for the runs of a `board.toml`, or a `Board`, by its measure, labels, relevance level and alpha.

    labels     the label set to score with; the first if None
    query_set  the queries to score on; `public` if the board has them, else all queries of the labels
    alpha      the board's if None
    """
    data = read_board_inputs(board_inputs(path, labels=labels, query_set=query_set), reading=reading)
    level = data.policy.alpha if alpha is None else alpha
    engine = None if reading is None else reading.engine
    result = reliability_of_scores(data.scores, splits=splits, alpha=level, seed=seed, progress=progress, engine=engine)
    return replace(result, fits=data.fits)


def reliability_of_scores(
    scores: Scores,
    *,
    splits: int = 100,
    alpha: float = 0.05,
    seed: int = 0,
    progress: Progress | None = None,
    engine: Engine | None = None,
) -> ReliabilityTableResult:
    """The same from a matrix of per-query scores.

    engine  what counts in the halves, such as a cluster, where scores have few values; None for this process
    """
    spread = None if engine is None else engine.mapped
    found = find_reliability(scores, level=alpha, splits=splits, seed=seed, progress=progress, spread=spread)
    return ReliabilityTableResult(reliability=found)
