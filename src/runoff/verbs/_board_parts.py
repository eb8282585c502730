"""Compute the parts of a board: rows, claims, costs, records, power, and its interval-scaled version."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from runoff.boards import board_power, board_powers, frontier, winner
from runoff.boards.generalization import generalization
from runoff.boards.history import HistoryResult, RecordTestResult, history, record_test
from runoff.boards.scales import BASED, interval_scores, scale
from runoff.boards.stability import StabilityResult
from runoff.errors import UsageError
from runoff.measures import BinaryMeasure, Measure, score
from runoff.results.board_data import BoardData, check_defined
from runoff.results.board_parts import BoardClaims, BoardCosts, BoardRow, IntervalBoardResult, IntervalRow
from runoff.results.comparison import Comparison
from runoff.results.power import PowerRow, ResolutionTableResult
from runoff.results.records import RecordsResult
from runoff.tables.board import BoardRun
from runoff.tables.scores import Scores
from runoff.tables.serps import Serps
from runoff.verbs._comparing import quick_comparisons
from runoff.verbs._pair_memory import PairMemory
from runoff.verdicts import BoardDecisions, VerdictOrderResult, certify_records, rank_verdict, verdict_order
from runoff.verdicts.power import FacetName, list_powers


def claims_of(data: BoardData, ranks: StabilityResult) -> BoardClaims | None:
    """The claims of a board; None where it has a single run or query, or no two of its runs differ.

    ranks  those of the same scores, whose bootstrap samples serve here, too
    """
    if not data.has_differences:
        return None
    scores, best_is_low = data.scores, data.best_is_low
    known = ranks.drawn_means if len(ranks.drawn_means) == ranks.trials else None
    sampling: Any = {"trials": ranks.trials, "seed": ranks.seed, "best_is_low": best_is_low, "drawn": known}
    return BoardClaims(
        winner=winner(scores, **sampling),
        resolution=board_power(scores, level=data.policy.alpha, best_is_low=best_is_low),
    )


def costs_of(runs: Sequence[BoardRun], means: Mapping[str, float], *, best_is_low: bool = False) -> BoardCosts | None:
    """The costs of a board's runs; None where none is named.

    >>> runs = [BoardRun(name="a", costs={"ms": 9}), BoardRun(name="b", costs={"ms": 5}), BoardRun(name="c")]
    >>> dict(costs_of(runs, {"a": 0.3, "b": 0.4, "c": 0.5}).frontier)
    {'a': False, 'b': True}
    """
    names = tuple(dict.fromkeys(name for run in runs for name in run.costs))
    if not names:
        return None
    values = {run.name: tuple(run.costs.get(name) for name in names) for run in runs}
    known = [run.name for run in runs if None not in values[run.name]]
    sign = -1.0 if best_is_low else 1.0
    columns = [[values[name][place] or 0.0 for name in known] for place in range(len(names))]
    quality = [sign * means[name] for name in known]
    free = frontier(quality, *columns).tolist() if known else []
    each = zip(*(frontier(quality, column).tolist() for column in columns), strict=True) if known else ()
    return BoardCosts(
        names=names,
        values=values,
        frontier=dict(zip(known, free, strict=True)),
        by_cost=dict(zip(known, each, strict=True)),
    )


def board_rows(
    data: BoardData,
    ranks: StabilityResult,
    decided: BoardDecisions,
    *,
    comparisons: Sequence[Comparison] = (),
    verdict_order: VerdictOrderResult | None = None,
    costs: BoardCosts | None = None,
) -> tuple[BoardRow, ...]:
    """A row per run, the best first: by the mean, or by the verdicts where their order is given."""
    runs = {run.name: run for run in data.runs}
    missing = {fit.run: fit.missing_queries for fit in data.fits}
    against_leader = {comparison.challenger: comparison for comparison in comparisons}
    decisions, leader = decided.decisions, ranks.order[0]
    groups = decisions.groups(ranks.order)
    rows = []
    for place in ranks.order if verdict_order is None else verdict_order.order:
        run = runs[ranks.runs[place]]
        comparison, is_leader = against_leader.get(run.name), place == leader
        power = comparison.measure_power if comparison else None
        priced = zip(costs.names, costs.values[run.name], strict=True) if costs else ()
        rows.append(
            BoardRow(
                run=run.name,
                team=run.team,
                date=run.date.isoformat() if run.date else None,
                mean=float(ranks.means[place]),
                ci95=tuple(ranks.mean_ci95[place].tolist()),
                expected_rank=float(ranks.expected_ranks[place]),
                rank_interval=tuple(ranks.rank_intervals[place].tolist()),
                rank_set=tuple(decisions.rank_sets[place].tolist()),
                p_first=float(ranks.p_first[place]),
                could_be_best=bool(decisions.could_be_best[place]),
                group=int(groups[place]),
                verdict=None if is_leader else rank_verdict(decisions, place, leader),
                how=comparison.verdict.how if comparison else (),
                marks=comparison.verdict.marks if comparison else "",
                p=None if is_leader else float(decisions.p[place, leader]),
                seen_from=power.smallest if power else None,
                needed_queries=power.needed if power else None,
                copeland=verdict_order.copeland[place] if verdict_order else None,
                missing_queries=missing.get(run.name),
                costs={name: value for name, value in priced if value is not None} if costs else None,
                frontier=costs.frontier.get(run.name) if costs else None,
                rank_probabilities=tuple(ranks.rank_probabilities[place].tolist()),
            )
        )
    return tuple(rows)


def order_by_verdicts(data: BoardData) -> VerdictOrderResult:
    """The runs in the order of the verdicts: Copeland scores under do no harm, ties by the mean."""
    sign = -1.0 if data.best_is_low else 1.0
    return verdict_order(
        [data.serps_of(name) for name in data.scores.runs],
        [sign * mean for mean in data.scores.means.tolist()],
        cutoff=data.compared.compared_depth,
        level=data.compared.compared_level,
        policy=data.policy,
    )


def records_of(
    data: BoardData, *, memory: PairMemory | None = None, explained: bool = True, tie_digits: int | None = None
) -> RecordsResult | None:
    """The records of a board and their comparisons; None if no run has a date.

    memory      caches pairs
    tie_digits  a record is better in this many digits; None for all digits
    """
    if not any(run.date for run in data.runs):
        return None
    means = data.means if tie_digits is None else {run: round(mean, tie_digits) for run, mean in data.means.items()}
    found = history(data.runs, means, best_is_low=data.best_is_low)
    tests = _record_tests(data, found, memory)
    certified = certify_records([test.p for test in tests], data.policy) if tests else None
    chains: list[tuple[Comparison, ...]] = [(), ()]
    if data.serps is not None and len(found.records) > 1:
        chains = [
            quick_comparisons(
                [(data.serps_of(champion), data.serps_of(challenger)) for champion, challenger in pairs],
                data.compared,
                data.policy,
                memory=memory,
                scores=data.scores,
                scratch=data.scratch,
                explained=explained,
            )
            for pairs in (found.against_first, found.against_displaced)
        ]
    return RecordsResult(
        measure=data.scores.measure,
        runs=data.runs,
        means=data.means,
        history=found,
        against_first=chains[0],
        against_displaced=chains[1],
        tests=tests,
        certified=certified,
    )


def _record_tests(data: BoardData, found: HistoryResult, memory: PairMemory | None) -> tuple[RecordTestResult, ...]:
    """The record test of each record but the first."""
    sign = -1.0 if data.best_is_low else 1.0

    def tested(displaced: str, name: str, looks: int) -> RecordTestResult:
        def make() -> RecordTestResult:
            scores = data.scores
            return record_test(
                sign * scores.of(displaced), sign * scores.of(name), looks=looks, seed=data.compared.seed
            )

        return make() if memory is None else memory.of("record", (displaced, name), make, looks)

    return tuple(tested(str(record.displaced), record.name, record.rivals) for record in found.records[1:])


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
    plain, rescaled = both.stabilities
    rows = tuple(
        IntervalRow(
            run=plain.runs[place],
            mean=float(plain.means[place]),
            interval_scaled_mean=float(rescaled.means[place]),
            rank=float(plain.ranks[place]),
            interval_scaled_rank=float(rescaled.ranks[place]),
            moved=float(plain.ranks[place]) - float(rescaled.ranks[place]),
            expected_rank=float(plain.expected_ranks[place]),
            interval_scaled_expected_rank=float(rescaled.expected_ranks[place]),
        )
        for place in plain.order
    )
    return IntervalBoardResult(title=data.title, measure=data.scores.measure, both=both, rows=rows)


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
        found = scale(measure, highest=len(kind) if len(kind) > 1 else None, relevant=kind.tolist())
        values[rows] = interval_scores(scores.only(rows), found).values
    return replace(scores, measure=f"interval-scaled {scores.measure}", values=values)


def _relevant_counts(measure: Measure, serps: Serps) -> np.typing.NDArray[np.int64]:
    """Per query, how many documents there are of each grade that the measure distinguishes."""
    return serps.relevant(measure.rel)[:, None] if isinstance(measure, BinaryMeasure) else serps.judged[:, 1:]


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
    for measure in data.compared.also:
        (scores,) = score(data.serps, [measure])
        check_defined(scores.values, str(measure))
        yield scores, measure.best == "low"


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
