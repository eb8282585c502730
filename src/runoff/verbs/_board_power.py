"""Power of a board: the smallest detectable difference of each measure and test, and of outcomes and IPSO."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from runoff.boards import board_powers
from runoff.errors import UsageError
from runoff.results.board_data import BoardData, check_defined
from runoff.results.comparison import Comparison
from runoff.results.power import PowerRow, ResolutionTableResult
from runoff.tables.scores import Scores
from runoff.verdicts.power import FacetName, list_powers


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
        powers = board_powers(scores, difference=difference, level=level, best_is_low=best_is_low, seed=seed)
        rows.append(PowerRow(run="", subject=scores.measure, powers=powers))
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


def _votes(comparisons: Sequence[Comparison], level: float) -> Iterator[PowerRow]:
    """Outcomes and IPSO: the observed value is that of the second run against the first, the rest medians."""
    levels: dict[FacetName, float] = {"more": level, "sooner": level, "ipso": level}
    by_pair = [dict(list_powers(comparison.evidence, comparison.verdict.policy, levels)) for comparison in comparisons]
    for facet in levels:
        powers = [pair[facet] for pair in by_pair if facet in pair]
        if not powers:
            continue
        smallest = float(np.median([math.inf if power.smallest is None else power.smallest for power in powers]))
        median = replace(
            powers[0],
            n=round(float(np.median([power.n for power in powers]))),
            smallest=smallest if math.isfinite(smallest) else None,
        )
        yield PowerRow(run="", subject=facet, powers={median.test: median})


def _about(comparisons: Sequence[Comparison]) -> str:
    if len(comparisons) < 2:
        return ""
    first = comparisons[0]
    return f"median of {len(comparisons):,} runs against {first.champion} (observed and needed: {first.challenger})"
