"""Middleware for HEAD: what GET would answer, without its body."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send


class HeadRequests:
    """Lets the app answer HEAD as GET, and sends the headers alone, with the length that the body has."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass a request on."""
        # No coroutine around that of the app: all other requests would pay for it.
        if scope["type"] != "http" or scope["method"] != "HEAD":
            return self.app(scope, receive, send)

        async def without_body(message: Message) -> None:
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        return self.app({**scope, "method": "GET"}, receive, without_body)
