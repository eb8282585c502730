"""Attacks by idle and slow clients, and by somebody with many large files, while others open pages and submit a run."""

from __future__ import annotations

import http.client
import resource
import socket
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from threading import Event, Thread
from typing import Any

import httpx
import pytest

from runoff.server.site import SiteSettings, open_site
from runoff.server.store.people import Person, save_person, save_team
from tests.server.cases.served import NOW, Served, run_text
from tests.server.web.raw_clients import OTHER
from tests.server.web.real import RealServer, token_of, wait_until

HALF_OPEN = 600
SECONDS = 8.0
"""How long an attack goes on; it ends by itself."""
PAGE_SECONDS = 0.3
UPLOADS = 20
UPLOAD_SECONDS = 10
LARGE = 32_000_000
"""Bytes of a file of which somebody sends many."""
HEADERS = b"GET /boards/trees HTTP/1.1\r\nHost: a\r\nX-Slow: "
FORM = b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 9999\r\n"
BODY = b"POST /sign-in HTTP/1.1\r\nHost: a\r\n" + FORM + b"\r\n"


class Attack(Thread):
    """Keeps a number of connections open, sends a byte on each now and then, and opens those again that were closed."""

    def __init__(self, port: int, source: str, count: int, begin: bytes) -> None:
        super().__init__(daemon=True)
        self.port, self.source, self.count, self.begin = port, source, count, begin
        self.stop, self.is_complete = Event(), Event()
        self.clients: list[socket.socket] = []
        self.opened = 0

    def run(self) -> None:
        """Attack for `SECONDS` at most."""
        end = time.monotonic() + SECONDS + 10
        while not self.stop.is_set() and time.monotonic() < end:
            self.clients = [client for client in self.clients if self._goes_on(client)]
            for _ in range(self.count - len(self.clients)):
                with suppress(OSError):
                    address, source = ("127.0.0.1", self.port), (self.source, 0)
                    client = socket.create_connection(address, timeout=1, source_address=source)
                    client.setblocking(False)
                    client.send(self.begin)
                    self.clients.append(client)
                    self.opened += 1
            self.is_complete.set()
            self.stop.wait(0.5)
        for client in self.clients:
            client.close()

    def _goes_on(self, client: socket.socket) -> bool:
        with suppress(BlockingIOError):
            try:
                client.send(b"x")
                is_closed = client.recv(1000) is not None
            except ConnectionError:
                is_closed = True
            if is_closed:
                client.close()
                return False
        return True


def page_times(port: int, is_over: Callable[[], bool] = lambda: True) -> list[float]:
    """Seconds until another person has a page, each time by a new connection, for `SECONDS` or longer."""
    times = []
    end = time.monotonic() + SECONDS
    while time.monotonic() < end or not is_over():
        begin = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request("GET", "/boards/trees")
        response = connection.getresponse()
        assert response.status == 200
        response.read()
        connection.close()
        times.append(time.monotonic() - begin)
        time.sleep(0.05)
    return sorted(times)


def filled_site(folder: Path) -> tuple[str, list[str]]:
    """The address of a database with a board, and API tokens of two people in different teams."""
    url = f"sqlite:///{folder / 'a.db'}"
    site = open_site(SiteSettings(database=url, folder=folder / "files"))
    served = Served.made_in(site.database, folder, most=100)

    def add_eve(connection: Any) -> Person:
        row: Any = {"email": "eve@example.org", "display_name": "Eve", "role": "member"}
        person = save_person(connection, **row, actor=None, now=NOW)
        save_team(connection, slug="pines", name="Pines", founder=person.id, now=NOW)
        return person

    people = served, replace(served, member=site.database.write(add_eve))
    tokens = [token_of(one) for one in people]
    site.close()
    return url, tokens


def write_large_run(file: Path, number: int) -> Path:
    """A run of 32 MB: the queries of the board and many others, each with 100 documents."""
    with file.open("w") as stream:
        stream.write(run_text(number))
        for query in count(1_000_000):
            if stream.tell() >= LARGE:
                break
            lines = [f"{query} Q0 D{query * 100 + rank} {rank} {200 - rank} large\n" for rank in range(100)]
            stream.writelines(lines)
    return file


def send_run(port: int, token: str, name: str, file: Path) -> tuple[int, float]:
    """Submit a file: the status of the answer, and after how many seconds it came."""
    begin = time.monotonic()
    with file.open("rb") as stream:
        answer = httpx.post(
            f"http://127.0.0.1:{port}/api/v1/boards/trees/runs",
            files={"file": (file.name, stream)},
            data={"metadata": f'{{"name": "{name}"}}'},
            headers={"Authorization": f"Bearer {token}"},
            timeout=120,
        )
    return answer.status_code, time.monotonic() - begin


def send_together(port: int, token: str, files: list[Path]) -> list[int]:
    """Submit files at the same time, and return the statuses of the answers."""
    with ThreadPoolExecutor(len(files)) as threads:
        sent = [threads.submit(send_run, port, token, file.stem, file) for file in files]
        return [one.result()[0] for one in sent]


@pytest.mark.proof
@pytest.mark.parametrize("source", [OTHER, "127.0.0.1"], ids=["one address", "a trusted proxy"])
def test_pages_are_quick_while_somebody_keeps_connections_half_open(tmp_path, source):
    url, _ = filled_site(tmp_path)
    with RealServer(url, tmp_path / "files", header_seconds=3, body_seconds=3) as server:
        before = page_times(server.port)
        attacks = [Attack(server.port, source, HALF_OPEN, HEADERS), Attack(server.port, source, 60, BODY)]
        for attack in attacks:
            attack.start()
            assert attack.is_complete.wait(20)
        during = page_times(server.port)
        for attack in attacks:
            attack.stop.set()
            attack.join(10)
        slow, usual = p95(during), p95(before)
        opened = sum(attack.opened for attack in attacks)
        figures = (
            f"{opened:,} connections from {source}; p95 of {len(during)} pages {slow:.3f} s, without {usual:.3f} s"
        )
        print(figures)  # noqa: T201  # for `pytest -s`
        assert slow < PAGE_SECONDS
        assert len(server.log.splitlines()) < 100


@pytest.mark.proof
@pytest.mark.parametrize("source", [OTHER, "127.0.0.1"], ids=["one address", "a trusted proxy"])
def test_pages_and_runs_of_others_are_quick_while_somebody_sends_twenty_large_files_too(tmp_path, source):
    url, (ann, eve) = filled_site(tmp_path)
    large = [write_large_run(tmp_path / f"large {number}.run", number) for number in range(UPLOADS)]
    usual = tmp_path / "usual.run"
    usual.write_text(run_text(100))
    own = write_large_run(tmp_path / "own.run", 101)
    # A process of its own, so that this one measures the server and not its own threads.
    with (
        RealServer(url, tmp_path / "files") as server,
        ProcessPoolExecutor(1, mp_context=get_context("spawn")) as others,
        ThreadPoolExecutor(1) as pages,
    ):
        attacks = [Attack(server.port, source, HALF_OPEN, HEADERS), Attack(server.port, source, 60, BODY)]
        for attack in attacks:
            attack.start()
            assert attack.is_complete.wait(20)
        sent = others.submit(send_together, server.port, ann, large)
        times = pages.submit(page_times, server.port, sent.done)
        time.sleep(2)  # they are under way
        accepted = [send_run(server.port, eve, file.stem, file) for file in (usual, own)]
        is_during = not sent.done()
        statuses, slow = Counter(sent.result()), p95(times.result())
        for attack in attacks:
            attack.stop.set()
            attack.join(10)
        seconds = " and ".join(
            f"{file.stat().st_size:,} bytes in {took:.1f} s"
            for file, (_, took) in zip((usual, own), accepted, strict=True)
        )
        print(f"from {source}: p95 of {len(times.result())} pages {slow:.3f} s; accepted {seconds}; {dict(statuses)}")  # noqa: T201
    assert is_during
    assert [status for status, _ in accepted] == [202, 202]
    assert max(took for _, took in accepted) < UPLOAD_SECONDS
    assert slow < PAGE_SECONDS
    assert set(statuses) == {202, 503}, "one after the other is read, some wait, and the others are refused"


def p95(times: list[float]) -> float:
    """The 95th percentile of times that are sorted."""
    return times[int(0.95 * len(times))]


@pytest.mark.proof
def test_without_file_descriptors_the_log_stays_small_and_the_server_recovers(tmp_path):
    url, _ = filled_site(tmp_path)
    with RealServer(url, tmp_path / "files", header_seconds=60) as server:
        usual = resource.prlimit(server.pid, resource.RLIMIT_NOFILE)
        in_use = len(list(Path(f"/proc/{server.pid}/fd").iterdir()))
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (in_use, usual[1]))
        attack = Attack(server.port, OTHER, HALF_OPEN, HEADERS)
        attack.start()
        time.sleep(SECONDS)
        refusals = server.log.count("out of system resource")
        print(f"{refusals} lines of the log say that there is no file descriptor")  # noqa: T201  # for `pytest -s`
        assert 0 < refusals <= 60
        attack.stop.set()
        attack.join(10)
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, usual)
        wait_until(lambda: is_answered(server.port))


def is_answered(port: int) -> bool:
    """Whether a page is answered."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", "/boards/trees")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()
