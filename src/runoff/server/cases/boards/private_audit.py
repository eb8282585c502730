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
from runoff.server.cases.runs.suspicious import suspicious_grid, suspicious_runs, suspicious_words
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
    if result is None:
        return None
    audit = public_audit(result, digits=board.digits)
    suspicious = suspicious_runs(connection, board, load_visible_runs(connection, board, viewer=actor, now=now))
    if not suspicious:
        return audit
    findings = (*audit.findings, suspicious_words(suspicious))
    return replace(audit, findings=findings, tables=(suspicious_grid(suspicious), *audit.tables))


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
    scored_on = [(PUBLIC, public, queries, under(board, labels))]
    for sealed_labels, sealed_queries in _sealed_pairs(connection, board):
        private = _tables(connection, board, runs, sealed_labels, sealed_queries)
        if public.keys() & private.keys():
            scored_on.append((PRIVATE, private, sealed_queries, under(board, sealed_labels)))
            break
    development = newest(load_query_sets(connection, board.id)).get(DEVELOPMENT)
    if development is not None:
        tables = _tables(connection, board, runs, labels, development)
        if set.intersection(*(set(tables_of_set) for _, tables_of_set, *_ in scored_on), set(tables)):
            scored_on.append((DEVELOPMENT, tables, development, under(board, labels)))
    scored = [run for run in runs if all(run.run.id in tables for _, tables, *_ in scored_on)]
    return tuple(
        _condition(whole, scored, tables, name, labels.name, asked.queries) for name, tables, asked, whole in scored_on
    )


def _public_fits(connection: Connection, board: StoredBoard, runs: Sequence[VisibleRun]) -> dict[str, LabelFits]:
    """What runs lack of the public queries."""
    try:
        labels, queries = open_sets(connection, board)
    except (NotFoundError, UsageError):
        return {}
    names = {visible.run.id: visible.name for visible in runs}
    condition = condition_of(board, labels, queries, whole=True)
    scores = [score for score in load_scores(connection, board.id, condition=condition) if score.run_id in names]
    fits = tuple(Fit(run=names[score.run_id], missing_queries=score.missing_queries) for score in scores)
    return {labels.name: LabelFits(fits=fits, queries=scores[0].queries)} if scores else {}


def _sealed_pairs(connection: Connection, board: StoredBoard) -> list[tuple[LabelSet, QuerySet]]:
    labels = in_use(load_label_sets(connection, board.id)).values()
    queries = newest(load_query_sets(connection, board.id)).values()
    return [
        (label_set, query_set)
        for query_set in queries
        for label_set in labels
        if (label_set.sealed or query_set.sealed) and query_set.name != DEVELOPMENT
    ]


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
    values = np.column_stack([tables[run.run.id]["value"] for run in runs])
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
            runs=tuple(run.name for run in runs),
            values=values,
        ),
    )
