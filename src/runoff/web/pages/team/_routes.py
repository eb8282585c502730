"""The address of a team's page."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from runoff.errors import NotFoundError
from runoff.store.boards import StoredBoard, load_boards
from runoff.store.quotas import load_quota
from runoff.store.scores import load_verdicts
from runoff.store.submissions import StoredRun, load_runs
from runoff.store.teams import load_members, load_team_by_slug
from runoff.web.frame.context import Crumb
from runoff.web.frame.numbers import number
from runoff.web.frame.quotas import quota_view
from runoff.web.frame.render import render_page
from runoff.web.frame.visit import frame_of
from runoff.web.pages.team._context import SubmittedRun, TeamBoard, TeamPage
from runoff.web.visitors import AnySite, AnyVisitor
from runoff.workflows.permissions import Thing, may
from runoff.workflows.stored_board import load_open_means

if TYPE_CHECKING:
    from sqlalchemy import Connection

router = APIRouter(include_in_schema=False)


@router.get("/teams/{slug}", response_class=HTMLResponse)
def show_team(request: Request, site: AnySite, visitor: AnyVisitor, slug: str) -> HTMLResponse:
    """The page of a team, for its people and for organisers."""
    now = site.now()
    with site.database.read() as connection:
        team = load_team_by_slug(connection, slug)
        if not may(visitor.actor, "manage team", Thing(team=team.id)):
            raise NotFoundError(f"there is no team {slug[:60]!r} that you may see")
        members = load_members(connection, team.id)
        boards = tuple(_board(connection, board, team.id, now) for board in load_boards(connection))
    page = TeamPage(
        frame=frame_of(site, visitor, path=request.url.path, crumbs=[Crumb(text="Boards", href="/")]),
        name=team.name,
        members=tuple(person.display_name for person in members),
        boards=boards,
    )
    return HTMLResponse(render_page("team/team.html", page))


def _board(connection: Connection, board: StoredBoard, team_id: int, now: datetime) -> TeamBoard:
    runs = load_runs(connection, board.id, team_id=team_id)
    means = load_open_means(connection, board)
    verdicts = {one.run_id: one for one in load_verdicts(connection, board.id)}
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
