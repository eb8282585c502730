"""Parts of a board: its rows, its claims, its costs, the chances of each rank, and the board on an interval scale."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from runoff.boards import BoardPower, WinnerResult
from runoff.boards.generalization import GeneralizationResult
from runoff.boards.stability import StabilityResult
from runoff.display import Column, Grid, Shown
from runoff.display.rows import column, grid_of, row_dict
from runoff.phrases import counted, listed
from runoff.results.tau_words import reference_keys
from runoff.verdicts.power import about_queries

if TYPE_CHECKING:
    from runoff.display.charts import Chart

MOST_SHOWN: Final = 10
"""Runs and ranks of the printed table; JSON has all."""


@dataclass(frozen=True, kw_only=True)
class BoardRow:
    """One run of a leaderboard; its fields are the keys of the JSON.

    ci95                  95% interval of the mean over bootstrap samples of the queries
    rank_interval         the ranks of 95% of these samples
    rank_set              the ranks that it could have, right for all runs at once; from the decisions about all pairs
    p_first               how often it was first in these samples
    could_be_best         whether the ranks that it could have include the first
    group                 runs that are not decided to be below the first of the group
    verdict               `worse` than the leader, or `inconclusive`; None for the leader itself
    how                   how it differs from the leader: fewer, later; explains the verdict and does not decide it
    marks                 † and ‡ of the difference to the leader
    p                     the p of the measure against the leader, corrected over all pairs
    seen_from             the smallest difference to the leader that is detected with 80% power
    needed_queries        the queries for which the observed difference would be that large
    copeland              how many runs it is better than minus how many it is worse than; None unless requested
    missing_queries       the queries of the labels that it lacks; None where ranked lists are not known
    costs                 what it costs, by name; None where no run of the board says
    frontier              whether no other run is as good and as cheap, and better in one of these
    rank_probabilities    how often it was at each rank
    """

    run: str
    team: str
    date: str | None
    mean: float
    ci95: tuple[float, float]
    expected_rank: float
    rank_interval: tuple[int, int]
    rank_set: tuple[int, int]
    p_first: float
    could_be_best: bool
    group: int
    verdict: str | None = None
    how: tuple[str, ...] = ()
    marks: str = ""
    p: float | None = None
    seen_from: float | None = None
    needed_queries: int | None = None
    copeland: int | None = None
    missing_queries: int | None = None
    costs: Mapping[str, float] | None = None
    frontier: bool | None = None
    rank_probabilities: tuple[float, ...] = ()


def first_sentence(found: StabilityResult) -> str:
    """How often the leader is first when the queries are drawn again, and who is first more often, if anybody is."""
    leader, other = found.runs[found.order[0]], found.first_more_often
    text = (
        f"{leader} is first in {found.p_first[found.order[0]]:.1%} of {found.trials:,} bootstrap samples of the queries"
    )
    if other is None:
        return f"{text}."
    return f"{text}; {found.runs[other]} is first more often, in {found.p_first[other]:.1%}: {leader} may lead by luck."


@dataclass(frozen=True, kw_only=True, eq=False)
class StabilityTableResult(Shown):
    """P(run at rank j) over bootstrap samples of the queries, and P(run ahead of another)."""

    title: str
    stability: StabilityResult

    def to_dict(self) -> dict[str, object]:
        """Every probability, the best run first."""
        found = self.stability
        order = list(found.order)
        names = [found.runs[place] for place in order]
        beats = found.beats[order][:, order].tolist()
        return {
            **row_dict(found, "measure", "queries", "trials", "seed"),
            "rank_probabilities": {found.runs[place]: found.rank_probabilities[place].tolist() for place in order},
            "expected_ranks": {found.runs[place]: float(found.expected_ranks[place]) for place in order},
            "beats": {name: dict(zip(names, row, strict=True)) for name, row in zip(names, beats, strict=True)},
        }

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """How often the order at the top is the observed one."""
        return (first_sentence(self.stability),)

    def charts(self) -> tuple[Chart, ...]:
        """Craswell et al.'s Figure 3, and the intervals of means and ranks."""
        from runoff.display.charts import RankHeatMap

        return (RankHeatMap(self.stability),)

    def grid(self) -> Grid:
        """A row per run and a column per rank, from the best."""
        found = self.stability
        shown = found.order[:MOST_SHOWN]
        ranks = range(1, len(shown) + 1)
        notes = ["Runs that tie in a sample share the tied ranks equally."]
        if len(found.order) > len(shown):
            notes.append(f"The best {len(shown)} of {len(found.order):,} runs.")
        return Grid(
            title=f"{self.title}: rank under bootstrapping",
            columns=[
                Column("run", "Run"),
                *(Column(f"rank_{rank}", str(rank), "share") for rank in ranks),
                Column("expected_rank", "Mean rank", "number", digits=1),
            ],
            rows=[
                [
                    found.runs[place],
                    *found.rank_probabilities[place, : len(shown)].tolist(),
                    float(found.expected_ranks[place]),
                ]
                for place in shown
            ],
            notes=notes,
        )


@dataclass(frozen=True, kw_only=True)
class IntervalRow:
    """One run: its mean and rank under the measure and under its interval-scaled version; moved > 0 is up."""

    run: str = column("Run")
    mean: float = column("Mean", "number")
    interval_scaled_mean: float = column("Interval-scaled", "number")
    rank: float = column("Rank", "number", digits=0)
    interval_scaled_rank: float = column("Scaled rank", "number", digits=0)
    moved: float = column("Moved", "number", digits=0, signed=True, help="Places up, under the scaled measure.")
    expected_rank: float = column("Mean rank", "number", digits=1)
    interval_scaled_expected_rank: float = column("Scaled mean rank", "number", digits=1)


@dataclass(frozen=True, kw_only=True, eq=False)
class IntervalBoardResult(Shown):
    """The same board twice: under its measure, and with each value replaced by its rank among the attainable ones.

    rows  a row per run, the best under the measure first
    """

    title: str
    measure: str
    both: GeneralizationResult
    rows: tuple[IntervalRow, ...]

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
            "runs": [row_dict(row) for row in self.rows],
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
        ranks = f"from {most.rank:g} to {most.interval_scaled_rank:g}"
        return (
            (
                f"{text}; {len(moved):,} of {len(self.rows):,} runs change their rank, {most.run} the most, {ranks}. "
                f"Kendall's tau of the two orders is {self.tau:.3f}."
            ),
        )

    def grid(self) -> Grid:
        """A row per run."""
        samples = f"{self.both.trials:,} bootstrap samples of the queries, seed {self.both.seed}"
        return grid_of(
            IntervalRow,
            self.rows,
            title=f"{self.title}: {self.measure} and its interval-scaled version",
            mean=self.measure,
            notes=[
                (
                    "Interval-scaled: each value is replaced by its rank among the values that the measure can take, "
                    "scaled to 0..1."
                ),
                f"Mean ranks are over the same {samples}.",
            ],
        )


ROUGH: Final = (
    "Its scores are piled up at one end and the queries are few: such intervals hold the truth in 90 to 97% of "
    "simulated boards."
)


@dataclass(frozen=True, kw_only=True, eq=False)
class BoardClaims:
    """The claims that a board of two runs and two queries at least can make.

    winner      the best mean without what picking it added
    resolution  the differences that a comparison of two runs can detect
    """

    winner: WinnerResult
    resolution: BoardPower

    def to_dict(self) -> dict[str, object]:
        """The keys `winner` and `resolution` of a board in JSON."""
        seen = self.resolution
        return {
            "winner": row_dict(self.winner, "run", "names", "score", "optimism", "corrected", "ci95", "is_rough"),
            "resolution": {
                "test": "t",
                **row_dict(seen, "level", "power", "pairs", "smallest"),
                "smallest_range": [seen.easy, seen.hard],
                **row_dict(seen, "first", "second", "gap", "gap_smallest"),
                "gap_needed_queries": seen.gap_needed,
            },
        }

    def sentences(self) -> tuple[str, ...]:
        """The winner's score and the resolution in words; nothing is detected where no difference varies."""
        return (self._winner_sentence(), *([self._resolution_sentence()] if self.resolution.smallest else []))

    def _winner_sentence(self) -> str:
        found = self.winner
        low, high = found.ci95
        text = (
            f"The score of {listed(found.names)}, {found.score:.4f}, was picked as the best of {found.runs:,}; "
            f"corrected for that it is {found.corrected:.4f} (95% interval {low:.4f} to {high:.4f})."
        )
        return f"{text} {ROUGH}" if found.is_rough else text

    def _resolution_sentence(self) -> str:
        seen = self.resolution
        text = (
            f"With {seen.queries:,} queries, differences below {seen.smallest:.4f} usually go undetected "
            f"({seen.power:.0%} power, t test at {seen.level:g}, median of {counted(seen.pairs, 'pair')})."
        )
        if seen.gap_needed is None:
            return text
        lead = f"The lead of {seen.first} over {seen.second}, {seen.gap:.4f},"
        if seen.gap_needed <= seen.queries:
            return f"{text} {lead} is large enough to be detected."
        return f"{text} {lead} would need {about_queries(seen.gap_needed)}."


@dataclass(frozen=True, kw_only=True)
class BoardCosts:
    """The costs that a board.toml names, and the runs that no other run beats on the mean and on all of them.

    names     what the costs are called, in the order in which the runs name them
    values    for each run by name, its costs; None where it names none
    frontier  for each run with all costs, whether no other such run is as good in everything and better in something
    by_cost   for the same runs, the same for each cost alone
    """

    names: tuple[str, ...]
    values: Mapping[str, tuple[float | None, ...]]
    frontier: Mapping[str, bool]
    by_cost: Mapping[str, tuple[bool, ...]]

    def sentence(self) -> str:
        """Which runs are on the frontier."""
        best = [name for name, free in self.frontier.items() if free]
        what = f"{', '.join(['the mean', *self.names[:-1]])} and {self.names[-1]}"
        if not best:
            return f"No run names all of its costs ({', '.join(self.names)})."
        runs = "1 run is" if len(best) == 1 else f"{len(best):,} runs are"
        if len(best) == len(self.frontier):
            which = "The one run" if len(best) == 1 else f"Each of the {len(best):,} runs"
            return f"{which} with known costs is on the frontier of {what}."
        return (
            f"{runs} on the frontier of {what}, out of {len(self.frontier):,} with known costs: "
            f"{', '.join(best)}; for each of the others some run is at least as good and as cheap."
        )
