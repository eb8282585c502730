"""A visitor that follows every link of a server, and what it must not find."""

from __future__ import annotations

import asyncio
import html
import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin

import httpx

from runoff.server.web.app import ROUTES

LINK = re.compile(r"""(?:href|src|srcset|action|data-[a-z]+)="(/[^"\s]*)""")
LENGTH = re.compile(r"content-length: \d+")
MOST = 1200
BUSY_TURNS = 12
"""How often to ask what is answered 503 while it is computed; each answer waits for seconds."""


@dataclass(frozen=True)
class Found:
    """One answer."""

    path: str
    status: int
    text: str


@dataclass
class Crawl:
    """Everything that somebody with these headers gets to read, from the first page on."""

    client: Any
    headers: Mapping[str, str] = field(default_factory=dict)
    found: dict[str, Found] = field(default_factory=dict)

    def get(self, path: str) -> Found:
        """Ask, again while the server is busy computing, and remember every answer with its headers."""
        turn = 0
        while path not in self.found:
            turn += 1
            answer = self.client.get(path, headers=dict(self.headers))
            is_busy = answer.status_code == 503 and turn < BUSY_TURNS
            self._keep(f"{path} (busy, {turn})" if is_busy else path, answer)
        return self.found[path]

    def _keep(self, path: str, answer: httpx.Response) -> Found:
        head = "\n".join(f"{name}: {value}" for name, value in answer.headers.items())
        # Drawings number their gradients in the order in which a server drew them.
        text = re.sub(r"(gradient_|clip)\d+", r"\1N", answer.text)
        self.found[path] = Found(path, answer.status_code, f"{re.sub(LENGTH, '', head)}\n{text}")
        return self.found[path]

    def follow(self, starts: Iterable[str]) -> Crawl:
        """Ask for every address, and for every one that an answer has a link to."""
        asyncio.run(self._follow(list(starts)))
        return self

    async def _follow(self, waiting: list[str]) -> None:
        # One event loop for all of them: the test client starts another thread's work for each request, and waits.
        # Values of plain types: the test client may use another library for requests than httpx.
        given = self.client
        transport = httpx.ASGITransport(given.app)
        options: Any = {"base_url": str(given.base_url), "cookies": given.cookies.jar, "headers": self.headers}
        async with httpx.AsyncClient(transport=transport, **options) as client:
            while waiting:
                path = waiting.pop()
                if path in self.found:
                    continue
                answer = self._keep(path, await client.get(path))
                links = {html.unescape(link) for link in LINK.findall(answer.text)}
                asked = {urljoin(path, link).partition("#")[0] for link in links}
                # Pictures on dark paper and for phones are the same drawings in other colours and sizes.
                waiting += sorted(
                    link for link in asked if not ({"theme=dark", "size=phone"} & set(re.split("[?&]", link)))
                )
                assert len(self.found) < MOST, "a page links to itself under ever new addresses"

    def holding(self, words: Iterable[str]) -> list[tuple[str, str]]:
        """Where one of these words stands: address and word."""
        return [(path, word) for word in words for path, one in self.found.items() if word in one.text]

    @property
    def faults(self) -> list[tuple[str, int]]:
        """Addresses that the server had a fault at."""
        return [(path, one.status) for path, one in self.found.items() if one.status >= 500]


def addresses(values: Mapping[str, Sequence[str]], *, product: bool = False) -> list[str]:
    """Every GET address of the server with these values in place of its parameters; one without a value is an error.

    Each value is asked for once, with the first value of the other parameters; with `product`, with all of them.
    """
    found = ["/api/v1/openapi.json"]
    for prefix, routers in ROUTES:
        for route in (route for router in routers for route in router.routes):
            if "GET" not in (getattr(route, "methods", None) or set()):
                continue
            path: str = prefix + route.path  # type: ignore[attr-defined]
            names = re.findall(r"{(\w+)}", path)
            first = {name: values[name][0] for name in names}
            choices = [first, *(first | {name: value} for name in names for value in values[name][1:])]
            if product:
                every = itertools.product(*(values[name] for name in names))
                choices = [dict(zip(names, chosen, strict=True)) for chosen in every]
            found += [path.format(**choice) for choice in choices]
    return found
