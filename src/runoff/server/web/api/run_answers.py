"""A run as the API shows it to a viewer."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from runoff.display.rounding import rounded_data, rounded_text
from runoff.server.cases.accounts.permissions import Actor, Thing, may
from runoff.server.cases.reads import (
    StoredBoard,
    StoredRun,
    load_label_sets,
    load_query_sets,
    load_run,
    load_scores,
    load_team,
    load_verdicts,
)
from runoff.server.cases.views.stored_board import (
    computation_version_for,
    sees_run,
    sees_scores,
    sees_team,
    sees_verdict,
    shown_labels,
)
from runoff.server.web.api.shapes import RunAnswer, ScoreAnswer, VerdictAnswer

if TYPE_CHECKING:
    from sqlalchemy import Connection


def run_answer(connection: Connection, board: StoredBoard, run: StoredRun, viewer: Actor, now: datetime) -> RunAnswer:
    """Everything that a viewer, who may see the run, may know of it."""
    is_own = may(viewer, "download run", Thing(team=run.team_id))
    return RunAnswer(
        id=run.id,
        board=board.slug,
        name=run.name,
        team=load_team(connection, run.team_id).name if sees_team(viewer, board, run, now) else None,
        description=run.description,
        status=run.state,
        submitted_at=run.submitted_at,
        scored_at=run.scored_at,
        problems=list(run.problems),
        scores=_scores(connection, board, run, viewer, now) if sees_scores(viewer, run) else [],
        verdict=_verdict(connection, board, run, viewer, now) if sees_scores(viewer, run) else None,
        held=run.held,
        sha256=run.content_hash if is_own else None,
    )


def _scores(
    connection: Connection, board: StoredBoard, run: StoredRun, viewer: Actor, now: datetime
) -> list[ScoreAnswer]:
    labels = {one.id: one for one in shown_labels(load_label_sets(connection, board.id)).values()}
    queries = {one.id: one for one in load_query_sets(connection, board.id)}
    shows_private = may(viewer, "see private results", Thing(published=board.shows_private(now)))
    found = []
    for score in load_scores(connection, board.id, run_id=run.id):
        label, query = labels.get(score.label_set_id), queries[score.query_set_id]
        if label is None:
            continue  # a version that is not used yet
        is_private = label.sealed or query.sealed
        is_for_viewer = score.computation_version == computation_version_for(viewer, board, label)
        if not is_for_viewer or (is_private and not shows_private):
            continue
        found.append(
            ScoreAnswer(
                labels=label.name,
                queries=query.name,
                measure=score.measure,
                mean=round(score.mean, board.digits),
                query_count=score.queries,
                # How many private queries a run lacks tells which are private.
                missing_queries=0 if is_private else score.missing_queries,
                private=is_private,
            )
        )
    return found


def _verdict(
    connection: Connection, board: StoredBoard, run: StoredRun, viewer: Actor, now: datetime
) -> VerdictAnswer | None:
    one = next(iter(load_verdicts(connection, board.id, run_id=run.id)), None)
    if one is None or not sees_verdict(viewer, board, one.computation_version):
        return None
    champion = one.champion_id
    if champion is not None and not sees_run(viewer, load_run(connection, champion), now):
        return None
    return VerdictAnswer(
        champion=champion,
        overall=one.overall,
        how=list(one.how),
        strict=one.strict,
        do_no_harm=one.do_no_harm,
        sentence=rounded_text(one.sentence, board.digits),
        details=rounded_data(one.policy, board.digits),
        decided_at=one.decided_at,
    )
