"""Middleware for every request: security headers, a size limit, and counting of answers."""

from __future__ import annotations

import logging
import re
import traceback
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response
from starlette.routing import compile_path

from runoff.errors import LimitError

if TYPE_CHECKING:
    from fastapi import APIRouter
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOG: Final = logging.getLogger("runoff.server.web")
HIDDEN: Final = "the server has a fault; it is in the server's log; try again later or tell an organiser"
POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Final = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)
SECURE: Final = (b"strict-transport-security", b"max-age=31536000")
SMALL: Final = 1 << 20
"""Bytes of a request that uploads no file, and what an upload may have besides its file."""
NUL: Final = "the address holds the character U+0000; expected text; remove it"
NO_ROUTE: Final = "(no such address)"
UPLOADS: Final = ("/runs", "/submit", "/labels", "/queries", "/new-board", "/board-archive", "/texts", "/judgments")
"""How the addresses end that take files."""


class Guards:
    """Adds the headers to every answer and stops requests that are too large, as they arrive.

    `counts` holds the number of answers by their status.
    """

    def __init__(self, app: ASGIApp, *, upload_limit: int, secure: bool) -> None:
        self.app = app
        self.upload_limit = upload_limit
        self.headers = (*HEADERS, SECURE) if secure else HEADERS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        counts: Counter[int] = scope["app"].state.answers if "app" in scope else Counter()
        limit = SMALL + (self.upload_limit if scope["path"].rstrip("/").endswith(UPLOADS) else 0)
        sizes = (value for name, value in scope["headers"] if name == b"content-length" and value.isdigit())
        claimed = int(next(sizes, b"0")[:20])
        seen, has_begun = 0, False

        async def limited() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            # Both: a header can be wrong, and an honest one saves the upload.
            if seen > limit or claimed > limit:
                raise LimitError(
                    [f"request: more than {limit:,} bytes; expected {limit:,} or fewer; send a smaller file"]
                )
            return message

        async def guarded(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                counts[message["status"]] += 1
                present = {name for name, _ in message["headers"]}
                extra = [(name, value) for name, value in self.headers if name not in present]
                if b"cache-control" not in present:
                    extra.append((b"cache-control", b"no-store"))
                message["headers"] = [*message["headers"], *extra]
            await send(message)

        if "\0" in scope["path"] or b"%00" in scope["query_string"]:
            # Here, for all routes: it is in no name of ours, and PostgreSQL does not take it.
            error_dict = {"error": {"kind": "bad request", "message": NUL, "problems": []}}
            is_api = scope["path"].startswith("/api/")
            refusal = JSONResponse(error_dict, 400) if is_api else Response(NUL, 400, media_type="text/plain")
            await refusal(scope, receive, guarded)
            return
        try:
            await self.app(scope, limited, guarded)
        except ClientDisconnect:
            # Nobody waits for an answer any more, and nothing is wrong with the server.
            return
        except Exception as error:  # noqa: BLE001  # nothing of the inside leaves the server
            # The kind and the places, without the message: it could hold what somebody sent.
            places = "".join(traceback.format_tb(error.__traceback__))
            LOG.log(logging.ERROR, "%s: %s\n%s", route_of(scope), type(error).__name__, places)
            if not has_begun:
                await Response(HIDDEN, status_code=500, media_type="text/plain")(scope, receive, guarded)


def declared_addresses(routes: Sequence[tuple[str, Sequence[APIRouter]]]) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Every address of an app, as a pattern and as it is declared: prefixes and routers in the order of looking up."""
    paths = [prefix + route.path for prefix, routers in routes for router in routers for route in router.routes]  # type: ignore[attr-defined]
    return tuple((compile_path(path)[0], path) for path in dict.fromkeys(paths))


def route_of(scope: Scope) -> str:
    """Method and route of a request, for the log: the route as it is declared, so that nothing secret is in it.

    The address itself could hold the token of a link, and whatever its sender likes.
    """
    declared = scope["app"].state.addresses if "app" in scope else ()
    paths = (path for pattern, path in declared if pattern.fullmatch(scope["path"]))
    return f"{scope['method']} {next(paths, NO_ROUTE)}"
