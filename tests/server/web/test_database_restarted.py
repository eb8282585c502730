"""PostgreSQL is restarted while runs arrive and are scored: what was acknowledged is there once and scored once."""

from __future__ import annotations

import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from runoff.server.store.database import open_database, upgrade
from tests.server.cases.served import Served
from tests.server.store import postgresql
from tests.server.store.reused import fresh
from tests.server.web.real import RealServer, token_of
from tests.server.web.test_storm import REFUSED, await_scoring, check, send_until_answered

SECONDS = 240
pytestmark = [pytest.mark.postgresql, pytest.mark.proof]


@pytest.fixture
def own_cluster(monkeypatch):
    """A PostgreSQL for this test alone, which keeps what it has acknowledged also when it is killed."""
    monkeypatch.setitem(postgresql.SETTINGS, "synchronous_commit", "on")
    home = postgresql.programs()
    folder = postgresql.start(home)
    yield home, folder
    postgresql.stop(home, folder)


def restart(home, folder, mode):
    command = [*postgresql.unprivileged(), home / "pg_ctl", "-D", folder / "data", "-m", mode, "-w", "restart"]
    command += ["-l", folder / "log"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder)


@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_a_restarted_database_loses_and_repeats_nothing(own_cluster, tmp_path, mode):
    home, folder = own_cluster
    runs, restarts, gate = 60, 4, threading.Semaphore(0)
    with fresh(folder, "template1") as url:
        database = open_database(url)
        upgrade(database)
        served = Served.made_in(database, tmp_path, runs=1, most=runs - REFUSED)
        token, deadline = token_of(served), time.monotonic() + SECONDS

        def sender(number):
            gate.acquire()
            return send_until_answered(server, token, number, deadline)

        with RealServer(url, served.files.folder, workers=2) as server, ThreadPoolExecutor(8) as pool:
            answers = [pool.submit(sender, number) for number in range(runs)]
            for _ in range(restarts):
                gate.release(runs // (restarts + 1))
                time.sleep(1)
                restart(home, folder, mode)
            gate.release(runs)
            found = [one.result() for one in answers]
            database.engine.dispose()  # its connections were cut as well
            await_scoring(database, deadline)
        check(served, found, runs)
        database.close()
