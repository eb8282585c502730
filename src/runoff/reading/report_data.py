"""A board that was read for a report: the question of its comparisons, the ranks to read, its scores and SERPs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from runoff.comparisons.options import CompareOptions, board_level
from runoff.measures import ExternalMeasure, Measure
from runoff.reading.conditions import BoardLabels
from runoff.reading.report_inputs import ReadRun
from runoff.reading.scored_runs import DEEPEST_CUT
from runoff.reading.sources import one_tie_rule
from runoff.results.board_data import BoardData
from runoff.tables.board import DEVELOPMENT, PRIVATE, PUBLIC, Board, BoardRun
from runoff.tables.scores import Scores
from runoff.verdicts import Policy


def asked_of(board: Board, labels: BoardLabels, measure: Measure, seed: int) -> CompareOptions:
    """What the comparisons of a board ask: its measure, depth and gains, and the relevance level of its labels."""
    level = board_level(labels.level, measure)
    return CompareOptions(measure=measure, depth=board.depth, level=level, gains=board.gains, seed=seed)


def needed_ranks(measures: Sequence[Measure], compared: CompareOptions, *depths: int | None) -> int | None:
    """The ranks that measures, comparisons and further `depths` need together; None for whole lists."""
    ours = [measure for measure in measures if not isinstance(measure, ExternalMeasure)]
    needed = [*depths, *(measure.depth for measure in ours)]
    needed += [compared.needed_depth(measures[0])] if measures[0] in ours else []
    deepest = max((one for one in needed if one is not None), default=None)
    return None if None in needed or deepest is None or deepest > DEEPEST_CUT else deepest


def private_scores(
    labels: BoardLabels, read: Sequence[ReadRun], runs: Sequence[BoardRun], measure: Measure | ExternalMeasure
) -> tuple[str, Scores] | None:
    """The runs on the private queries, for a board that is scored on the public ones; None where it has not both."""
    if not {PUBLIC, PRIVATE} <= labels.queries.keys():
        return None
    kept = labels.kept(PRIVATE)
    values = np.column_stack([run.scored[labels.name].values[0] for run in read])[kept]
    if np.isnan(values).any():
        return None
    queries = tuple(query for query, keep in zip(labels.qrels.query_ids, kept.tolist(), strict=True) if keep)
    names = tuple(run.name for run in runs)
    return PRIVATE, Scores(measure=str(measure), query_ids=queries, runs=names, values=values)


def board_data(
    board: Board,
    runs: Sequence[BoardRun],
    labels: BoardLabels,
    read: Sequence[ReadRun],
    measure: Measure,
    asked: CompareOptions,
) -> BoardData:
    """The board under its first labels, on the queries that it ranks by; the same as `read_board_file` gives."""
    kept = _ranked(labels)
    scored = [run.scored[labels.name] for run in read]
    values = np.column_stack([one.values[0] for one in scored])[kept]
    is_ours = not isinstance(measure, ExternalMeasure)
    queries = tuple(query for query, keep in zip(labels.qrels.query_ids, kept.tolist(), strict=True) if keep)
    names = tuple(run.name for run in runs)
    return BoardData(
        title=board.title,
        runs=tuple(runs),
        scores=Scores(measure=str(measure), query_ids=queries, runs=names, values=values),
        measure=measure,
        question=asked,
        policy=Policy.of(board),
        serps=tuple(one.serps.only(kept) for one in scored if one.serps is not None) if is_ours else None,
        tie_rule=one_tie_rule(one.tie_rule for one in scored),
    )


def _ranked(labels: BoardLabels) -> NDArray[np.bool_]:
    """Which queries a board ranks by: the public ones, or else all but the development queries."""
    if PUBLIC in labels.queries:
        return labels.kept(PUBLIC)
    every = np.ones(len(labels.qrels.query_ids), dtype=np.bool_)
    others = every & ~labels.kept(DEVELOPMENT) if DEVELOPMENT in labels.queries else every
    return others if others.any() else every
