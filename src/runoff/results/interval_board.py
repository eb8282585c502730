"""A board under the interval-scaled version of its measure, and what that changes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from runoff.boards.generalization import GeneralizationResult, generalization
from runoff.boards.scales import BASED, interval_scores, scale
from runoff.display import Column, Grid, Shown
from runoff.errors import UsageError
from runoff.measures import BinaryMeasure, Measure
from runoff.results.board_data import BoardData
from runoff.results.tau_words import reference_keys
from runoff.tables.scores import Scores
from runoff.tables.serps import Serps


@dataclass(frozen=True, kw_only=True)
class IntervalRow:
    """One run: its mean and rank under the measure and under its interval-scaled version; moved > 0 is up."""

    run: str
    mean: float
    scaled_mean: float
    rank: float
    scaled_rank: float
    expected_rank: float
    scaled_expected_rank: float

    @property
    def moved(self) -> float:
        """By how many places it is higher under the interval-scaled measure."""
        return self.rank - self.scaled_rank


@dataclass(frozen=True, kw_only=True, eq=False)
class IntervalBoardResult(Shown):
    """The same board twice: under its measure, and with each value replaced by its rank among the attainable ones."""

    title: str
    measure: str
    both: GeneralizationResult

    @cached_property
    def rows(self) -> tuple[IntervalRow, ...]:
        """A row per run, the best under the measure first."""
        plain, scaled = self.both.stabilities
        return tuple(
            IntervalRow(
                run=plain.runs[place],
                mean=float(plain.means[place]),
                scaled_mean=float(scaled.means[place]),
                rank=float(plain.ranks[place]),
                scaled_rank=float(scaled.ranks[place]),
                expected_rank=float(plain.expected_ranks[place]),
                scaled_expected_rank=float(scaled.expected_ranks[place]),
            )
            for place in plain.order
        )

    @property
    def tau(self) -> float:
        """Kendall's tau-b of the two orders."""
        return float(self.both.taus[0, 1])

    @property
    def leaders(self) -> tuple[str, str]:
        """The best run under the measure, and under its interval-scaled version."""
        plain, scaled = self.both.stabilities
        return plain.runs[plain.order[0]], scaled.runs[scaled.order[0]]

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff board --interval-scaled --format json`."""
        return {
            "measure": self.measure,
            "queries": self.both.stabilities[0].queries,
            "trials": self.both.trials,
            "seed": self.both.seed,
            "leaders": {"measure": self.leaders[0], "interval_scaled": self.leaders[1]},
            "tau": self.tau,
            "tau_reference": reference_keys(self.both.references[0, 1]),
            "runs": [
                {
                    "run": row.run,
                    "mean": row.mean,
                    "interval_scaled_mean": row.scaled_mean,
                    "rank": row.rank,
                    "interval_scaled_rank": row.scaled_rank,
                    "moved": row.moved,
                    "expected_rank": row.expected_rank,
                    "interval_scaled_expected_rank": row.scaled_expected_rank,
                }
                for row in self.rows
            ],
        }

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """Whether the leader and the order stay."""
        before, after = self.leaders
        leads = f"{before} still leads" if before == after else f"{after} leads instead of {before}"
        moved = [row for row in self.rows if row.moved]
        text = f"On the interval-scaled {self.measure} {leads}"
        if not moved:
            return (f"{text}, and every run keeps its rank.",)
        most = max(moved, key=lambda row: abs(row.moved))
        return (
            (
                f"{text}; {len(moved):,} of {len(self.rows):,} runs change their rank, {most.run} the most, from "
                f"{most.rank:g} to {most.scaled_rank:g}. Kendall's tau of the two orders is {self.tau:.3f}."
            ),
        )

    def grid(self) -> Grid:
        """A row per run."""
        return Grid(
            title=f"{self.title}: {self.measure} and its interval-scaled version",
            columns=[
                Column("run", "Run"),
                Column("rank", "Rank", "number", digits=0),
                Column("scaled_rank", "Scaled rank", "number", digits=0),
                Column("moved", "Moved", "number", digits=0, signed=True, help="Places up, under the scaled measure."),
                Column("mean", self.measure, "number"),
                Column("scaled_mean", "Interval-scaled", "number"),
                Column("expected_rank", "Mean rank", "number", digits=1),
                Column("scaled_expected_rank", "Scaled mean rank", "number", digits=1),
            ],
            rows=[
                [
                    row.run, row.rank, row.scaled_rank, row.moved, row.mean, row.scaled_mean, row.expected_rank,
                    row.scaled_expected_rank,
                ]
                for row in self.rows
            ],
            notes=[
                ("Interval-scaled: each value is replaced by its rank among the values that the measure can take, "
                "scaled to 0..1."),
                (f"Mean ranks are over the same {self.both.trials:,} bootstrap samples of the queries, seed "
                f"{self.both.seed}."),
            ],
        )  # fmt: skip


def interval_board(data: BoardData, *, trials: int = 1000, seed: int = 0) -> IntervalBoardResult:
    """Rank the runs of a board by the interval-scaled version of its measure, beside the measure itself."""
    if data.measure is None:
        raise UsageError(
            "the scores do not say which measure they are of; expected one, to know the values it can take; name it"
        )
    scaled = scaled_scores(data.scores, data.measure, data.serps)
    low = data.best_is_low
    conditions = {"measure": data.scores, "interval-scaled": scaled}
    both = generalization(conditions, trials=trials, seed=seed, best_is_low=conditions if low else ())
    return IntervalBoardResult(title=data.title, measure=data.scores.measure, both=both)


def scaled_scores(scores: Scores, measure: Measure, serps: tuple[Serps, ...] | None) -> Scores:
    """Scores on the interval-scaled version of their measure.

    AP, nDCG and R take other values for every number of relevant documents: each query is on the scale of its own.
    """
    is_graded = not isinstance(measure, BinaryMeasure) or getattr(measure, "gains", None) is not None
    if is_graded and serps is not None and serps[0].values is not None:
        raise UsageError(
            f"the labels have grades that are fractions, and the values that {measure} can take are known for whole "
            "grades only; choose a measure of relevance at a level, such as P@10, or round the grades"
        )
    if not isinstance(measure, BASED):
        highest = max(serps[0].judged.shape[1] - 1, 1) if is_graded and serps is not None else None
        return interval_scores(scores, scale(measure, highest=highest))
    if serps is None:
        raise UsageError(
            f"the values of {measure} depend on the relevant documents of each query; expected runs and qrels; "
            "give them instead of scores"
        )
    counts = _relevant_counts(measure, serps[0])
    values = np.empty_like(scores.values)
    for kind in np.unique(counts, axis=0):
        rows = np.flatnonzero((counts == kind).all(axis=1))
        if not kind.any():  # no relevant document: every list scores 0
            values[rows] = scores.values[rows]
            continue
        some = Scores(
            measure=scores.measure,
            query_ids=tuple(scores.query_ids[row] for row in rows.tolist()),
            runs=scores.runs,
            values=scores.values[rows],
        )
        found = scale(measure, highest=len(kind) if len(kind) > 1 else None, relevant=kind.tolist())
        values[rows] = interval_scores(some, found).values
    return Scores(
        measure=f"interval-scaled {scores.measure}", query_ids=scores.query_ids, runs=scores.runs, values=values
    )


def _relevant_counts(measure: Measure, serps: Serps) -> np.typing.NDArray[np.int64]:
    """Per query, how many documents there are of each grade that the measure tells apart."""
    return serps.relevant(measure.rel)[:, None] if isinstance(measure, BinaryMeasure) else serps.judged[:, 1:]
