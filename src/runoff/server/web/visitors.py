"""Who sent a request: a person with a session cookie or an API token, or an anonymous visitor."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Annotated, Final

from fastapi import Depends, Path, Request

from runoff.errors import NotAllowedError
from runoff.server.cases.accounts.permissions import ANONYMOUS, Actor
from runoff.server.cases.accounts.sign_in import who_has_api_token, who_has_session
from runoff.server.cases.reads import Person, Team
from runoff.server.site import Site

_BEARER: Final = "bearer "
_LONGEST_TOKEN: Final = 200


@dataclass(frozen=True, kw_only=True)
class Visitor:
    """Who asks.

    actor   for `may` and `require`
    person  None for nobody in particular
    teams   that the person is in
    asker   under which name expensive views are counted; empty is not counted
    csrf    what a form must send back as `csrf`; empty without a session
    """

    actor: Actor = ANONYMOUS
    person: Person | None = None
    teams: tuple[Team, ...] = ()
    asker: str = ""
    csrf: str = ""


class NotSignedInError(NotAllowedError):
    """Nobody is signed in, or the API token is unknown, revoked or too old."""


async def site_of(request: Request) -> Site:
    """The server that a request came to."""
    # Async, and below: what waits for nothing needs no thread, and handing over to one takes longer than doing it.
    site: Site = request.app.state.site
    return site


def visitor_of(request: Request, site: Annotated[Site, Depends(site_of)]) -> Visitor:
    """Who sends a request: by its bearer token, or else by its session cookie."""
    header = request.headers.get("authorization", "")
    token = request.cookies.get(cookie_name(site), "")
    visitor = _by_token(site, header) if header else _by_session(site, token) if token else Visitor()
    if visitor.person is not None:
        visitor = replace(visitor, asker=f"person {visitor.person.id}")
    elif request.client is not None:
        visitor = replace(visitor, asker=f"address {request.client.host}")
    # For the page of an error, which has no dependencies.
    request.state.visitor = visitor
    return visitor


AnySite = Annotated[Site, Depends(site_of)]
AnyVisitor = Annotated[Visitor, Depends(visitor_of)]


async def signed_in(visitor: AnyVisitor) -> Visitor:
    """Somebody with an account; nobody else gets further."""
    if visitor.person is None:
        raise NotSignedInError("you are not signed in; sign in, or send an API token")
    return visitor


SignedIn = Annotated[Visitor, Depends(signed_in)]
Number = Annotated[int, Path(ge=1, le=2**31 - 1)]
"""The number of a row in an address."""


def cookie_name(site: Site) -> str:
    """The name of the session cookie; with the prefix browsers insist on https, this host and the path /."""
    return "__Host-runoff" if site.settings.secure_cookies else "runoff"


def csrf_of(token: str) -> str:
    """What forms of a session send back: made of the session's token, which no other site knows."""
    return hashlib.sha256(f"runoff csrf {token}".encode()).hexdigest()


def _by_session(site: Site, token: str) -> Visitor:
    who = who_has_session(site.database, token, site.now()) if len(token) <= _LONGEST_TOKEN else None
    if who is None:
        return Visitor()
    person, teams = who
    actor = Actor(id=person.id, role=person.role, teams=frozenset(team.id for team in teams))
    return Visitor(actor=actor, person=person, teams=teams, csrf=csrf_of(token))


def _by_token(site: Site, header: str) -> Visitor:
    token = header[len(_BEARER) :].strip() if header.lower().startswith(_BEARER) else ""
    who = who_has_api_token(site.database, token, site.now()) if 0 < len(token) <= _LONGEST_TOKEN else None
    if who is None:
        raise NotSignedInError("the API token is unknown, revoked or too old; make a new one on your account page")
    person, teams, scopes = who
    own = frozenset(team.id for team in teams)
    actor = Actor(id=person.id, role=person.role, teams=own, scopes=scopes)  # type: ignore[arg-type]
    return Visitor(actor=actor, person=person, teams=teams)
