"""Cache of responses to visitors who are not signed in: made once per version of a board, sent from memory."""

from __future__ import annotations

import asyncio
import gzip
import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import parse_qsl

from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute, APIRouter
from starlette.routing import compile_path

from runoff.errors import RunoffError
from runoff.server.cache import Kept
from runoff.server.cases.reads import BoardStamp, load_board_stamp
from runoff.server.web.visitors import cookie_name

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from runoff.server.site import Site

MOST: Final = 1000
HEAVIEST: Final = 64_000_000
"""Answers that are kept, and their bytes together."""
WORTH_PACKING: Final = 1000
LONGEST_QUERY: Final = 2000
Asked = tuple[str, str, tuple[tuple[str, str], ...]]
"""Slug and path of an address, and the query parameters in their order."""
Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])
_SHARED: Final = "is_shared"
NOT_KEPT: Final = "CDN-Cache-Control"
"""A header of an answer that lacks something for the moment, and is made again for the next visitor."""


def shared(endpoint: Endpoint) -> Endpoint:
    """Mark a route whose answer, for everybody who is not signed in, depends on nothing but the state of its board."""
    setattr(endpoint, _SHARED, True)
    return endpoint


@dataclass(frozen=True, kw_only=True)
class SharedAddress:
    """The address of a shared route, and the query parameters that it knows."""

    pattern: re.Pattern[str]
    parameters: tuple[str, ...]


def shared_addresses(routes: Sequence[tuple[str, Sequence[APIRouter]]]) -> tuple[SharedAddress, ...]:
    """The addresses of all shared routes of an app: prefixes and routers, in the order in which they are looked up."""
    return tuple(
        SharedAddress(pattern=compile_path(prefix + route.path)[0], parameters=tuple(_parameters(route.dependant)))
        for prefix, routers in routes
        for router in routers
        for route in router.routes
        if isinstance(route, APIRoute) and getattr(route.endpoint, _SHARED, False)
    )


def _parameters(dependant: Dependant) -> Iterator[str]:
    # What was just done is said to people who are signed in alone.
    yield from (parameter.alias for parameter in dependant.query_params if parameter.alias != "done")
    for dependency in dependant.dependencies:
        yield from _parameters(dependency)


@dataclass(frozen=True, kw_only=True)
class SharedAnswer:
    """An answer in memory; `packed` is its body compressed, None where that does not pay."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes
    packed: bytes | None = None

    @property
    def weight(self) -> int:
        """Bytes in memory, about."""
        return len(self.body) + len(self.packed or b"") + 500


class Stamps:
    """Asks for the stamps of boards, once for all requests that wait for the same one.

    A question that was sent before a request came may have been answered before a run that the request should show;
    so a request takes part in the next one.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        # Threads of its own: pages that compute may hold all others.
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="stamps")
        self._next: dict[Hashable, asyncio.Task[BoardStamp]] = {}
        self._last: dict[Hashable, asyncio.Task[BoardStamp]] = {}

    async def of(self, slug: str) -> BoardStamp:
        """The stamp of a board, as it is at some moment from now on."""
        loop = asyncio.get_running_loop()
        key = (loop, slug)
        if key not in self._next:
            task = self._next[key] = loop.create_task(self._ask(key, slug, self._last.get(key)))
            task.add_done_callback(lambda done: self._forget(key, done))
        return await asyncio.shield(self._next[key])

    async def _ask(self, key: Hashable, slug: str, before: asyncio.Task[BoardStamp] | None) -> BoardStamp:
        if before is not None:
            await asyncio.wait([before])
        self._last[key] = self._next.pop(key)
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._load, slug)

    def _forget(self, key: Hashable, done: asyncio.Task[BoardStamp]) -> None:
        for tasks in (self._next, self._last):
            if tasks.get(key) is done:
                del tasks[key]

    def _load(self, slug: str) -> BoardStamp:
        with self._site.database.read() as connection:
            return load_board_stamp(connection, slug, self._site.now())


class SharedAnswers:
    """Answers what it has in memory, and lets the app make everything else, the same thing once at a time."""

    def __init__(self, app: ASGIApp, *, site: Site, addresses: tuple[SharedAddress, ...]) -> None:
        self.app = app
        self._addresses = addresses
        self._site = site
        self._cookie = cookie_name(site)
        self._stamps = Stamps(site)
        self._kept: Kept[SharedAnswer] = Kept(most=MOST, weigh=lambda answer: answer.weight, heaviest=HEAVIEST)
        self._making: dict[Hashable, asyncio.Task[SharedAnswer]] = {}

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Answer a request, or pass it on."""
        asked = self._asked(scope)
        return self.app(scope, receive, send) if asked is None else self._answer(asked, scope, receive, send)

    async def _answer(self, request: Asked, scope: Scope, receive: Receive, send: Send) -> None:
        slug, *rest = request
        try:
            stamp = await self._stamps.of(slug)
        except RunoffError:
            await self.app(scope, receive, send)
            return
        key = (stamp, *rest)
        answer = self._kept.find(key) or await self._made(key, scope)
        await _send(answer, scope, send)

    def _asked(self, scope: Scope) -> Asked | None:
        """Slug, path and parameters in order; None where somebody is signed in, or the address is not shared."""
        if scope["type"] != "http" or scope["method"] != "GET" or len(scope["query_string"]) > LONGEST_QUERY:
            return None
        path: str = scope["path"]
        for address in self._addresses:
            match = address.pattern.fullmatch(path)
            if match:
                if self._has_credentials(scope):
                    return None
                # The last of several counts, as it does for the routes; an empty parameter is none.
                values = dict(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True))
                known = tuple((name, values[name]) for name in address.parameters if values.get(name))
                return match["slug"], path, known
        return None

    def _has_credentials(self, scope: Scope) -> bool:
        for name, value in scope["headers"]:
            if name == b"authorization":
                return True
            if name == b"cookie" and self._cookie.encode() in value:
                return True
        return False

    async def _made(self, key: Hashable, scope: Scope) -> SharedAnswer:
        loop = asyncio.get_running_loop()
        one = (loop, key)
        if one not in self._making:
            task = self._making[one] = loop.create_task(self._make(key, dict(scope)))
            task.add_done_callback(lambda _: self._making.pop(one, None))
        # A visitor who leaves does not take the answer from those who wait with him.
        return await asyncio.shield(self._making[one])

    async def _make(self, key: Hashable, scope: dict[str, Any]) -> SharedAnswer:
        status, headers, parts = 500, [], []

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            nonlocal status, headers
            if message["type"] == "http.response.start":
                status, headers = message["status"], list(message["headers"])
            elif message["type"] == "http.response.body":
                parts.append(message.get("body", b""))

        await self.app(scope, receive, send)
        body = b"".join(parts)
        names = {name for name, _ in headers}
        packed = None
        if status == 200 and len(body) >= WORTH_PACKING and b"content-encoding" not in names:
            packed = await asyncio.to_thread(gzip.compress, body, 6, mtime=0)
        answer = SharedAnswer(
            status=status,
            headers=tuple((name, value) for name, value in headers if name != b"content-length"),
            body=body,
            packed=packed,
        )
        if status == 200 and names.isdisjoint((b"set-cookie", NOT_KEPT.lower().encode())):
            self._kept.keep(key, answer)
        return answer


async def _send(answer: SharedAnswer, scope: Scope, send: Send) -> None:
    body, extra = answer.body, [(b"vary", b"accept-encoding")]
    if _has_it(answer, scope):
        headers = [(name, value) for name, value in answer.headers if name != b"content-type"]
        await send({"type": "http.response.start", "status": 304, "headers": [*headers, *extra]})
        await send({"type": "http.response.body", "body": b""})
        return
    if answer.packed is not None and _takes_gzip(scope):
        body = answer.packed
        extra.append((b"content-encoding", b"gzip"))
    extra.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": answer.status, "headers": [*answer.headers, *extra]})
    await send({"type": "http.response.body", "body": body})


def _has_it(answer: SharedAnswer, scope: Scope) -> bool:
    """Whether the browser has this very answer already."""
    tag = dict(answer.headers).get(b"etag")
    asked = dict(scope["headers"]).get(b"if-none-match", b"")
    return tag is not None and tag in [one.strip() for one in asked.split(b",")]


def _takes_gzip(scope: Scope) -> bool:
    for name, value in scope["headers"]:
        if name == b"accept-encoding":
            for part in value.lower().split(b","):
                coding, _, weight = part.partition(b";")
                if coding.strip() in (b"gzip", b"*"):
                    return weight.replace(b" ", b"") not in (b"q=0", b"q=0.0", b"q=0.00", b"q=0.000")
    return False
