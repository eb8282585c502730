"""The leaderboard: means, how sure their order is, verdicts against the leader, and the records over time."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from runoff.boards.rank_sets import rank_sets
from runoff.boards.stability import stability
from runoff.comparisons.options import CompareOptions
from runoff.measures import Measure, parse_measure
from runoff.reading.boards import (
    DEFAULT_MEASURE,
    board_data_of_scores,
    board_inputs,
    read_board_data,
    read_board_inputs,
)
from runoff.reading.sources import Progress, ReadOptions, as_labels
from runoff.reading.units import Engine
from runoff.results.board import BoardResult, Order
from runoff.results.board_data import BoardData
from runoff.results.comparison import Comparison
from runoff.tables.scores import Scores
from runoff.tables.serps import unjudged_by_depth
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
from runoff.verbs._pair_memory import PairMemory
from runoff.verdicts import BoardDecisions, Policy, all_pair_facets

DEFAULT_TRIALS: Final = 1000


@dataclass(frozen=True, kw_only=True)
class BoardOptions:
    """What is computed beside ranks, decisions and comparisons.

    order            what the rows are ordered by: the mean, or the verdicts on all pairs
    claims           the winner's corrected score, and what the queries can detect
    explained        the sentence, the evidence and all quick tests of each comparison with the leader and of records
    unjudged         the share of unjudged documents to each rank, for its chart
    interval_scaled  the board under the interval-scaled version of its measure
    resolution       what the queries can show by measure and test; always with further measures
    difference       what the queries needed are for; else the lead of the first run over the second
    """

    order: Order = "mean"
    claims: bool = True
    explained: bool = True
    unjudged: bool = True
    interval_scaled: bool = False
    resolution: bool = False
    difference: float | None = None


def board(  # noqa: PLR0913  # what the command line takes
    runs: Sequence[Any],
    qrels: Any,
    *,
    measure: str | Measure = DEFAULT_MEASURE,
    trials: int = DEFAULT_TRIALS,
    seed: int = 0,
    policy: Policy | None = None,
    options: BoardOptions | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> BoardResult:
    """The leaderboard of some runs: means, and how their ranks change when the queries are drawn again.

    runs     files, frames, dicts, tuples or Run objects
    qrels    a file, frame, dict, tuples or Qrels
    measure  as ir_measures spells it, or a measure object
    trials   bootstrap samples of the queries
    policy   level and correction of the verdicts against the leader
    options  the order of the rows, and what is computed beside them

    >>> qrels = {"q1": {"d": 1}, "q2": {"d": 1}}
    >>> result = board([{"q1": {"d": 1.0}}, {"q1": {"d": 1.0}, "q2": {"d": 1.0}}], qrels, trials=200)
    >>> [(row.run, row.mean, row.group, row.verdict) for row in result.rows]
    [('run 2', 1.0, 1, None), ('run 1', 0.5, 1, 'inconclusive')]
    """
    asked = parse_measure(measure) if isinstance(measure, str) else measure
    data = read_board_data(
        runs,
        as_labels(qrels, list(runs), measures=[asked], reading=reading),
        options=CompareOptions(measure=asked, seed=seed),
        policy=policy,
        reading=reading,
        progress=progress,
    )
    engine = None if reading is None else reading.engine
    return board_of(data, trials=trials, seed=seed, options=options, engine=engine)


def board_from_file(
    path: str | os.PathLike[str],
    *,
    labels: str | None = None,
    query_set: str | None = None,
    trials: int = DEFAULT_TRIALS,
    seed: int = 0,
    options: BoardOptions | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> BoardResult:
    """The leaderboard that a `board.toml` describes, with its records over time.

    labels     the label set to score with; the first if None
    query_set  the queries to score on; `public` if the board has them, else all queries of the labels but those of
               `development`
    """
    inputs = board_inputs(path, labels=labels, query_set=query_set)
    data = read_board_inputs(inputs, reading=reading, progress=progress)
    engine = None if reading is None else reading.engine
    return board_of(data, trials=trials, seed=seed, options=options, engine=engine)


def board_of_scores(
    scores: Scores,
    *,
    measure: Measure | None = None,
    trials: int = DEFAULT_TRIALS,
    seed: int = 0,
    options: BoardOptions | None = None,
) -> BoardResult:
    """The leaderboard of a matrix of per-query scores: ranks and their stability; verdicts need ranked lists.

    >>> import numpy as np
    >>> matrix = Scores(measure="AP", query_ids=("1", "2"), runs=("a", "b"), values=np.array([[0.25, 0.5], [0.5, 1]]))
    >>> [(row.run, row.mean) for row in board_of_scores(matrix, trials=100).rows]
    [('b', 0.75), ('a', 0.375)]
    """
    return board_of(board_data_of_scores(scores, measure=measure), trials=trials, seed=seed, options=options)


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
    data = replace(data, question=replace(data.question, seed=seed))
    low = data.best_is_low
    spread = None if engine is None else engine.mapped
    ranks = stability(data.scores, trials=trials, seed=seed, best_is_low=low, spread=spread, progress=progress)
    decided = decisions_of(data, seed=seed)
    comparisons = _against_leader(data, ranks.order, decided, memory, explained=options.explained)
    verdicts = order_by_verdicts(data) if options.order == "verdict" else None
    costs = costs_of(data.runs, data.means, best_is_low=low)
    rows = board_rows(data, ranks, decided, comparisons=comparisons, verdict_order=verdicts, costs=costs)
    unjudged = None
    if options.unjudged and data.serps is not None:
        unjudged = unjudged_by_depth([data.serps_of(row.run) for row in rows])
    shows_power = options.resolution or (bool(data.question.also) and data.has_differences)
    return BoardResult(
        data=data,
        ranks=ranks,
        decided=decided,
        rows=rows,
        comparisons=comparisons,
        claims=claims_of(data, ranks) if options.claims else None,
        costs=costs,
        records=records_of(data, memory=memory, explained=options.explained),
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
    policy, question = data.policy, data.question
    decisions = rank_sets(data.scores, alpha=policy.alpha, seed=seed, best_is_low=data.best_is_low)
    if data.serps is None or len(data.serps) < 2:
        return BoardDecisions(decisions=decisions)
    measure = question.chosen_measure()
    depth, level = question.chosen_depth(measure), question.chosen_level(measure)
    return BoardDecisions(
        decisions=decisions, facets=all_pair_facets(data.serps, cutoff=depth, level=level, policy=policy)
    )


def _against_leader(
    data: BoardData, order: Sequence[int], decided: BoardDecisions, memory: PairMemory | None, *, explained: bool
) -> tuple[Comparison, ...]:
    """The comparisons of all other runs with the leader, best first; verdicts follow from those about all pairs."""
    if data.serps is None or len(order) < 2:
        return ()
    first, *others = order
    pairs = [(data.serps[first], data.serps[other]) for other in others]
    return quick_comparisons(
        pairs,
        data.question,
        data.policy,
        memory=memory,
        scores=data.scores,
        scratch=data.scratch,
        board=decided,
        explained=explained,
    )
