"""The memory of a server as `runoff serve` starts it, with its worker: what it takes, and that it does not grow."""

from __future__ import annotations

import html
import random
import re
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

from runoff.server.cases.accounts.sign_in import draw_token
from runoff.server.cases.boards.make import make_board
from runoff.server.site import SiteSettings, open_site
from runoff.server.store.access import save_session
from tests.server.cases.reading_here import HERE
from tests.server.cases.served import NOW, Served, run_text, write_board
from tests.server.web.leaks import LINK
from tests.server.web.real import RealServer, token_of, wait_until

if TYPE_CHECKING:
    from sqlalchemy import Connection

MOST = 400.0
"""Megabytes of the server, its worker and whatever they start, for two small boards."""
GROWTH = 1.05
"""How much more it may be after 5,000 requests than after 1,000."""
REQUESTS, FIRST = 5_000, 1_000
RUNS = 5


def tree_of(pid: int) -> Iterator[int]:
    """A process and all that it has started."""
    yield pid
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        yield from tree_of(int(child))


def proportional_size(pid: int) -> float:
    """Megabytes of a process; what several share is divided among them."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:  # it has just ended
        return 0.0
    return int(re.findall(r"^Pss:\s+(\d+) kB", text, re.MULTILINE)[0]) / 1000


def memory_of(server: RealServer) -> float:
    """Megabytes of a server with its workers."""
    return sum(proportional_size(pid) for pid in tree_of(server.pid))


def addresses_of(client: httpx.Client, visitors: dict[str, dict[str, str]]) -> list[tuple[str, str]]:
    """Everything that can be reached by links from the two boards, by somebody: who, and the address."""
    found: dict[tuple[str, str], None] = {}
    waiting = [(who, path) for who in visitors for path in ("/", "/boards/trees", "/boards/second", "/account")]
    while waiting:
        one = waiting.pop()
        if one in found:
            continue
        answer = client.get(one[1], headers=visitors[one[0]])
        assert answer.status_code < 500, one
        found[one] = None
        links = (html.unescape(link).partition("#")[0] for link in LINK.findall(answer.text))
        waiting += [(one[0], link) for link in links]
    return list(found)


def begin_session(connection: Connection, *, row: tuple[int, str], ends: datetime, now: datetime) -> None:
    """Let a person have a session with this token."""
    save_session(connection, *row, expires_at=ends, now=now)


@pytest.mark.proof
def test_two_small_boards_need_little_memory_and_ever_the_same(tmp_path):
    url, folder = f"sqlite:///{tmp_path / 'a.db'}", tmp_path / "files"
    site = open_site(SiteSettings(database=url, folder=folder))
    served = Served.made_in(site.database, tmp_path, runs=RUNS, most=1_000)
    second = write_board(tmp_path / "second", runs=RUNS)
    make_board(site.database, site.files, second, slug="second", now=NOW, reader=HERE)
    visitors: dict[str, dict[str, str]] = {"visitor": {}}
    for name, person in (("member", served.member), ("organiser", served.organiser)):
        cookie = draw_token()
        ends, row = site.now() + timedelta(days=9), (person.id, cookie)
        site.database.write(partial(begin_session, row=row, ends=ends, now=site.now()))
        visitors[name] = {"Cookie": f"runoff={cookie}"}
    bearer = {"Authorization": f"Bearer {token_of(served)}"}
    with (
        closing(site),
        RealServer(url, folder, new_views=1_000_000) as server,
        httpx.Client(base_url=server.base, timeout=60) as client,
    ):

        def send(number: int, *, is_check: bool) -> None:
            answer = client.post(
                f"/api/v1/boards/trees/runs?dry_run={str(is_check).lower()}",
                files={"file": ("a.run", run_text(number))}, data={"metadata": f'{{"name": "r{number}"}}'},
                headers=bearer,
            )  # fmt: skip
            assert answer.status_code == (200 if is_check else 202), answer.text

        for number in range(RUNS):
            send(100 + number, is_check=False)
        wait_until(lambda: f'state="done"}} {3 * RUNS}' in client.get("/metrics").text, 120)
        asked, draw, sizes = addresses_of(client, visitors), random.Random(1), {}
        for number in range(1, REQUESTS + 1):
            who, path = draw.choice(asked)
            assert client.get(path, headers=visitors[who]).status_code < 500, (who, path)
            if number % 100 == 0:
                send(1_000 + number, is_check=True)
                sizes[number] = memory_of(server)
        time.sleep(1)
        sizes[REQUESTS] = memory_of(server)
        parts = ", ".join(f"{proportional_size(pid):.0f}" for pid in tree_of(server.pid))
    print(  # noqa: T201  # for `pytest -s`
        f"{len(asked):,} addresses; {sizes[FIRST]:.0f} MB after {FIRST:,} requests, {sizes[REQUESTS]:.0f} MB after "
        f"{REQUESTS:,} ({parts}), {max(sizes.values()):.0f} MB at most"
    )
    assert max(sizes.values()) < MOST
    assert sizes[REQUESTS] < GROWTH * sizes[FIRST]
