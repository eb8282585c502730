"""A team: its people, what it submitted, and what the rule of each board leaves it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from runoff.errors import NotFoundError, UsageError
from runoff.server.cases.accounts.permissions import Actor, Thing, may
from runoff.server.cases.boards.memberships import invite_to_team, may_remove, remove_member, withdraw_link
from runoff.server.cases.reads import (
    StoredBoard,
    StoredRun,
    Team,
    clean_email,
    load_boards,
    load_entries,
    load_invitation_count,
    load_members,
    load_open_links,
    load_quota,
    load_runs,
    load_team_by_slug,
    load_verdicts,
)
from runoff.server.cases.views.stored_board import load_open_means, sees_scores, sees_verdict
from runoff.server.site import Site
from runoff.server.web.forms import SIGNED, Field, FieldGroup, Form, SignedForm, filled
from runoff.server.web.frame.boards import quota_view
from runoff.server.web.frame.context import Row
from runoff.server.web.frame.people import ShownLink, has_own_account, new_link
from runoff.server.web.frame.visit import HOME, show_page
from runoff.server.web.visitors import AnySite, AnyVisitor, Number, SignedIn, Visitor

if TYPE_CHECKING:
    from sqlalchemy import Connection

router = APIRouter(include_in_schema=False)
EMAIL: Final = Field(
    name="email",
    label="Email of somebody to invite",
    kind="email",
    required=True,
    hint="With the link, somebody without an account creates one.",
)
INVITATION: Final = (FieldGroup(title="Invitation", fields=(EMAIL,)),)


@router.get("/teams/{slug}", response_class=HTMLResponse)
def show_team(site: AnySite, visitor: AnyVisitor, slug: str, done: str = "") -> HTMLResponse:
    """The page of a team, for its people and for organisers."""
    return _page(site, visitor, slug, done=done)


@router.post("/teams/{slug}/invitations")
def make_invitation(site: AnySite, visitor: SignedIn, slug: str, form: SignedForm) -> Response:
    """Make a one-time link into the team, and show it once."""
    team = _team(site, visitor, slug)
    email = form.made("email", clean_email)
    if email is None:
        return _page(site, visitor, slug, sent=form)
    token = invite_to_team(
        site.database,
        team,
        email=email,
        hours=site.settings.link_hours,
        actor=visitor.actor,
        now=site.now(),
        most=site.settings.team_invitations,
        mailed=bool(site.settings.mail),
    )
    return _page(site, visitor, slug, link=new_link(site, token, email))


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
        return _page(site, visitor, slug, problem=str(error))
    if number == visitor.actor.id:
        return RedirectResponse("/account?done=left", status_code=303)
    return RedirectResponse(f"/teams/{team.slug}?done=removed", status_code=303)


def _team(site: Site, visitor: Visitor, slug: str) -> Team:
    with site.database.read() as connection:
        return _find(connection, slug, visitor)


def _page(
    site: Site,
    visitor: Visitor,
    slug: str,
    *,
    sent: Form | None = None,
    link: ShownLink | None = None,
    problem: str = "",
    done: str = "",
) -> HTMLResponse:
    now = site.now()
    with site.database.read() as connection:
        team = _find(connection, slug, visitor)
        members = [person for person in load_members(connection, team.id) if has_own_account(person)]
        invited = load_invitation_count(connection, team.id, now)
        invitations = load_open_links(connection, now, team_id=team.id)
        boards = [_board(connection, board, team.id, visitor.actor, now) for board in load_boards(connection)]
    return show_page(
        "team/team.html",
        site,
        visitor,
        path=f"/teams/{team.slug}",
        crumbs=[HOME],
        done=done,
        status=422 if problem or sent else 200,
        team=team,
        members=members,
        own_id=visitor.actor.id,
        removable={person.id for person in members if may_remove(members, person.id, visitor.actor)},
        invited=invited,
        most_invited=site.settings.team_invitations,
        invitations=invitations,
        link=link,
        groups=filled(INVITATION, sent),
        problem=problem,
        boards=boards,
    )


def _find(connection: Connection, slug: str, visitor: Visitor) -> Team:
    """The team, in the same words whether there is none or it is not for this visitor."""
    try:
        team = load_team_by_slug(connection, slug)
    except NotFoundError:
        team = None
    if team is None or not may(visitor.actor, "manage team", Thing(team=team.id)):
        raise NotFoundError(f"there is no team {slug[:60]!r} that you may see")
    return team


def _board(connection: Connection, board: StoredBoard, team_id: int, viewer: Actor, now: datetime) -> Row:
    """The runs of a team on a board, the newest first; scores and verdicts are left out where they are not shown."""
    means = load_open_means(connection, board, viewer=viewer)
    verdicts = {verdict.run_id: verdict for verdict in load_verdicts(connection, board.id)}
    lines = []
    for run in reversed(load_runs(connection, board.id, team_id=team_id)):
        verdict, mean = (verdicts.get(run.id), means.get(run.id)) if sees_scores(viewer, run) else (None, None)
        is_seen = verdict is not None and sees_verdict(viewer, board, verdict.computation_version)
        lines.append(Row(run=run, mean=mean, verdict=verdict if is_seen else None, counts=_counts(run, board, now)))
    return Row(
        board=board,
        is_open=board.is_open(now),
        quota=quota_view(load_quota(connection, board, team_id, now), board, now),
        entry=load_entries(connection, board.id).get(team_id),
        lines=lines,
    )


def _counts(run: StoredRun, board: StoredBoard, now: datetime) -> str:
    if not run.counts:
        return "no, it was rejected" if run.state == "rejected" else "no"
    day = run.submitted_at.replace(hour=0, minute=0, second=0, microsecond=0)
    until = day + timedelta(days=board.window_days)
    return f"until {until:%Y-%m-%d}" if until > now else "no longer"
