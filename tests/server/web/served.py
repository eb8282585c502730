"""The server of a site for tests, and who asks."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import httpx

from runoff.server.cases.accounts.permissions import Actor
from runoff.server.site import Site
from runoff.server.store.people import Person, load_teams
from runoff.server.web.app import create_app
from runoff.server.web.visitors import Visitor, visitor_of

if TYPE_CHECKING:
    from fastapi import FastAPI

CSRF = "the token of the session"


def app_of(site: Site, person: Person | None = None) -> FastAPI:
    """The whole server, seen by one person."""
    app = create_app(site)

    def visitor() -> Visitor:
        if person is None:
            return Visitor()
        with site.database.read() as connection:
            teams = load_teams(connection, person_id=person.id)
        actor = Actor(id=person.id, role=person.role, teams=frozenset(team.id for team in teams))
        return Visitor(actor=actor, person=person, teams=teams, csrf=CSRF)

    app.dependency_overrides[visitor_of] = visitor
    app.state.cookies = {} if person is None else {"runoff": "a session"}
    return app


def ask(app: FastAPI, path: str, method: str = "GET", **more: Any) -> httpx.Response:
    """The answer of a server to one request; redirections are not followed."""

    async def asked() -> httpx.Response:
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://test", cookies=app.state.cookies) as client:
            return await client.request(method, path, **more)

    return asyncio.run(asked())
