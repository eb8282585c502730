"""The table of routes is built once in a test process, and not again for the first request to each of its servers."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, FastAPI

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.routing import BaseRoute
    from starlette.types import Receive, Scope, Send

_asked: ContextVar[OneTable | None] = ContextVar("asked", default=None)
_built: dict[tuple[int, str], tuple[APIRouter, BaseRoute]] = {}


class OneTable(FastAPI):
    """An app that takes over the routes which the first app of its kind has built.

    What a test puts in the place of a dependency stays that of its own app: routes ask the first app for it, which
    answers for the app that has the request.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        before = _asked.set(self)
        try:
            await super().__call__(scope, receive, send)
        finally:
            _asked.reset(before)

    @property
    def dependency_overrides(self) -> dict[Callable[..., Any], Callable[..., Any]]:
        return (_asked.get() or self)._own

    @dependency_overrides.setter
    def dependency_overrides(self, replaced: dict[Callable[..., Any], Callable[..., Any]]) -> None:
        self._own = replaced

    def include_router(self, router: APIRouter, *, prefix: str = "", **more: Any) -> None:
        known = _built.get((id(router), prefix))
        if known is not None and not more:
            self.router.routes.append(known[1])
            return
        super().include_router(router, prefix=prefix, **more)
        if not more:
            # With the router, so that its id stays its own.
            _built[id(router), prefix] = router, self.router.routes[-1]
