"""People of the site, for organisers: invitations, roles, teams and API tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from runoff.errors import UsageError
from runoff.server.cases.accounts.permissions import require
from runoff.server.cases.boards.memberships import (
    approve_team,
    close_account,
    delete_person,
    give_role,
    invite_person,
    refuse_team,
    revoke_token,
    withdraw_link,
)
from runoff.server.cases.reads import (
    ROLES,
    clean_email,
    is_deleted,
    load_api_tokens,
    load_open_links,
    load_people,
    load_teams,
)
from runoff.server.site import Site
from runoff.server.web.forms import SIGNED, Field, FieldGroup, Form, SignedForm, filled
from runoff.server.web.frame.people import ShownLink, has_own_account, new_link
from runoff.server.web.frame.visit import HOME, show_page
from runoff.server.web.visitors import AnySite, Number, SignedIn, Visitor

if TYPE_CHECKING:
    from runoff.server.cases.reads import Link

router = APIRouter(include_in_schema=False)
ADDRESS: Final = "/organise/people"
INVITATION: Final = (
    FieldGroup(
        title="Invitation",
        fields=(
            Field(
                name="email",
                label="Email",
                kind="email",
                required=True,
                hint="Somebody who has an account gets a link to choose a new password.",
            ),
            Field(
                name="role",
                label="Role",
                kind="select",
                value="member",
                options=(
                    ("member", "member: submits runs"),
                    ("assessor", "assessor: judges documents"),
                    ("organiser", "organiser: sees and changes everything"),
                ),
            ),
        ),
    ),
)


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
    return _page(site, visitor, link=new_link(site, token, email))


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


@router.post(ADDRESS + "/{number}/delete")
def delete_data(site: AnySite, visitor: SignedIn, number: Number, form: SignedForm) -> Response:
    """Delete a person's data for good."""
    if form.get("sure") != "yes":
        return _page(site, visitor, problem="Tick the box to confirm: deleted data cannot be brought back.")
    try:
        delete_person(site.database, number, actor=visitor.actor, now=site.now())
    except UsageError as error:
        return _page(site, visitor, problem=f"{error}.")
    return RedirectResponse(f"{ADDRESS}?done=deleted-person", status_code=303)


@router.post("/organise/links/{number}/withdraw", dependencies=[SIGNED])
def end_link(site: AnySite, visitor: SignedIn, number: Number) -> Response:
    """Withdraw an invitation."""
    withdraw_link(site.database, number, actor=visitor.actor, now=site.now())
    return RedirectResponse(f"{ADDRESS}?done=withdrawn", status_code=303)


@router.post("/organise/teams/{number}/approve", dependencies=[SIGNED])
def let_team_in(site: AnySite, visitor: SignedIn, number: Number) -> Response:
    """Approve a team that waits."""
    approve_team(site.database, number, actor=visitor.actor, now=site.now())
    return RedirectResponse(f"{ADDRESS}?done=approved", status_code=303)


@router.post("/organise/teams/{number}/refuse", dependencies=[SIGNED])
def turn_team_away(site: AnySite, visitor: SignedIn, number: Number) -> Response:
    """Remove a team that waits."""
    refuse_team(site.database, number, actor=visitor.actor, now=site.now())
    return RedirectResponse(f"{ADDRESS}?done=refused", status_code=303)


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
    link: ShownLink | None = None,
    problem: str = "",
    done: str = "",
) -> HTMLResponse:
    require(visitor.actor, "manage board")
    now = site.now()
    with site.database.read() as connection:
        people = [person for person in load_people(connection) if has_own_account(person)]
        teams = {person.id: load_teams(connection, person_id=person.id) for person in people}
        every_team = load_teams(connection)
        team_names = {team.id: team.name for team in every_team}
        links = load_open_links(connection, now)
        tokens = [token for token in load_api_tokens(connection) if token.revoked_at is None and token.expires_at > now]
    return show_page(
        "people/people.html",
        site,
        visitor,
        path=ADDRESS,
        crumbs=[HOME],
        done=done,
        status=422 if problem or sent else 200,
        groups=filled(INVITATION, sent),
        link=link,
        people=people,
        teams=teams,
        waiting=[
            (team, [person for person in people if team in teams[person.id]])
            for team in every_team
            if team.approved_at is None
        ],
        several=[(person, teams[person.id]) for person in people if len(teams[person.id]) > 1],
        roles=ROLES,
        is_deleted=is_deleted,
        invitations=[(open_link, _purpose(open_link, team_names)) for open_link in links],
        tokens=tokens,
        names={person.id: person.display_name for person in people},
        problem=problem,
    )


def _purpose(link: Link, teams: dict[int, str]) -> str:
    if link.kind == "team":
        return f"join {teams.get(link.team_id or 0, 'a team')}"
    return "choose a new password" if link.kind == "password" else f"create an account, {link.role}"
