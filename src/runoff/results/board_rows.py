"""The rows of a board: a run, how sure its rank is, and its verdict against the first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runoff.boards.stability import StabilityResult
from runoff.results.comparison import Comparison
from runoff.tables.board import BoardRun
from runoff.verbs._comparing import BoardDecisions
from runoff.verdicts import VerdictOrderResult


@dataclass(frozen=True, kw_only=True)
class BoardRow:
    """One run of a leaderboard.

    ci95                  95% interval of the mean over bootstrap samples of the queries
    rank_interval         the ranks of 95% of these samples
    p_first               how often it was first
    rank_set              the ranks that it could have, right for all runs at once; from the decisions about all pairs
    could_be_best         whether these include the first
    group                 runs that are not decided to be below the first of the group
    verdict               `worse` than the first run, or `inconclusive`; None for the first itself
    how                   how it differs from the first: fewer, later; explains the verdict and does not decide it
    marks                 † and ‡ of the difference to the first run
    p                     the p of the measure against the first run, corrected over all pairs
    seen_from             the smallest difference to the first run that is detected with 80% power
    needed_queries        the queries for which the observed difference would be that large
    copeland              how many runs it is better than minus how many it is worse than; None unless asked for
    """

    run: str
    team: str
    date: str | None
    mean: float
    ci95: tuple[float, float]
    expected_rank: float
    rank_interval: tuple[int, int]
    p_first: float
    rank_set: tuple[int, int]
    could_be_best: bool
    group: int
    rank_probabilities: tuple[float, ...]
    verdict: str | None = None
    how: tuple[str, ...] = ()
    marks: str = ""
    p: float | None = None
    seen_from: float | None = None
    needed_queries: int | None = None
    copeland: int | None = None


def board_rows(
    found: StabilityResult,
    decided: BoardDecisions,
    runs: Sequence[BoardRun],
    against_first: Sequence[Comparison],
    verdict_order: VerdictOrderResult | None,
) -> tuple[BoardRow, ...]:
    """A row per run, the best first: by the mean, or by the verdicts where their order is given."""
    facts = {run.name: run for run in runs}
    comparisons = {comparison.challenger: comparison for comparison in against_first}
    order = found.order if verdict_order is None else verdict_order.order
    decisions, leader = decided.decisions, found.order[0]
    groups = decisions.groups(found.order)
    rows = []
    for place in order:
        run = facts[found.runs[place]]
        low, high = found.mean_ci95[place].tolist()
        first, last = found.rank_intervals[place].tolist()
        comparison, is_first = comparisons.get(run.name), place == leader
        first_possible, last_possible = decisions.rank_sets[place].tolist()
        power = comparison.measure_power if comparison else None
        rows.append(
            BoardRow(
                run=run.name,
                team=run.team,
                date=run.date.isoformat() if run.date else None,
                mean=float(found.means[place]),
                ci95=(low, high),
                expected_rank=float(found.expected_ranks[place]),
                rank_interval=(first, last),
                p_first=float(found.p_first[place]),
                rank_set=(first_possible, last_possible),
                could_be_best=bool(decisions.could_be_best[place]),
                group=int(groups[place]),
                rank_probabilities=tuple(found.rank_probabilities[place].tolist()),
                verdict=None if is_first else "worse" if decisions.above[place, leader] else "inconclusive",
                how=comparison.verdict.how if comparison else (),
                marks=comparison.verdict.marks if comparison else "",
                p=None if is_first else float(decisions.p[place, leader]),
                seen_from=power.smallest if power else None,
                needed_queries=power.needed if power else None,
                copeland=verdict_order.copeland[place] if verdict_order else None,
            )
        )
    return tuple(rows)
