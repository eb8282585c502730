"""The API of runs: submit one, and follow it until it is scored."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Final

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import JSONResponse
from starlette.concurrency import run_in_threadpool

from runoff.display.rounding import rounded_data
from runoff.errors import NotAllowedError, NotFoundError
from runoff.server.cases.accounts.permissions import Actor, Thing, may
from runoff.server.cases.reads import StoredBoard, StoredRun, StoredVerdict, load_board, load_run, load_team
from runoff.server.cases.runs.entries import RunWords, load_run_words, shown_metadata
from runoff.server.cases.runs.submit import Submission
from runoff.server.cases.views.stored_board import load_shown_scores, sees_run, sees_team
from runoff.server.site import Site
from runoff.server.web.api.boards import Slug, find_board, quota_answer
from runoff.server.web.api.shapes import (
    FAULTS,
    SUBMIT_FAULTS,
    AcceptedAnswer,
    CheckAnswer,
    RunAnswer,
    ScoreAnswer,
    VerdictAnswer,
)
from runoff.server.web.uploads import Upload, check_upload, read_upload, submission_of, take_upload
from runoff.server.web.visitors import AnySite, AnyVisitor, Number, SignedIn, Visitor

if TYPE_CHECKING:
    from sqlalchemy import Connection

router = APIRouter(tags=["runs"])
FORM: Final[dict[str, Any]] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {
                        "file": {"type": "string", "format": "binary", "description": "The run, in any form."},
                        "metadata": {"type": "string", "description": "JSON: name, team, description, variant_of, ..."},
                    },
                }
            }
        },
    }
}


@router.post(
    "/boards/{slug}/runs",
    status_code=202,
    responses={**SUBMIT_FAULTS, 200: {"model": CheckAnswer, "description": "What a dry run found."}},
    response_model=AcceptedAnswer,
    openapi_extra=FORM,
)
async def send_run(
    request: Request,
    slug: Slug,
    site: AnySite,
    visitor: SignedIn,
    dry_run: Annotated[bool, Query(description="Only check; nothing is kept and no submission is used.")] = False,  # noqa: FBT002
    idempotency_key: Annotated[str | None, Header(description="Drawn by you: sent twice, it is one run.")] = None,
) -> Response:
    """Send a run. It is read through at once; acknowledged when it is on the disk; and scored soon after."""
    if visitor.actor.scopes is None:
        # A cookie is sent by browsers whoever asked for it; a token is not.
        raise NotAllowedError("the API takes runs with an API token; make one on your account page")
    board = await run_in_threadpool(find_board, site, visitor, slug)
    async with read_upload(request, limit=board.upload_limit) as upload:
        submission = submission_of(upload, key=idempotency_key)
        if dry_run:
            checked = await run_in_threadpool(_check, site, visitor, board, upload, submission)
            return JSONResponse(checked.model_dump(mode="json"))
        run = await run_in_threadpool(take_upload, site, visitor.actor, board, upload, submission)
    address = f"{site.settings.base_url}/api/v1/runs/{run.id}"
    body = AcceptedAnswer(id=run.id, name=run.name, status=run.state, status_url=address)
    return JSONResponse(body.model_dump(mode="json"), status_code=202, headers={"Location": address})


@router.get("/runs/{run_id}", responses=FAULTS)
def show_run(run_id: Number, site: AnySite, visitor: AnyVisitor) -> RunAnswer:
    """A run: how far it is, its problems, scores and verdict."""
    with site.database.read() as connection:
        run = load_run(connection, run_id)
        if not sees_run(visitor.actor, run, site.now()):
            # The same words as where there is no such run.
            raise NotFoundError(f"there is no run {run_id}")
        return _run_answer(connection, load_board(connection, run.board_id), run, visitor.actor, site.now())


def _check(site: Site, visitor: Visitor, board: StoredBoard, upload: Upload, submission: Submission) -> CheckAnswer:
    found = check_upload(site, visitor.actor, board, upload, submission)
    return CheckAnswer(
        dry_run=True,
        is_fine=found.is_fine,
        problems=list(found.problems),
        queries=found.queries,
        missing_queries=found.missing_queries,
        quota=quota_answer(board, found.team, found.quota),
    )


def _run_answer(connection: Connection, board: StoredBoard, run: StoredRun, viewer: Actor, now: datetime) -> RunAnswer:
    """Everything that a viewer, who may see the run, may know of it."""
    words = load_run_words(connection, board, run, viewer=viewer, now=now)
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
        scores=[
            ScoreAnswer(
                labels=shown.labels.name,
                queries=shown.queries.name,
                measure=shown.score.measure,
                mean=round(shown.score.mean, board.digits),
                query_count=shown.score.queries,
                missing_queries=shown.missing_queries,
                private=shown.is_private,
            )
            for shown in load_shown_scores(connection, board, run, viewer=viewer, now=now)
        ],
        verdict=None if words.verdict is None else _verdict_answer(board, words.verdict, words),
        held=run.held,
        sha256=run.content_hash if may(viewer, "download run", Thing(team=run.team_id)) else None,
        metadata=shown_metadata(viewer, board, run, now),
    )


def _verdict_answer(board: StoredBoard, verdict: StoredVerdict, words: RunWords) -> VerdictAnswer:
    """The verdict; of hidden labels only what its page says."""
    protected = words.is_protected
    return VerdictAnswer(
        champion=verdict.champion_id,
        overall=verdict.overall,
        how=list(verdict.how),
        strict=None if protected else verdict.strict,
        do_no_harm=None if protected else verdict.do_no_harm,
        sentence=words.sentence,
        details={} if protected else rounded_data(verdict.policy, board.digits),
        decided_at=verdict.decided_at,
    )
