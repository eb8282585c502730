"""The audit of a stored board for its organisers, with the overfitting monitor on private labels.

Beside `score_submission`, the only module that reads the sealed store. What leaves it is intervals, ranks and means:
per query nothing, and no name of a query.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from runoff.errors import NotFoundError, UsageError
from runoff.measures import parse_measure
from runoff.results.audit import AuditResult
from runoff.results.audit_parts import Condition, LabelFits, ScoredConditions
from runoff.results.fit import Fit
from runoff.server.cases.accounts.permissions import Actor, require
from runoff.server.cases.runs.jobs import load_found_duplicates
from runoff.server.cases.views.public import PublicAudit, public_audit
from runoff.server.cases.views.serp_arrays import measure_of, under
from runoff.server.cases.views.stored_board import (
    VisibleRun,
    condition_of,
    in_use,
    load_visible_runs,
    newest,
    open_sets,
)
from runoff.server.store.boards import StoredBoard
from runoff.server.store.label_sets import LabelSet, QuerySet, load_label_sets, load_query_sets
from runoff.server.store.scores import load_analysis, load_scores
from runoff.server.store.sealed import load_sealed_analysis
from runoff.tables.board import DEVELOPMENT, PRIVATE, PUBLIC, Board, BoardRun
from runoff.tables.scores import Scores
from runoff.verbs.audit import AuditOptions, audit_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

TRIALS: Final = 1000


def audit_stored_board(
    connection: Connection, board: StoredBoard, *, actor: Actor, now: datetime, trials: int = TRIALS
) -> PublicAudit | None:
    """What `runoff audit` would say of a board of the server, from stored arrays; None while nothing is scored.

    The order of the runs is looked at on the public and on the private queries; near-duplicates are those that the last
    job found.
    """
    require(actor, "manage board")
    result = _audit(connection, board, actor, now, trials)
    return None if result is None else public_audit(result, digits=board.digits)


def _audit(connection: Connection, board: StoredBoard, actor: Actor, now: datetime, trials: int) -> AuditResult | None:
    runs = load_visible_runs(connection, board, viewer=actor, now=now)
    if not runs:
        return None
    names = {visible.run.id: visible.name for visible in runs}
    described = Board(
        title=board.title,
        measure=board.measure,
        relevance_level=board.relevance_level,
        runs=tuple(
            BoardRun(
                name=visible.name,
                team=visible.team,
                date=visible.run.submitted_at.date(),
                baseline=visible.run.baseline,
                variant_of=names.get(visible.run.variant_of or 0),
            )
            for visible in runs
        ),
    )
    conditions = _conditions(connection, board, runs)
    scored = tuple(run for run in described.runs if conditions and run.name in conditions[0].scores.runs)
    fits = _public_fits(connection, board, runs)
    options = AuditOptions(rule=board.rule, trials=trials)
    result = audit_of(described, ScoredConditions(conditions=conditions, runs=scored, fits=fits), (), options=options)
    duplicates = load_found_duplicates(connection, board, names)
    return replace(result, near_duplicates=None if duplicates is None else duplicates.result)


def _conditions(connection: Connection, board: StoredBoard, runs: Sequence[VisibleRun]) -> tuple[Condition, ...]:
    """The public scores, the first private ones and those on development queries, of the runs that have them all.

    Public alone where none is private or for development.
    """
    try:
        labels, queries = open_sets(connection, board)
    except (NotFoundError, UsageError):
        return ()
    public = _tables(connection, board, runs, labels, queries)
    if not public:
        return ()
    found = [(PUBLIC, public, queries, under(board, labels))]
    for sealed_labels, sealed_queries in _sealed_pairs(connection, board):
        private = _tables(connection, board, runs, sealed_labels, sealed_queries)
        if public.keys() & private.keys():
            found.append((PRIVATE, private, sealed_queries, under(board, sealed_labels)))
            break
    development = newest(load_query_sets(connection, board.id)).get(DEVELOPMENT)
    if development is not None:
        tables = _tables(connection, board, runs, labels, development)
        if set.intersection(*(set(one) for _, one, *_ in found), set(tables)):
            found.append((DEVELOPMENT, tables, development, under(board, labels)))
    scored = [one for one in runs if all(one.run.id in tables for _, tables, *_ in found)]
    return tuple(
        _condition(whole, scored, tables, name, labels.name, asked.queries) for name, tables, asked, whole in found
    )


def _public_fits(connection: Connection, board: StoredBoard, runs: Sequence[VisibleRun]) -> dict[str, LabelFits]:
    """What runs lack of the public queries."""
    try:
        labels, queries = open_sets(connection, board)
    except (NotFoundError, UsageError):
        return {}
    names = {visible.run.id: visible.name for visible in runs}
    condition = condition_of(board, labels, queries, whole=True)
    scores = [one for one in load_scores(connection, board.id, condition=condition) if one.run_id in names]
    fits = tuple(Fit(run=names[one.run_id], missing_queries=one.missing_queries) for one in scores)
    return {labels.name: LabelFits(fits=fits, queries=scores[0].queries)} if scores else {}


def _sealed_pairs(connection: Connection, board: StoredBoard) -> list[tuple[LabelSet, QuerySet]]:
    labels = in_use(load_label_sets(connection, board.id)).values()
    queries = newest(load_query_sets(connection, board.id)).values()
    return [(one, two) for two in queries for one in labels if (one.sealed or two.sealed) and two.name != DEVELOPMENT]


def _tables(
    connection: Connection, board: StoredBoard, runs: Sequence[VisibleRun], labels: LabelSet, queries: QuerySet
) -> dict[int, NDArray[np.void]]:
    load = load_sealed_analysis if labels.sealed or queries.sealed else load_analysis
    condition = condition_of(board, labels, queries, whole=True)
    tables: dict[int, Any] = {visible.run.id: load(connection, condition, visible.run.id) for visible in runs}
    return {run_id: table for run_id, table in tables.items() if table is not None}


def _condition(
    board: StoredBoard,
    runs: Sequence[VisibleRun],
    tables: dict[int, NDArray[np.void]],
    query_set: str,
    labels: str,
    set_queries: int,
) -> Condition:
    values = np.column_stack([tables[one.run.id]["value"] for one in runs])
    measure = measure_of(board)
    return Condition(
        name=query_set,
        query_set=query_set,
        labels=labels,
        measure=str(measure),
        asked=str(parse_measure(board.measure)),
        level=board.relevance_level,
        best_is_low=measure.best == "low",
        set_queries=set_queries,
        scores=Scores(
            measure=str(measure),
            query_ids=tuple(f"{query_set} {row}" for row in range(len(values))),
            runs=tuple(one.name for one in runs),
            values=values,
        ),
    )
