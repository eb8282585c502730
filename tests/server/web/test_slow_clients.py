"""Attacks by idle and slow clients on a server as somebody starts it, while somebody else opens a page."""

from __future__ import annotations

import http.client
import resource
import socket
import time
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

import pytest

from runoff.server.site import SiteSettings, open_site
from tests.server.cases.served import Served
from tests.server.web.raw_clients import OTHER
from tests.server.web.real import RealServer, wait_until

HALF_OPEN = 600
SECONDS = 8.0
"""How long an attack goes on; it ends by itself."""
PAGE_SECONDS = 0.3
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


def page_times(port: int) -> list[float]:
    """Seconds until another person has a page, each time by a new connection."""
    times = []
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
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


def filled_site(folder: Path) -> str:
    """The address of a database with a board."""
    url = f"sqlite:///{folder / 'a.db'}"
    site = open_site(SiteSettings(database=url, folder=folder / "files"))
    Served.made_in(site.database, folder)
    site.close()
    return url


@pytest.mark.proof
@pytest.mark.parametrize("source", [OTHER, "127.0.0.1"], ids=["one address", "a trusted proxy"])
def test_pages_are_quick_while_somebody_keeps_connections_half_open(tmp_path, source):
    with RealServer(filled_site(tmp_path), tmp_path / "files", header_seconds=3, body_seconds=3) as server:
        before = page_times(server.port)
        attacks = [Attack(server.port, source, HALF_OPEN, HEADERS), Attack(server.port, source, 60, BODY)]
        for attack in attacks:
            attack.start()
            assert attack.is_complete.wait(20)
        during = page_times(server.port)
        for attack in attacks:
            attack.stop.set()
            attack.join(10)
        slow, usual = during[int(0.95 * len(during))], before[int(0.95 * len(before))]
        opened = sum(attack.opened for attack in attacks)
        figures = (
            f"{opened:,} connections from {source}; p95 of {len(during)} pages {slow:.3f} s, without {usual:.3f} s"
        )
        print(figures)  # noqa: T201  # for `pytest -s`
        assert slow < PAGE_SECONDS
        assert len(server.log.splitlines()) < 100


@pytest.mark.proof
def test_without_file_descriptors_the_log_stays_small_and_the_server_recovers(tmp_path):
    with RealServer(filled_site(tmp_path), tmp_path / "files", header_seconds=60) as server:
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
