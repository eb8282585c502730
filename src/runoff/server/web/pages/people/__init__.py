"""People of the site, for organisers: invitations, roles, teams and API tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from runoff.errors import UsageError
from runoff.server.cases.accounts.permissions import require
from runoff.server.cases.boards.memberships import close_account, give_role, invite_person, revoke_token, withdraw_link
from runoff.server.cases.judging.enter import is_without_account
from runoff.server.cases.reads import (
    IMPORTER,
    ROLES,
    clean_email,
    load_api_tokens,
    load_open_links,
    load_people,
    load_teams,
)
from runoff.server.site import Site
from runoff.server.web.forms import SIGNED, Field, FieldGroup, Form, SignedForm, filled
from runoff.server.web.frame.context import Crumb, Row
from runoff.server.web.frame.flash import done_words
from runoff.server.web.frame.render import render_page
from runoff.server.web.frame.visit import frame_of
from runoff.server.web.visitors import AnySite, Number, SignedIn, Visitor

if TYPE_CHECKING:
    from runoff.server.cases.reads import Link

router = APIRouter(include_in_schema=False)
ADDRESS: Final = "/organise/people"


@router.get(ADDRESS, response_class=HTMLResponse)
def show_people(site: AnySite, visitor: SignedIn, done: str = "") -> HTMLResponse:
    """Everybody."""
    return _page(site, visitor, done=done)


@router.post(ADDRESS)
def make_invitation(site: AnySite, visitor: SignedIn, form: SignedForm) -> Response:
    """Make a one-time link, and show it once."""
    require(visitor.actor, "manage board")
    email = form.made("email", clean_email)
    role: Any = form.one_of("role", ROLES)
    if email is None or form.problems:
        return _page(site, visitor, sent=form)
    token = invite_person(
        site.database,
        email=email,
        role=role,
        hours=site.settings.link_hours,
        actor=visitor.actor,
        now=site.now(),
        mailed=bool(site.settings.mail),
    )
    return _page(site, visitor, link=f"{site.settings.base_url}/links/{token}", link_for=email)


@router.post(ADDRESS + "/{number}/role")
def change_role(site: AnySite, visitor: SignedIn, number: Number, form: SignedForm) -> Response:
    """Give somebody another role."""
    role: Any = form.one_of("role", ROLES)
    if form.problems:
        return _page(site, visitor, problem=f"{form.problems['role']}.")
    try:
        give_role(site.database, number, role, actor=visitor.actor, now=site.now())
    except UsageError as error:
        return _page(site, visitor, problem=f"{error}.")
    return RedirectResponse(f"{ADDRESS}?done=role", status_code=303)


@router.post(ADDRESS + "/{number}/close", dependencies=[SIGNED])
def end_account(site: AnySite, visitor: SignedIn, number: Number) -> Response:
    """Close an account."""
    try:
        close_account(site.database, number, actor=visitor.actor, now=site.now())
    except UsageError as error:
        return _page(site, visitor, problem=f"{error}.")
    return RedirectResponse(f"{ADDRESS}?done=closed", status_code=303)


@router.post("/organise/links/{number}/withdraw", dependencies=[SIGNED])
def end_link(site: AnySite, visitor: SignedIn, number: Number) -> Response:
    """Withdraw an invitation."""
    withdraw_link(site.database, number, actor=visitor.actor, now=site.now())
    return RedirectResponse(f"{ADDRESS}?done=withdrawn", status_code=303)


@router.post("/organise/tokens/{number}/revoke", dependencies=[SIGNED])
def end_token(site: AnySite, visitor: SignedIn, number: Number) -> Response:
    """Revoke an API token of anybody."""
    require(visitor.actor, "manage board")
    revoke_token(site.database, number, actor=visitor.actor, now=site.now())
    return RedirectResponse(f"{ADDRESS}?done=revoked", status_code=303)


def _page(
    site: Site,
    visitor: Visitor,
    *,
    sent: Form | None = None,
    link: str = "",
    link_for: str = "",
    problem: str = "",
    done: str = "",
) -> HTMLResponse:
    require(visitor.actor, "manage board")
    now = site.now()
    with site.database.read() as connection:
        people = [one for one in load_people(connection) if one.email != IMPORTER and not is_without_account(one)]
        teams = {team.id: team.name for team in load_teams(connection)}
        of_person = {person.id: load_teams(connection, person_id=person.id) for person in people}
        links = load_open_links(connection, now)
        tokens = load_api_tokens(connection)
    names = {person.id: person.display_name for person in people}
    groups = _invitation()
    page = Row(
        frame=frame_of(
            site, visitor, path=ADDRESS, crumbs=[Crumb(text="Boards", href="/")], notices=done_words(done)
        ),
        groups=groups if sent is None else filled(groups, sent.sent, sent.problems),
        link=link,
        link_for=link_for,
        mailed=bool(site.settings.mail),
        people=tuple(
            Row(
                number=person.id,
                name=person.display_name,
                email=person.email,
                role=person.role,
                teams=tuple(Crumb(text=team.name, href=f"/teams/{team.slug}") for team in of_person[person.id]),
                since=f"{person.created_at:%Y-%m-%d}",
                closed=person.disabled_at is not None,
            )
            for person in people
        ),
        roles=ROLES,
        invitations=tuple(
            Row(number=one.id, email=one.email, what=_what(one, teams),
                     until=f"{one.expires_at:%Y-%m-%d %H:%M}")
            for one in links
        ),
        tokens=tuple(
            Row(
                number=token.id,
                owner=names.get(token.person_id, "?"),
                name=token.name,
                scopes=", ".join(token.scopes),
                used=f"{token.last_used_at:%Y-%m-%d}" if token.last_used_at else "never",
            )
            for token in tokens
            if token.revoked_at is None and (token.expires_at is None or token.expires_at > now)
        ),
        problem=problem,
    )  # fmt: skip
    return HTMLResponse(render_page("people/people.html", page), status_code=422 if problem or sent else 200)


def _invitation() -> tuple[FieldGroup, ...]:
    email = Field(name="email", label="Address", kind="email", required=True,
                  hint="Whoever has an account gets a link to choose a new password.")  # fmt: skip
    role = Field(name="role", label="Role", kind="select", value="member", options=(
        ("member", "member: submits runs"),
        ("assessor", "assessor: judges documents"),
        ("organiser", "organiser: sees and changes everything"),
    ))  # fmt: skip
    return (FieldGroup(title="Invitation", fields=(email, role)),)


def _what(link: Link, teams: dict[int, str]) -> str:
    if link.kind == "team":
        return f"join {teams.get(link.team_id or 0, 'a team')}"
    return "choose a new password" if link.kind == "password" else f"make an account, {link.role}"
