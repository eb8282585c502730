"""What the queries of a board can show: for each measure and test, and for outcomes and IPSO."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from runoff.boards import board_resolution_by_test, resolution_by_test, vote_resolution
from runoff.errors import UsageError
from runoff.results.board_data import BoardData, check_defined
from runoff.results.comparison import Comparison
from runoff.results.power import MeasureRow, ResolutionTableResult, VoteRow
from runoff.tables.scores import Scores
from runoff.verdicts.power import POWER


def resolution_of_board(
    data: BoardData, comparisons: Sequence[Comparison], *, seed: int = 0, difference: float | None = None
) -> ResolutionTableResult:
    """The smallest differences that two runs of a board can show, each pair by itself at the board's level.

    comparisons       every other run against the first, for outcomes and IPSO; none where ranked lists are not known
    difference  what the queries needed are for; else the lead of the first run over the second
    """
    if not data.has_differences:
        raise UsageError(
            "there is one run, one query, or no difference; expected two runs that differ, on two queries or more"
        )
    level = data.policy.alpha
    rows = []
    for scores, best_is_low in _all_scores(data):
        found = board_resolution_by_test(
            scores, difference=difference, level=level, power=POWER, best_is_low=best_is_low, seed=seed
        )
        rows.append(
            MeasureRow(
                run="",
                measure=scores.measure,
                observed=found.board.gap,
                difference=found.difference,
                smallest=found.smallest,
                needed=found.needed,
            )
        )
    runs = len(data.scores.runs)
    pairs = runs * (runs - 1) // 2
    return ResolutionTableResult(
        about="its two runs" if pairs == 1 else f"median of {pairs:,} pairs",
        queries=len(data.scores.query_ids),
        level=level,
        measures=tuple(rows),
        votes=tuple(_votes(comparisons, level)),
        about_votes=_about(comparisons),
    )


def _all_scores(data: BoardData) -> Iterator[tuple[Scores, bool]]:
    """The scores that rank the board, and those of the further measures that were asked for."""
    yield data.scores, data.best_is_low
    if data.serps is None:
        return
    for measure in data.question.also_measures():
        values = np.column_stack([measure.values(one) for one in data.serps])
        check_defined(values, str(measure))
        yield (
            Scores(measure=str(measure), query_ids=data.scores.query_ids, runs=data.scores.runs, values=values),
            measure.best == "low",
        )


def _votes(comparisons: Sequence[Comparison], level: float) -> Iterator[VoteRow]:
    """Outcomes and IPSO: the observed value is that of the second run against the first, the rest medians."""
    for facet in ("more", "sooner", "ipso"):
        found = [row for comparison in comparisons if (row := _vote(comparison, facet, level)) is not None]
        if not found:
            continue
        smallest = float(np.median([math.inf if row.smallest is None else row.smallest for row in found]))
        yield VoteRow(
            run="",
            facet=facet,
            n=round(float(np.median([row.n for row in found]))),
            observed=found[0].observed,
            smallest=smallest if math.isfinite(smallest) else None,
            needed=found[0].needed,
        )


def _about(comparisons: Sequence[Comparison]) -> str:
    if len(comparisons) < 2:
        return ""
    first = comparisons[0]
    return f"median of {len(comparisons):,} runs against {first.champion} (observed and needed: {first.challenger})"


def _vote(comparison: Comparison, facet: str, level: float) -> VoteRow | None:
    outcomes, ipso = comparison.outcomes, comparison.ipso
    if facet == "sooner":
        if outcomes is None or outcomes.in_both.sum() < 2:
            return None
        test = comparison.verdict.policy.esl_test
        ranks = outcomes.champion_ranks[outcomes.in_both], outcomes.challenger_ranks[outcomes.in_both]
        found = resolution_by_test(*ranks, tests=(test,), level=level, power=POWER)
        return VoteRow(
            run="",
            facet=facet,
            n=found.n,
            observed=found.observed,
            smallest=found.smallest[test],
            needed=_in_queries(found.needed[test], comparison.queries, found.n),
        )
    if facet == "ipso" and ipso is not None:
        sides = ipso.at_depth.ns, ipso.at_depth.ni
    elif facet == "more" and outcomes is not None:
        sides = outcomes.queries_more[::-1]
    else:
        return None
    votes = vote_resolution(*sides, level=level, power=POWER)
    return VoteRow(
        run="",
        facet=facet,
        n=votes.votes,
        observed=votes.share,
        smallest=votes.smallest,
        needed=_in_queries(votes.needed, comparison.queries, votes.votes),
    )


def _in_queries(needed: int | None, queries: int, used: int) -> int | None:
    """The queries that hold this number of those that vote."""
    return None if needed is None or not used else math.ceil(needed * queries / used)
