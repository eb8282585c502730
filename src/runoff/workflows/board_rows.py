"""The rows of a board: a run, how sure its rank is, and its verdict against the first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runoff.boards.stability import StabilityResult
from runoff.tables.board import BoardRun
from runoff.verdicts import VerdictOrderResult
from runoff.workflows.duel import DuelResult


@dataclass(frozen=True, kw_only=True)
class BoardRow:
    """One run of a leaderboard.

    ci95, rank_interval   95% intervals of the mean and of the rank over bootstrap samples of the queries
    p_first               how often it was first
    group                 runs of one group cannot be told apart from the first of the group
    verdict, marks        what it gets as the challenger of the first run under do no harm; None for the first itself
                          and where ranked lists are not known
    p                     the corrected p of the measure against the first run
    seen_from             the difference to the first run from which on it would be seen with 80% power
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
    group: int
    rank_probabilities: tuple[float, ...]
    verdict: str | None = None
    marks: str = ""
    p: float | None = None
    seen_from: float | None = None
    needed_queries: int | None = None
    copeland: int | None = None


def board_rows(
    found: StabilityResult,
    runs: Sequence[BoardRun],
    against_first: Sequence[DuelResult],
    verdict_order: VerdictOrderResult | None,
) -> tuple[BoardRow, ...]:
    """A row per run, the best first: by the mean, or by the verdicts where their order is given."""
    facts = {run.name: run for run in runs}
    duels = {duel.challenger: duel for duel in against_first}
    order = found.order if verdict_order is None else verdict_order.order
    rows = []
    for place in order:
        run = facts[found.runs[place]]
        low, high = found.mean_ci95[place].tolist()
        first, last = found.rank_intervals[place].tolist()
        duel = duels.get(run.name)
        sight = duel.measure_sight if duel else None
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
                group=int(found.groups[place]),
                rank_probabilities=tuple(found.rank_probabilities[place].tolist()),
                verdict=duel.outcome if duel else None,
                marks=duel.verdict.marks if duel else "",
                p=duel.verdict.measure.p if duel else None,
                seen_from=sight.smallest if sight else None,
                needed_queries=sight.needed if sight else None,
                copeland=verdict_order.copeland[place] if verdict_order else None,
            )
        )
    return tuple(rows)
