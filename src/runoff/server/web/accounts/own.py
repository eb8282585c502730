"""One's own account and API tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from runoff.errors import ConflictError, NotAllowedError, QuotaError, UsageError
from runoff.server.cases.accounts.permissions import may
from runoff.server.cases.accounts.sign_in import (
    LONGEST_TOKEN_DAYS,
    TOKEN_DAYS,
    change_password,
    make_api_token,
    revoke_api_token,
)
from runoff.server.cases.boards.memberships import found_team
from runoff.server.cases.reads import load_api_tokens, load_teams
from runoff.server.site import Site
from runoff.server.web.accounts.sign_in import address_of, set_session, sign_in_rules
from runoff.server.web.forms import SIGNED, SignedForm
from runoff.server.web.frame.visit import show_page
from runoff.server.web.visitors import AnySite, Number, SignedIn, Visitor

if TYPE_CHECKING:
    from runoff.server.cases.reads import Person

router = APIRouter(include_in_schema=False)
OF_ROLE: Final[dict[str, tuple[str, ...]]] = {
    "organiser": ("read", "submit", "organise"),
    "member": ("read", "submit"),
    "assessor": ("read",),
}
"""The scopes that a token of a person of a role can use; judging needs the session of a browser."""
SCOPE_WORDS: Final = {
    "read": "Read: boards, runs and scores that you may see",
    "submit": "Submit: send runs for your teams",
    "organise": "Organise: see the pages of organisers; changes are made in a browser",
}
DAYS: Final = (7, 30, TOKEN_DAYS, 365)
"""How long a new token can last."""


@router.get("/account")
def show_account(site: AnySite, visitor: SignedIn, done: str = "") -> Response:
    """Who one is, one's teams and one's tokens."""
    return _page(site, visitor, done=done)


@router.post("/account/teams")
def do_make_team(site: AnySite, visitor: SignedIn, form: SignedForm) -> Response:
    """Make a team, and be its first member."""
    _own(visitor)
    try:
        is_free = site.settings.new_teams == "free"
        team = found_team(site.database, form.get("name"), actor=visitor.actor, now=site.now(), free=is_free)
    except (ConflictError, UsageError) as error:
        return _page(site, visitor, team_problem=str(error), status=422)
    return RedirectResponse(f"/teams/{team.slug}?done=team", status_code=303)


@router.post("/account/tokens")
def do_make_token(site: AnySite, visitor: SignedIn, form: SignedForm) -> Response:
    """Make a token, and show it once."""
    person = _own(visitor)
    scopes = frozenset(scope for scope in OF_ROLE[person.role] if form.get(scope))
    days = form.whole("days", 1, LONGEST_TOKEN_DAYS) if form.get("days") else TOKEN_DAYS
    if form.problems:
        return _page(site, visitor, problem=f"days: {'; '.join(form.problems.values())}", status=422)
    try:
        token, _ = make_api_token(
            site.database,
            person,
            name=form.get("name"),
            scopes=scopes,  # type: ignore[arg-type]
            days=days,
            now=site.now(),
        )
    except UsageError as error:
        return _page(site, visitor, problem=str(error), status=422)
    return _page(site, visitor, made=token)


@router.post("/account/tokens/{number}/revoke", dependencies=[SIGNED])
def do_revoke_token(number: Number, site: AnySite, visitor: SignedIn) -> Response:
    """Revoke a token for good."""
    person = _own(visitor)
    revoke_api_token(site.database, number, person, site.now())
    return RedirectResponse("/account", status_code=303)


@router.post("/account/password")
def do_change_password(request: Request, site: AnySite, visitor: SignedIn, form: SignedForm) -> Response:
    """Choose a new password; all other sessions end, and API tokens are revoked."""
    person = _own(visitor)
    try:
        token = change_password(
            site.database,
            person,
            password=form.get("password"),
            new_password=form.get("new_password"),
            address=address_of(request),
            rules=sign_in_rules(site),
            hashing=site.hashing,
            now=site.now(),
        )
    except (NotAllowedError, QuotaError, UsageError) as error:
        status = {NotAllowedError: 403, QuotaError: 429}.get(type(error), 422)
        return _page(site, visitor, password_problem=str(error), status=status)
    answer = RedirectResponse("/account?done=password", status_code=303)
    set_session(answer, site, token)
    return answer


def _own(visitor: Visitor) -> Person:
    if visitor.person is None or visitor.actor.scopes is not None:
        raise NotAllowedError("accounts are managed in a browser, not with an API token")
    return visitor.person


def _page(site: Site, visitor: Visitor, *, done: str = "", status: int = 200, **values: Any) -> Response:
    """The account; the values are problems, and a token that was just made."""
    person = _own(visitor)
    with site.database.read() as connection:
        tokens = load_api_tokens(connection, person.id)
        teams = load_teams(connection, person_id=person.id)
    return show_page(
        "own.html",
        site,
        visitor,
        path="/account",
        done=done,
        status=status,
        person=person,
        tokens=tokens,
        scopes=[(scope, SCOPE_WORDS[scope]) for scope in OF_ROLE[person.role]],
        teams=teams,
        can_found=may(visitor.actor, "create team"),
        address=site.settings.base_url,
        days=[(days, days == TOKEN_DAYS) for days in DAYS],
        now=site.now(),
        **values,
    )
