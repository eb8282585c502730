"""A team: its people, what it submitted, and what the rule of each board leaves it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from runoff.errors import NotFoundError, UsageError
from runoff.server.cases.accounts.permissions import Actor, Thing, may
from runoff.server.cases.boards.memberships import invite_to_team, remove_member, withdraw_link
from runoff.server.cases.reads import (
    StoredBoard,
    StoredRun,
    Team,
    clean_email,
    load_boards,
    load_entries,
    load_members,
    load_open_links,
    load_quota,
    load_runs,
    load_team_by_slug,
    load_verdicts,
)
from runoff.server.cases.views.stored_board import load_open_means, sees_scores, sees_verdict
from runoff.server.site import Site
from runoff.server.web.forms import SIGNED, Field, Form, SignedForm
from runoff.server.web.frame.context import Crumb, Row
from runoff.server.web.frame.flash import done_words
from runoff.server.web.frame.numbers import number
from runoff.server.web.frame.quotas import quota_view
from runoff.server.web.frame.render import render_page
from runoff.server.web.frame.visit import frame_of
from runoff.server.web.visitors import AnySite, AnyVisitor, Number, SignedIn, Visitor

if TYPE_CHECKING:
    from sqlalchemy import Connection

router = APIRouter(include_in_schema=False)


@router.get("/teams/{slug}", response_class=HTMLResponse)
def show_team(site: AnySite, visitor: AnyVisitor, slug: str, done: str = "") -> HTMLResponse:
    """The page of a team, for its people and for organisers."""
    return _page(site, visitor, _team(site, visitor, slug), done=done)


@router.post("/teams/{slug}/invitations")
def make_invitation(site: AnySite, visitor: SignedIn, slug: str, form: SignedForm) -> Response:
    """Make a one-time link into the team, and show it once."""
    team = _team(site, visitor, slug)
    email = form.made("email", clean_email)
    if email is None:
        return _page(site, visitor, team, sent=form)
    token = invite_to_team(
        site.database,
        team,
        email=email,
        hours=site.settings.link_hours,
        actor=visitor.actor,
        now=site.now(),
        mailed=bool(site.settings.mail),
    )
    return _page(site, visitor, team, link=f"{site.settings.base_url}/links/{token}", link_for=email)


@router.post("/teams/{slug}/invitations/{number}/withdraw", dependencies=[SIGNED])
def end_invitation(site: AnySite, visitor: SignedIn, slug: str, number: Number) -> Response:
    """Withdraw an invitation into the team."""
    team = _team(site, visitor, slug)
    withdraw_link(site.database, number, actor=visitor.actor, now=site.now())
    return RedirectResponse(f"/teams/{team.slug}?done=withdrawn", status_code=303)


@router.post("/teams/{slug}/members/{number}/remove", dependencies=[SIGNED])
def end_membership(site: AnySite, visitor: SignedIn, slug: str, number: Number) -> Response:
    """Take somebody out of the team, or leave it."""
    team = _team(site, visitor, slug)
    try:
        remove_member(site.database, team, number, actor=visitor.actor, now=site.now())
    except UsageError as error:
        return _page(site, visitor, team, problem=str(error))
    if number == visitor.actor.id:
        return RedirectResponse("/account?done=left", status_code=303)
    return RedirectResponse(f"/teams/{team.slug}?done=removed", status_code=303)


def _team(site: Site, visitor: Visitor, slug: str) -> Team:
    with site.database.read() as connection:
        return _found(connection, slug, visitor)


def _page(
    site: Site,
    visitor: Visitor,
    team: Team,
    *,
    sent: Form | None = None,
    link: str = "",
    link_for: str = "",
    problem: str = "",
    done: str = "",
) -> HTMLResponse:
    now = site.now()
    with site.database.read() as connection:
        members = load_members(connection, team.id)
        links = load_open_links(connection, now, team_id=team.id)
        boards = tuple(_board(connection, board, team.id, visitor.actor, now) for board in load_boards(connection))
    address = f"/teams/{team.slug}"
    hint = "Whoever has no account makes one with the link."
    email = Field(name="email", label="Invite somebody (address)", kind="email", required=True, hint=hint)
    if sent is not None:
        email = replace(email, value=sent.text("email"), problem=sent.problems.get("email", ""))
    page = Row(
        frame=frame_of(site, visitor, path=address, crumbs=[Crumb(text="Boards", href="/")], notices=done_words(done)),
        name=team.name,
        address=address,
        members=tuple(person.display_name for person in members),
        people=tuple(
            Row(number=person.id, name=person.display_name, is_self=person.id == visitor.actor.id) for person in members
        ),
        invitations=tuple(Row(number=one.id, email=one.email, until=f"{one.expires_at:%Y-%m-%d}") for one in links),
        link=link,
        link_for=link_for,
        mailed=bool(site.settings.mail),
        email=email,
        problem=problem,
        boards=boards,
    )
    return HTMLResponse(render_page("team/team.html", page), status_code=422 if problem or sent else 200)


def _found(connection: Connection, slug: str, visitor: Visitor) -> Team:
    """The team, in the same words whether there is none or it is not for this visitor."""
    try:
        team = load_team_by_slug(connection, slug)
    except NotFoundError:
        team = None
    if team is None or not may(visitor.actor, "manage team", Thing(team=team.id)):
        raise NotFoundError(f"there is no team {slug[:60]!r} that you may see")
    return team


def _board(connection: Connection, board: StoredBoard, team_id: int, viewer: Actor, now: datetime) -> Row:
    runs = load_runs(connection, board.id, team_id=team_id)
    means = load_open_means(connection, board, viewer=viewer)
    decided = load_verdicts(connection, board.id)
    chosen = load_entries(connection, board.id).get(team_id)
    verdicts = {one.run_id: one for one in decided if sees_verdict(viewer, board, one.computation_version)}
    lines = []
    for run in reversed(runs):
        verdict = verdicts.get(run.id) if sees_scores(viewer, run) else None
        lines.append(
            Row(
                name=run.name,
                href=f"/boards/{board.slug}/runs/{run.id}",
                date=f"{run.submitted_at:%Y-%m-%d %H:%M}",
                state=run.state,
                mean=number(means[run.id], board.digits) if run.id in means and sees_scores(viewer, run) else "–",
                counts=_counts(run, board, now),
                verdict="" if verdict is None else verdict.spoken,
                is_chosen=run.id == chosen,
                held=run.held,
            )
        )
    return Row(
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
