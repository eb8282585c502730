"""The leaderboard: means, how sure their order is, verdicts against the leader, and the records over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, overload

from runoff.arguments import checks_arguments
from runoff.boards.rank_sets import rank_sets
from runoff.boards.stability import stability
from runoff.comparisons.options import CompareOptions
from runoff.reading.boards import (
    BoardFile,
    BoardSource,
    board_data_of_scores,
    board_inputs,
    is_board,
    read_board_inputs,
)
from runoff.reading.sources import MeasureSource, Progress, QrelsSource, ReadOptions, as_measures
from runoff.reading.units import Engine
from runoff.results.board import BoardResult, Order
from runoff.results.board_data import BoardData
from runoff.results.comparison import Comparison
from runoff.tables.scores import Scores
from runoff.tables.serps import unjudged_by_depth
from runoff.verbs._board_evidence import EvidenceSources, evidence_of_board
from runoff.verbs._board_parts import (
    board_rows,
    claims_of,
    costs_of,
    interval_board,
    order_by_verdicts,
    records_of,
    resolution_of_board,
)
from runoff.verbs._comparing import quick_comparisons
from runoff.verbs._import_board import import_board
from runoff.verbs._pair_memory import PairMemory
from runoff.verbs._published_board import PublishedBoardResult, has_only_means, published_board
from runoff.verdicts import BoardDecisions, Policy, all_pair_facets

__all__ = [
    "BoardOptions",
    "EvidenceSources",
    "board",
    "board_of",
    "evidence_of_board",
    "import_board",
    "published_board",
]

DEFAULT_TRIALS: Final = 1000


@checks_arguments
@dataclass(frozen=True, kw_only=True)
class BoardOptions:
    """What is computed beside ranks, decisions and comparisons.

    order            what the rows are ordered by: the mean, or the verdicts on all pairs
    claims           the winner's corrected score, and what the queries can detect
    detail           of each run against the leader: its verdict alone; `lists`: also outcomes and IPSO, and ‡ among the
                     marks of a row; `explained`: also the sentence, the evidence and all quick tests, and of records
    unjudged         the share of unjudged documents to each rank, for its chart
    interval_scaled  the board under the interval-scaled version of its measure
    resolution       what the queries can show by measure and test; always with further measures
    difference       what the queries needed are for; else the lead of the first run over the second
    tie_digits       runs tie, in the order and for records, whose means agree to this many digits; None for all digits
    """

    order: Order = "mean"
    claims: bool = True
    detail: Literal["verdict", "lists", "explained"] = "explained"
    unjudged: bool = True
    interval_scaled: bool = False
    resolution: bool = False
    difference: float | None = None
    tie_digits: int | None = None


@overload
def board(
    source: BoardSource,
    qrels: QrelsSource,
    *,
    measures: MeasureSource | None = None,
    labels: str | None = None,
    query_set: str | None = None,
    queries: Sequence[str] | None = None,
    trials: int = DEFAULT_TRIALS,
    seed: int = 0,
    compared: CompareOptions | None = None,
    options: BoardOptions | None = None,
    policy: Policy | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> BoardResult: ...
@overload
def board(
    source: Scores,
    *,
    measures: MeasureSource | None = None,
    title: str | None = None,
    trials: int = DEFAULT_TRIALS,
    seed: int = 0,
    options: BoardOptions | None = None,
    policy: Policy | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> BoardResult: ...
@overload
def board(
    source: BoardFile,
    qrels: None = None,
    *,
    measures: MeasureSource | None = None,
    labels: str | None = None,
    query_set: str | None = None,
    queries: Sequence[str] | None = None,
    trials: int = DEFAULT_TRIALS,
    seed: int = 0,
    compared: CompareOptions | None = None,
    options: BoardOptions | None = None,
    policy: Policy | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> BoardResult | PublishedBoardResult: ...
@checks_arguments
def board(
    source: BoardSource | Scores,
    qrels: QrelsSource | None = None,
    *,
    measures: MeasureSource | None = None,
    labels: str | None = None,
    query_set: str | None = None,
    queries: Sequence[str] | None = None,
    title: str | None = None,
    trials: int = DEFAULT_TRIALS,
    seed: int = 0,
    compared: CompareOptions | None = None,
    options: BoardOptions | None = None,
    policy: Policy | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> BoardResult | PublishedBoardResult:
    """The leaderboard: means, how their ranks change when the queries are sampled again, verdicts and records.

    source     runs (see `RunSource`); the path of a `board.toml`, or a `Board`, which name runs, labels, measure and
               rules, and have records over time; or `Scores`, a matrix: ranks and their stability, no verdicts
    qrels      the relevance judgments of the runs; see `QrelsSource`
    measures   the measure that ranks the runs; nDCG@10 or RR@10 by the labels if None. Others add smallest detectable
               differences. A `board.toml` names its own measure, and all of these are further ones
    labels     the label set of a `board.toml`; the first if None
    query_set  the query set of a `board.toml`; `public` if it has one, else all queries but `development`
    queries    the queries to score; all of the qrels' if None
    title      what a matrix is called
    trials     bootstrap samples of the queries
    compared   depth, relevance level and gains of the comparisons of runs
    options    the order of the rows, and what is computed beside them
    policy     level, correction and rule for records; a `board.toml` has its own
    reading    tie rule, limits, and the engine that scores and samples

    A `board.toml` without run files but with published means gives these, their order and records.

    >>> qrels = {"q1": {"d": 1}, "q2": {"d": 1}}
    >>> result = board([{"q1": {"d": 1.0}}, {"q1": {"d": 1.0}, "q2": {"d": 1.0}}], qrels, trials=200)
    >>> [(row.run, row.mean, row.group, row.verdict) for row in result.rows]
    [('run 2', 1.0, 1, None), ('run 1', 0.5, 1, 'inconclusive')]

    >>> import numpy as np
    >>> matrix = Scores(measure="AP", query_ids=("1", "2"), runs=("a", "b"), values=np.array([[0.25, 0.5], [0.5, 1]]))
    >>> [(row.run, row.mean) for row in board(matrix, trials=100).rows]
    [('b', 0.75), ('a', 0.375)]
    """
    chosen = () if measures is None else as_measures(measures)
    if isinstance(source, Scores):
        measure = chosen[0] if chosen else None
        data = board_data_of_scores(source, measure=measure, title=title or "Leaderboard", policy=policy)
    elif qrels is None and is_board(source) and has_only_means(source):
        return published_board(source, query_set=query_set)
    else:
        inputs = board_inputs(source, qrels, labels=labels, query_set=query_set, queries=queries)
        compared = replace(compared or CompareOptions(), seed=seed)
        if inputs.board is not None:
            compared = replace(compared, measures=(inputs.board.measure, *chosen))
        elif chosen:
            compared = replace(compared, measures=chosen)
        data = read_board_inputs(inputs, options=compared, policy=policy, reading=reading, progress=progress)
    engine = None if reading is None else reading.engine
    return board_of(data, trials=trials, seed=seed, options=options, engine=engine, progress=progress)


def board_of(
    data: BoardData,
    *,
    trials: int = DEFAULT_TRIALS,
    seed: int = 0,
    options: BoardOptions | None = None,
    memory: PairMemory | None = None,
    engine: Engine | None = None,
    progress: Progress | None = None,
) -> BoardResult:
    """The leaderboard of a board that has been read; `memory` caches what is known of its pairs.

    engine    what draws the queries again, such as a cluster; None for this process
    progress  called with how much of the drawing is done, and of how much
    """
    options = options or BoardOptions()
    # One seed for all that is sampled: ranks, decisions, and the tests of pairs and of records.
    data = replace(data, compared=replace(data.compared, seed=seed))
    low = data.best_is_low
    spread = None if engine is None else engine.mapped
    ranks = stability(data.scores, trials=trials, seed=seed, best_is_low=low, spread=spread, progress=progress)
    if options.tie_digits is not None:
        ranks = ranks.tied_at(options.tie_digits, best_is_low=low)
    decided = decisions_of(data, seed=seed)
    shows_power = options.resolution or (bool(data.compared.also) and data.has_differences)
    explained, has_lists = options.detail == "explained", options.detail != "verdict" or shows_power
    comparisons = _against_leader(data, ranks.order, decided, memory, explained=explained, has_lists=has_lists)
    verdicts = order_by_verdicts(data) if options.order == "verdict" else None
    costs = costs_of(data.runs, data.means, best_is_low=low)
    rows = board_rows(data, ranks, decided, comparisons=comparisons, verdict_order=verdicts, costs=costs)
    unjudged = None
    if options.unjudged and data.serps is not None:
        unjudged = unjudged_by_depth([data.serps_of(row.run) for row in rows])
    return BoardResult(
        data=data,
        ranks=ranks,
        decided=decided,
        rows=rows,
        comparisons=comparisons,
        claims=claims_of(data, ranks) if options.claims else None,
        costs=costs,
        records=records_of(data, memory=memory, explained=explained, tie_digits=options.tie_digits),
        verdict_order=verdicts,
        interval_scaled=interval_board(data, trials=trials, seed=seed) if options.interval_scaled else None,
        resolution=resolution_of_board(data, comparisons, seed=seed, difference=options.difference)
        if shows_power
        else None,
        unjudged=unjudged,
    )


def with_claims(board: BoardResult) -> BoardResult:
    """The same board with its claims, where it was computed without them."""
    return replace(board, claims=claims_of(board.data, board.ranks))


def decisions_of(data: BoardData, *, seed: int = 0) -> BoardDecisions:
    """Who is above whom, for all pairs at once, and how they differ where ranked lists are known."""
    policy, compared = data.policy, data.compared
    decisions = rank_sets(data.scores, alpha=policy.alpha, seed=seed, best_is_low=data.best_is_low)
    if data.serps is None or len(data.serps) < 2:
        return BoardDecisions(decisions=decisions)
    facets = all_pair_facets(data.serps, cutoff=compared.compared_depth, level=compared.compared_level, policy=policy)
    return BoardDecisions(decisions=decisions, facets=facets)


def _against_leader(
    data: BoardData,
    order: Sequence[int],
    decided: BoardDecisions,
    memory: PairMemory | None,
    *,
    explained: bool,
    has_lists: bool,
) -> tuple[Comparison, ...]:
    """The comparisons of all other runs with the leader, best first; verdicts follow from those about all pairs."""
    if data.serps is None or len(order) < 2:
        return ()
    first, *others = order
    pairs = [(data.serps[first], data.serps[other]) for other in others]
    return quick_comparisons(
        pairs,
        data.compared,
        data.policy,
        memory=memory,
        scores=data.scores,
        scratch=data.scratch,
        board=decided,
        explained=explained,
        lists=has_lists,
    )
