"""Middleware for every request: security headers, a size limit, and counting of answers."""

from __future__ import annotations

import logging
import traceback
from collections import Counter
from typing import TYPE_CHECKING, Final

from starlette.responses import Response

from runoff.errors import LimitError

if TYPE_CHECKING:
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

        try:
            await self.app(scope, limited, guarded)
        except Exception as error:  # noqa: BLE001  # nothing of the inside leaves the server
            # The kind and the places, without the message: it could hold what somebody sent.
            places = "".join(traceback.format_tb(error.__traceback__))
            LOG.error("%s %s: %s\n%s", scope["method"], scope["path"], type(error).__name__, places)  # noqa: TRY400
            if not has_begun:
                await Response(HIDDEN, status_code=500, media_type="text/plain")(scope, receive, guarded)
