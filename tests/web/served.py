"""The pages of a site as a program that answers requests, and who asks."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.responses import PlainTextResponse, Response

from runoff.errors import NotAllowedError, NotFoundError, RunoffError
from runoff.store.people import Person
from runoff.store.teams import load_teams
from runoff.web.frame.routes import POLICY
from runoff.web.pages import PAGE_ROUTERS
from runoff.web.site import Site
from runoff.web.visitors import Visitor, visitor_of
from runoff.workflows.permissions import Actor


def app_of(site: Site, person: Person | None = None) -> FastAPI:
    """All pages, seen by one person."""
    app = FastAPI()
    app.state.site = site
    for router in PAGE_ROUTERS:
        app.include_router(router)

    def visitor() -> Visitor:
        if person is None:
            return Visitor()
        with site.database.read() as connection:
            teams = frozenset(team.id for team in load_teams(connection, person_id=person.id))
        actor = Actor(id=person.id, role=person.role, teams=teams)  # type: ignore[arg-type]
        return Visitor(actor=actor, person=person, csrf="token")

    app.dependency_overrides[visitor_of] = visitor

    @app.middleware("http")
    async def strict(request: Request, call_next) -> Response:
        response: Response = await call_next(request)
        response.headers["Content-Security-Policy"] = POLICY
        return response

    @app.exception_handler(RunoffError)
    def failed(request: Request, error: RunoffError) -> PlainTextResponse:
        status = 404 if isinstance(error, NotFoundError) else 403 if isinstance(error, NotAllowedError) else 400
        return PlainTextResponse(str(error), status)

    return app
