"""The table of who may do what: every address of the server, asked for by everybody, with what was answered."""

from __future__ import annotations

import asyncio
import io
import sqlite3
import zipfile
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx

from runoff.server.web.app import ROUTES, create_app
from runoff.server.web.frame.assets import address_of
from tests.server.cases.judging.campaigned import QUERIES, run_text
from tests.server.web.access_world import NEW_PASSWORD, PASSWORD, QRELS, AccessWorld, Kind, make_access_world

CAMPAIGN = "/boards/{slug}/campaigns/{number}"
CHANGED = "+"
SIGN_IN = "sign in"
LEGEND = f"""\
# Who may do what

Each address of the server, as everybody asks for it: the status of the answer, `{CHANGED}` if the database was changed,
and `{SIGN_IN}` where the answer leads to the page for signing in. After each change the database is put back.

- team: a member of Oaks, whose runs, tokens and invitations are asked for; other team: a member of Elms
- assessor: came in by a link, has consented and holds the task that is asked for
- worker elsewhere: came in by a link of another campaign; assessor account: was invited to the site
- closed account: with the cookie of an organiser who was removed
- forged form: an organiser's cookie, and a form that lacks the token of the session

"""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """How an address is asked for.

    note    what is special about it; an address can be in the table several times
    values  in place of its parameters, where they are not the usual ones: names of numbers of the world, or texts
    fields  of the form; numbers of the world are written as {name}
    files   by field, their text, or for an archive the text of each file in it
    page    a page whose form, as the organiser gets it, is sent with the fields
    """

    note: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str | Mapping[str, str]] = field(default_factory=dict)
    page: str = ""


USUAL = {
    "slug": "trees", "run_id": "run", "number": "campaign", "name": "timeline", "token": "enter", "version": "x",
    "move": "pause", "link": "campaign link", "job": "job", "pair": "known", "person": "assessor",
}  # fmt: skip
STYLE = "style.css"
OAKS = {"slug": "oaks"}
JUDGE = {"slug": "best"}
JUDGED = {"task": "{task}", "pair": "{pair}", "side": "left", "key": "k", "seconds": "3"}
RUN = {"file": run_text(30)}
ARCHIVE = {
    "board.toml": 'title = "A"\nmeasure = "RR@10"\n[labels.dev]\npath = "qrels.txt"\n'
    '[[runs]]\npath = "a.txt"\nname = "a"\nteam = "A"\ndate = 2026-01-01\n',
    "qrels.txt": QRELS,
    "a.txt": run_text(31),
}
SPECIAL: dict[str, tuple[Asked, ...]] = {
    "GET /assets/{version}/{name}": (Asked(values={"version": address_of(STYLE).split("/")[2], "name": STYLE}),),
    "GET /boards/{slug}/runs/{run_id}": (Asked(), Asked(note="under embargo", values={"run_id": "veiled"})),
    "GET /api/v1/runs/{run_id}": (Asked(), Asked(note="under embargo", values={"run_id": "veiled"})),
    "GET /boards/{slug}/compare": (
        Asked(fields={"champion": "1", "challenger": "2"}),
        Asked(note="under embargo", fields={"champion": "1", "challenger": "{veiled}"}),
    ),
    "GET /api/v1/boards/{slug}/compare": (
        Asked(fields={"champion": "1", "challenger": "2"}),
        Asked(note="under embargo", fields={"champion": "1", "challenger": "{veiled}"}),
    ),
    "GET /boards/{slug}/compare/charts/{name}.svg": (
        Asked(values={"name": "differences"}, fields={"champion": "1", "challenger": "2"}),
    ),
    "GET /boards/{slug}/organise/charts/{name}.svg": (Asked(values={"name": "public_private"}),),
    "POST /boards/{slug}/runs/{run_id}/counts": (Asked(fields={"counts": ""}),),
    "POST /boards/{slug}/submit": (
        Asked(fields={"team": "Oaks", "name": "new"}, files=RUN),
        Asked(note="dry run", fields={"team": "Oaks", "action": "check"}, files=RUN),
    ),
    "POST /api/v1/boards/{slug}/runs": (Asked(fields={"metadata": '{{"team": "Oaks", "name": "new"}}'}, files=RUN),),
    "GET /teams/{slug}": (Asked(values=OAKS),),
    "POST /teams/{slug}/invitations": (Asked(values=OAKS, fields={"email": "zoe@example.org"}),),
    "POST /teams/{slug}/invitations/{number}/withdraw": (
        Asked(values=OAKS | {"number": "team link"}),
        Asked(note="of Oaks, as Elms", values={"slug": "elms", "number": "team link"}),
        Asked(note="of an account", values=OAKS | {"number": "account link"}),
    ),
    "POST /teams/{slug}/members/{number}/remove": (
        Asked(values=OAKS | {"number": "Bob"}),
        Asked(note="of Oaks, as Elms", values={"slug": "elms", "number": "Bob"}),
    ),
    "POST /boards/{slug}/organise/jobs/{number}/retry": (Asked(values={"number": "job"}),),
    "POST /organise/new-board": (
        Asked(page="/organise/new-board", fields={"title": "New", "slug": "new"}, files={"label_file_1": QRELS}),
    ),
    "POST /organise/board-archive": (
        Asked(fields={"archive_slug": "x", "archive_most": "2"}, files={"archive": ARCHIVE}),
    ),
    "POST /boards/{slug}/settings": (Asked(page="/boards/trees/settings", fields={"title": "Other"}),),
    "POST /boards/{slug}/labels": (Asked(fields={"name": "dev"}, files={"file": QRELS.replace("a.q1", "b.q1")}),),
    "GET /boards/{slug}/labels/{number}": (Asked(values={"number": "labels"}),),
    "POST /boards/{slug}/labels/{number}/use": (Asked(values={"number": "labels"}),),
    "POST /boards/{slug}/campaigns/new": (
        Asked(page="/boards/trees/campaigns/new", fields={"title": "Third", "slug": "third"}),
    ),
    f"POST {CAMPAIGN}/settings": (
        Asked(page="/boards/trees/campaigns/{campaign}/settings", fields={"title": "Other"}),
    ),
    f"POST {CAMPAIGN}/extend/look": (Asked(fields={"judgments_per_pair": "3"}),),
    f"POST {CAMPAIGN}/extend": (Asked(fields={"judgments_per_pair": "3"}),),
    f"POST {CAMPAIGN}/start": (Asked(values={"number": "draft"}),),
    f"POST {CAMPAIGN}/assessors/{{person}}/release": (Asked(values={"person": "worker"}),),
    f"POST {CAMPAIGN}/texts": (
        Asked(
            values={"number": "draft"},
            files={
                "queries": "".join(f"{query}\twhat\n" for query in QUERIES),
                "docs": "".join(f"{letter}.{query}\tsaid\n" for query in QUERIES for letter in "abcde"),
            },
        ),
    ),
    f"POST {CAMPAIGN}/test-pairs": (Asked(values={"number": "draft"}, fields={"pairs": "q0 e.q0 a.q1"}),),
    f"POST {CAMPAIGN}/test-pairs/draw": (Asked(values={"number": "draft"}),),
    f"GET {CAMPAIGN}/results/charts/{{name}}.svg": (Asked(values={"name": "pool_sizes"}),),
    f"POST {CAMPAIGN}/new-labels": (Asked(page="/boards/trees/campaigns/{campaign}/new-labels"),),
    f"GET {CAMPAIGN}/files/{{name}}": (Asked(values={"name": "judgments.csv"}),),
    f"POST {CAMPAIGN}/judgments": (Asked(files={"file": "{judgments}"}),),
    "GET /judge/{slug}": (Asked(values=JUDGE),),
    "POST /judge/{slug}/consent": (Asked(values=JUDGE, fields={"agree": "yes", "text": "{consent}"}),),
    "POST /judge/{slug}/task": (Asked(values=JUDGE),),
    "POST /judge/{slug}/choices": (Asked(values=JUDGE, fields=JUDGED),),
    "POST /judge/{slug}/undo": (Asked(values=JUDGE, fields={"task": "{task}", "key": "u"}),),
    "POST /judge/{slug}/done": (Asked(values=JUDGE, fields={"task": "{task}"}),),
    "GET /judge/{slug}/leave": (Asked(values=JUDGE),),
    "POST /judge/{slug}/leave": (Asked(values=JUDGE),),
    "POST /enter/{token}": (Asked(page="/enter/{enter}", fields={"agree": "yes"}),),
    "POST /organise/people": (Asked(fields={"email": "zoe@example.org", "role": "organiser"}),),
    "POST /organise/people/{number}/role": (Asked(values={"number": "Ann"}, fields={"role": "organiser"}),),
    "POST /organise/people/{number}/close": (Asked(values={"number": "Ann"}),),
    "POST /organise/people/{number}/delete": (Asked(values={"number": "Ann"}, fields={"sure": "yes"}),),
    "POST /organise/links/{number}/withdraw": (
        Asked(values={"number": "account link"}),
        Asked(note="of a team", values={"number": "team link"}),
    ),
    "POST /organise/teams/{number}/approve": (Asked(values={"number": "Pines"}),),
    "POST /organise/teams/{number}/refuse": (Asked(values={"number": "Pines"}),),
    "POST /organise/tokens/{number}/revoke": (Asked(values={"number": "token of Ann"}),),
    "POST /sign-in": (
        Asked(fields={"email": "ann@example.org", "password": PASSWORD}),
        Asked(note="wrong password", fields={"email": "ann@example.org", "password": "x"}),
    ),
    "POST /forgotten-password": (Asked(fields={"email": "ann@example.org"}),),
    "GET /links/{token}": (Asked(values={"token": "link"}),),
    "POST /links/{token}": (Asked(values={"token": "link"}, fields={"display_name": "N", "password": NEW_PASSWORD}),),
    "POST /account/teams": (Asked(fields={"name": "Birches"}),),
    "POST /account/tokens": (Asked(fields={"name": "t", "read": "yes", "organise": "yes"}),),
    "POST /account/tokens/{number}/revoke": (Asked(values={"number": "token of Ann"}),),
    "POST /account/password": (Asked(fields={"password": PASSWORD, "new_password": NEW_PASSWORD}),),
}
"""Addresses that need a form or other values than the usual ones."""


class _Fields(HTMLParser):
    """The fields of the forms of a page, as a browser would send them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self._select = self._area = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take a field."""
        of = {name: value or "" for name, value in attrs}
        if tag == "input" and of.get("name") and of.get("type") not in ("file", "submit"):
            if of.get("type") not in ("checkbox", "radio") or "checked" in of:
                self.found[of["name"]] = of.get("value", "")
        elif tag == "select":
            self._select = of["name"]
        elif tag == "option" and self._select and ("selected" in of or self._select not in self.found):
            self.found[self._select] = of.get("value", "")
        elif tag == "textarea":
            self._area = of["name"]
            self.found[self._area] = ""

    def handle_endtag(self, tag: str) -> None:
        """Leave a field."""
        if tag in ("select", "textarea"):
            self._select = self._area = ""

    def handle_data(self, data: str) -> None:
        """Take the text of an area."""
        if self._area:
            self.found[self._area] += data


def routes() -> list[str]:
    """Method and address of everything that the server answers to, in order."""
    return [
        f"{method} {prefix}{route.path}"  # type: ignore[attr-defined]
        for prefix, routers in ROUTES
        for router in routers
        for route in router.routes
        for method in sorted(getattr(route, "methods", None) or {"?"})
    ]


class _Asking:
    """Asks for addresses, and puts the database back after each change."""

    def __init__(self, world: AccessWorld, client: httpx.AsyncClient) -> None:
        self.world, self.client = world, client
        self._copy = sqlite3.connect(":memory:")
        self._live = sqlite3.connect(world.file)
        self._live.backup(self._copy)
        self._version = self._data_version()
        self._pages: dict[str, dict[str, str]] = {}

    async def cell(self, route: str, asked: Asked, kind: Kind) -> str:
        """What is answered to one request."""
        method, address = route.split(" ", 1)
        values = {name: str(self.world.numbers.get(value, value)) for name, value in {**USUAL, **asked.values}.items()}
        fields = {name: text.format(**_keys(self.world.numbers)) for name, text in asked.fields.items()}
        if asked.page:
            fields = await self._form(asked.page.format(**_keys(self.world.numbers))) | fields
        files = {name: self._file(name, file) for name, file in asked.files.items()}
        more: dict[str, Any] = {"params": fields} if method == "GET" else {}
        if method == "POST":
            more = {"data": {**fields, "csrf": kind.csrf}, "files": files or None}
        answer = await self.client.request(method, address.format(**values), headers=kind.headers, **more)
        self.client.cookies.clear()
        leads = answer.headers.get("location", "").startswith("/sign-in?to=")
        return (SIGN_IN if leads else str(answer.status_code)) + (CHANGED if self._put_back() else "")

    def _file(self, name: str, file: str | Mapping[str, str]) -> tuple[str, bytes]:
        if isinstance(file, str):
            return f"{name}.txt", file.format(**_keys(self.world.numbers)).encode()
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            for part, text in file.items():
                archive.writestr(part, text)
        return f"{name}.zip", packed.getvalue()

    async def _form(self, page: str) -> dict[str, str]:
        if page not in self._pages:
            answer = await self.client.get(page, headers=self.world.kinds["organiser"].headers)
            self._pages[page] = _Fields(answer.text).found
        return self._pages[page]

    def _data_version(self) -> int:
        return int(self._live.execute("PRAGMA data_version").fetchone()[0])

    def _put_back(self) -> bool:
        if self._data_version() == self._version:
            return False
        with closing(sqlite3.connect(self.world.file)) as other:
            self._copy.backup(other)
        self._version = self._data_version()
        return True


def _keys(numbers: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(value) for name, value in numbers.items() if name.isidentifier()}


def asked_for(route: str) -> tuple[Asked, ...]:
    """How an address is asked for."""
    return SPECIAL.get(route, (Asked(),))


async def _rows(folder: Path) -> dict[str, dict[str, str]]:
    world, found = make_access_world(folder), {}
    # One event loop for all requests: the test client hands each over to another thread, and waits.
    transport = httpx.ASGITransport(create_app(world.site))
    async with httpx.AsyncClient(transport=transport, base_url=world.site.settings.base_url) as client:
        for kind in world.kinds.values():
            # The use of a token is noted once a minute: not as a change by what is asked for.
            await client.get("/account", headers=kind.headers)
        asking = _Asking(world, client)
        for route in routes():
            for asked in asked_for(route):
                cells = {who: await asking.cell(route, asked, kind) for who, kind in world.kinds.items()}
                found[f"{route} ({asked.note})" if asked.note else route] = cells
    world.site.close()
    return found


def access_table(folder: Path) -> str:
    """The table as text."""
    found = asyncio.run(_rows(folder))
    names = list(next(iter(found.values())))
    lines = [["address", *names], *([f"`{address}`", *cells.values()] for address, cells in found.items())]
    widths = [max(len(line[place]) for line in lines) for place in range(len(names) + 1)]
    texts = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in lines
    ]
    texts.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return LEGEND + "\n".join(texts) + "\n"


def read_table(text: str) -> dict[str, dict[str, str]]:
    """By address, what everybody was answered."""
    head, _, *lines = [line for line in text.splitlines() if line.startswith("|")]
    names = [cell.strip() for cell in head.strip("|").split("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {line[0].strip("`"): dict(zip(names[1:], line[1:], strict=True)) for line in cells}
