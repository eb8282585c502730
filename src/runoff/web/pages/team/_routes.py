"""The address of a team's page."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from runoff.errors import NotFoundError
from runoff.store.boards import StoredBoard, load_boards
from runoff.store.label_sets import load_label_sets, load_query_sets
from runoff.store.quotas import load_quota
from runoff.store.scores import load_scores, load_verdicts
from runoff.store.submissions import StoredRun, load_runs
from runoff.store.teams import Team, load_members, load_team_by_slug
from runoff.web.frame.context import Crumb
from runoff.web.frame.numbers import number
from runoff.web.frame.quotas import quota_view
from runoff.web.frame.render import render_page
from runoff.web.frame.visit import frame_of
from runoff.web.pages.team._context import SubmittedRun, TeamBoard, TeamPage
from runoff.web.visitors import AnySite, AnyVisitor, Visitor
from runoff.workflows.permissions import Actor, Thing, may
from runoff.workflows.stored_board import kernel_for, sees_verdict

if TYPE_CHECKING:
    from sqlalchemy import Connection

router = APIRouter(include_in_schema=False)


@router.get("/teams/{slug}", response_class=HTMLResponse)
def show_team(request: Request, site: AnySite, visitor: AnyVisitor, slug: str) -> HTMLResponse:
    """The page of a team, for its people and for organisers."""
    now = site.now()
    with site.database.read() as connection:
        team = _found(connection, slug, visitor)
        members = load_members(connection, team.id)
        boards = tuple(_board(connection, board, team.id, visitor.actor, now) for board in load_boards(connection))
    page = TeamPage(
        frame=frame_of(site, visitor, path=request.url.path, crumbs=[Crumb(text="Boards", href="/")]),
        name=team.name,
        members=tuple(person.display_name for person in members),
        boards=boards,
    )
    return HTMLResponse(render_page("team/team.html", page))


def _found(connection: Connection, slug: str, visitor: Visitor) -> Team:
    """The team, in the same words whether there is none or it is not for this visitor."""
    try:
        team = load_team_by_slug(connection, slug)
    except NotFoundError:
        team = None
    if team is None or not may(visitor.actor, "manage team", Thing(team=team.id)):
        raise NotFoundError(f"there is no team {slug[:60]!r} that you may see")
    return team


def _board(connection: Connection, board: StoredBoard, team_id: int, viewer: Actor, now: datetime) -> TeamBoard:
    runs = load_runs(connection, board.id, team_id=team_id)
    sealed = {one.id for one in (*load_label_sets(connection, board.id),) if one.sealed}
    hidden = {one.id for one in (*load_query_sets(connection, board.id),) if one.sealed}
    means: dict[int, float] = {}
    kernel = kernel_for(viewer, board)
    for score in load_scores(connection, board.id):
        if score.label_set_id not in sealed and score.query_set_id not in hidden and score.kernel == kernel:
            means.setdefault(score.run_id, score.mean)
    decided = load_verdicts(connection, board.id)
    verdicts = {one.run_id: one for one in decided if sees_verdict(viewer, board, one.kernel)}
    lines = []
    for run in reversed(runs):
        verdict = verdicts.get(run.id)
        lines.append(
            SubmittedRun(
                name=run.name,
                href=f"/boards/{board.slug}/runs/{run.id}",
                date=f"{run.submitted_at:%Y-%m-%d %H:%M}",
                state=run.state,
                mean=number(means[run.id], board.digits) if run.id in means else "–",
                counts=_counts(run, board, now),
                verdict="" if verdict is None or verdict.champion_id is None else verdict.do_no_harm,
            )
        )
    return TeamBoard(
        key=f"board-{board.slug}",
        title=board.title,
        href=f"/boards/{board.slug}",
        measure=board.measure,
        is_open=board.is_open(now),
        quota=quota_view(load_quota(connection, board, team_id, now), board, now),
        runs=tuple(lines),
    )


def _counts(run: StoredRun, board: StoredBoard, now: datetime) -> str:
    if not run.counts:
        return "no, it was rejected" if run.state == "rejected" else "no"
    day = run.submitted_at.replace(hour=0, minute=0, second=0, microsecond=0)
    until = day + timedelta(days=board.window_days)
    return f"until {until:%Y-%m-%d}" if until > now else "no more"
