"""A full disk: told in words, nothing is kept by halves, and the server goes on when there is room again."""

from __future__ import annotations

import errno
import os
import subprocess
import time
from contextlib import contextmanager

import httpx
import pytest
from sqlalchemy import event, text

from runoff.errors import NoRoomError
from runoff.server.store.backup import load_missing_files
from runoff.server.store.database import open_database, upgrade
from runoff.server.store.jobs import load_job_by_key
from runoff.server.store.submissions import load_runs
from runoff.server.worker import PAUSE, Worker
from tests.programs import required
from tests.server.cases.served import Served, run_text
from tests.server.store.backends import both_databases
from tests.server.web.real import RealServer, token_of


def test_a_full_folder_is_507_and_leaves_nothing(serving, monkeypatch):
    before = serving.everything()

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr("runoff.server.store.files.os.write", full)
        answer = serving.send()
    assert answer.status_code == 507
    fault = answer.json()["error"]
    assert (fault["kind"], fault["problems"]) == ("no room", [])
    assert "disk is full; nothing of this was kept; try again later" in fault["message"]
    assert str(serving.site.files.folder) not in answer.text
    assert serving.everything() == before
    assert serving.send().status_code == 202
    assert serving.work() == 1


@contextmanager
def full_database(database):
    """SQLite may not grow any more; PostgreSQL, whose disk cannot be filled here, says what it says then."""
    if database.url.get_backend_name() == "sqlite":
        with database.read() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()

        def limit(connection):
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

        event.listen(database.engine, "begin", limit)
        yield
        event.remove(database.engine, "begin", limit)
        database.engine.dispose()  # the limit is the connection's
    else:
        raising = "BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END"
        database.write(
            lambda c: c.execute(text(f"CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $${raising}$$"))
        )
        trigger = "CREATE TRIGGER full_disk BEFORE INSERT ON audit FOR EACH ROW EXECUTE FUNCTION full_disk()"
        database.write(lambda c: c.execute(text(trigger)))
        yield
        database.write(lambda c: c.execute(text("DROP TRIGGER full_disk ON audit")))


@both_databases
def test_a_full_database_is_507_and_leaves_no_file(serving):
    before = serving.everything()
    long = {"name": "n", "description": "x" * 5000, "paper": "y" * 5000, "code": "z" * 5000}
    content = run_text(5)
    with full_database(serving.site.database):
        answers = [serving.send(content, said=long).status_code for _ in range(3)]
    assert answers == [507] * 3
    assert serving.everything() == before
    assert serving.send(content, said=long).status_code == 202
    assert serving.work() == 1


def test_a_run_does_not_pay_for_a_full_disk(serving, monkeypatch):
    number = serving.send().json()["id"]
    worker = Worker(serving.site)
    for failure in [NoRoomError("x"), OSError(errno.ENOSPC, "x")] * 4:

        def full(*_, failure=failure, **__):
            raise failure

        with monkeypatch.context() as patch:
            patch.setattr("runoff.server.worker.score_submission", full)
            assert worker.work_once()
            assert not worker.work_once(), "it waits"
        serving.clock.moment += PAUSE
    with serving.site.database.read() as connection:
        job = load_job_by_key(connection, f"score:{number}")
    assert job is not None
    assert (job.state, job.attempts) == ("queued", 0)
    assert worker.work_once()
    assert serving.run(number).json()["status"] == "scored"


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 6 MB, where one can be had."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = [required("mount"), "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(folder)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("a small disk cannot be mounted here; the other tests of this file make the same errors")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(file):
    with file.open("wb", buffering=0) as stream:
        while True:
            stream.write(b"x" * 4096)


@pytest.mark.program
def test_a_disk_that_is_really_full(small_disk):
    url = f"sqlite:///{small_disk / 'a.db'}"
    database = open_database(url)
    upgrade(database)
    served = Served.made_in(database, small_disk, runs=1)
    token = token_of(served)
    ballast = small_disk / "ballast"

    def send(number):
        return httpx.post(
            f"{server.base}/api/v1/boards/trees/runs",
            files={"file": ("a.run", run_text(number, depth=1000))},
            data={"metadata": f'{{"name": "{number}"}}'},
            headers={"Authorization": f"Bearer {token}"},
            timeout=60,
        )

    def seen():
        with database.read() as connection:
            runs = [(run.name, run.state) for run in load_runs(connection, served.board.id, team_id=served.team.id)]
        return runs, sorted(served.files.hashes()), [one.name for one in served.files.incoming.iterdir()]

    with RealServer(url, served.files.folder, workers=1) as server:
        before = seen()
        # As much as goes in, to the last byte; then room for less and less than a run.
        with pytest.raises(OSError, match="No space"):
            fill(ballast)
        for room in (0, 20_000, 400_000):
            os.truncate(ballast, ballast.stat().st_size - room)
            answer = send(1)
            assert answer.status_code == 507, (room, answer.text)
            assert "the server's disk is full" in answer.json()["error"]["message"]
            assert seen() == before
            assert httpx.get(f"{server.base}/api/v1/boards", timeout=30).status_code == 200
        ballast.unlink()
        answer = send(1)
        assert answer.status_code == 202, answer.text
        for _ in range(300):
            if seen()[0] == [("1", "scored")]:
                break
            time.sleep(0.1)
        assert seen()[0] == [("1", "scored")]
    assert load_missing_files(database, served.files) == ()
    assert "Traceback" not in server.log
    database.close()
