"""The app: an explicit table of routes, the same guards before all of them, and the worker beside them."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from threading import Event, Thread
from typing import TYPE_CHECKING, Final

from anyio import to_thread
from fastapi import FastAPI

from runoff.server.web.accounts import ACCOUNT_ROUTERS
from runoff.server.web.api import API_ROUTERS, PREFIX
from runoff.server.web.guards import Guards, declared_addresses
from runoff.server.web.head_requests import HeadRequests
from runoff.server.web.health import Readiness
from runoff.server.web.health import router as health
from runoff.server.web.pages import PAGE_ROUTERS
from runoff.server.web.problems import add_problem_handlers
from runoff.server.web.response_cache import SharedAnswers, shared_addresses
from runoff.server.worker import Worker

if TYPE_CHECKING:
    from fastapi import APIRouter

    from runoff.server.site import Site

STOP_SECONDS: Final = 30
THREADS: Final = 100
"""Requests that may work or wait at once; most wait for a board that one of them computes."""
SWITCH_SECONDS: Final = 0.0005
"""How long a thread that computes may keep the others waiting: a request waits several times, and Python says 5 ms."""
ROUTES: Final[tuple[tuple[str, tuple[APIRouter, ...]], ...]] = (
    ("", (health,)),
    ("", PAGE_ROUTERS),
    (PREFIX, API_ROUTERS),
    ("", ACCOUNT_ROUTERS),
)
"""Every address of the server: prefix and routers, looked up in this order."""


def create_app(site: Site, *, with_worker: bool = False) -> FastAPI:
    """The server of a site; with a worker in a thread, or with workers elsewhere."""

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        to_thread.current_default_thread_limiter().total_tokens = THREADS
        sys.setswitchinterval(SWITCH_SECONDS)
        stop = Event()
        worker = Worker(site, stop=stop)
        thread = Thread(target=worker.run, name="worker", daemon=True)
        if with_worker:
            thread.start()
        yield
        stop.set()
        if with_worker:
            thread.join(STOP_SECONDS)

    app = FastAPI(
        title="runoff",
        version=version("runoff"),
        description="Boards, runs and comparisons. Send an API token as `Authorization: Bearer TOKEN`.",
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=life,
    )
    app.state.site = site
    app.state.answers = Counter()
    app.state.readiness = Readiness()
    app.state.addresses = declared_addresses(ROUTES)
    for prefix, routers in ROUTES:
        for router in routers:
            app.include_router(router, prefix=prefix)
    add_problem_handlers(app)
    settings = site.settings
    app.add_middleware(SharedAnswers, site=site, addresses=shared_addresses(ROUTES))
    app.add_middleware(HeadRequests)
    app.add_middleware(Guards, upload_limit=settings.upload_limit, secure=settings.secure_cookies)
    return app
