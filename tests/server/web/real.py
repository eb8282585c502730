"""A real server as somebody starts it, in a group of processes of its own, of which nothing is left at the end."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from runoff.server.cases.accounts.sign_in import make_api_token
from tests.server.cases.served import Served

SECONDS = 60


class RealServer:
    """`runoff serve` on a database and a folder; it can be killed and started again at the same port."""

    def __init__(self, url: str, folder: Path, *, workers: int = 1, **settings: object) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.base = f"http://127.0.0.1:{self.port}"
        self._command = [sys.executable, "-m", "runoff", "serve", "--port", str(self.port), "--workers", str(workers)]
        self._environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(sys.path),
            "RUNOFF_DATABASE": url,
            "RUNOFF_FOLDER": str(folder),
            "RUNOFF_LEASE_SECONDS": "2",
            **{f"RUNOFF_{name.upper()}": str(value) for name, value in settings.items()},
        }
        self._log = folder.parent / "server.log"
        self._groups: list[int] = []
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        crew: list[int] = []
        if kind is None and self._process is not None and self._process.poll() is None:
            crew = workers_of(self._process.pid)
            self._process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(SECONDS)
        left = [one for one in crew if Path(f"/proc/{one}").exists()]
        for group in self._groups:
            with suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)
        if self._process is not None:
            code = self._process.wait(SECONDS)
            if kind is None:
                assert code in {0, 130}, f"Ctrl-C ends it with {code}: {self.log}"
                assert left == [], "workers end before their server"

    @property
    def pid(self) -> int:
        """The process that answers."""
        assert self._process is not None
        return self._process.pid

    @property
    def log(self) -> str:
        """What the servers have said."""
        return self._log.read_text()

    def start(self) -> None:
        """Start the server and wait until it is ready."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command, stdout=log, stderr=log, env=self._environment, start_new_session=True
            )
        self._groups.append(self._process.pid)
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            assert self._process.poll() is None, self.log
            try:
                with urllib.request.urlopen(f"{self.base}/readyz", timeout=5):  # noqa: S310
                    return
            except OSError:
                time.sleep(0.05)
        raise AssertionError(self.log)

    def kill(self) -> None:
        """Kill the process that answers, as a machine out of memory would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(SECONDS)

    def kill_worker(self) -> bool:
        """Kill one of the workers; whether there was one."""
        assert self._process is not None
        for child in workers_of(self._process.pid):
            with suppress(OSError):
                os.kill(child, signal.SIGKILL)
                return True
        return False

    def leftovers(self) -> list[int]:
        """Processes of servers that were killed; their workers end by themselves, a little later."""
        assert self._process is not None
        return [group for group in self._groups[:-1] if _has_living(group)]


def token_of(served: Served) -> str:
    """A token of the member, by the clock of the machine."""
    token, _ = make_api_token(
        served.database, served.member, name="t", scopes=frozenset({"read", "submit"}), now=datetime.now(UTC)
    )
    return token


def workers_of(pid: int) -> list[int]:
    """The worker processes of a server."""
    found = []
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        with suppress(OSError):
            if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                found.append(int(child))
    return found


def _has_living(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until(reached: Callable[[], object], seconds: float = 30) -> None:
    """Wait for something that a server does in its own time."""
    end = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.02)
