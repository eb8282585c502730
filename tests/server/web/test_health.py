"""For machines that watch: what stops the server from taking a run is noticed."""

from __future__ import annotations

import errno
import logging
import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import event, select

from runoff.server.store.models.boards import LABEL_SET
from tests.server.store.backends import both_databases


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Every request looks again."""
    monkeypatch.setattr("runoff.server.web.health.KEPT_SECONDS", 0.0)


def answer_of(serving) -> tuple[int, str]:
    answer = serving.client.get("/readyz")
    return answer.status_code, answer.text


NOT_READY = (503, "not ready\n")


@both_databases
def test_alive_ready_and_counting(serving):
    assert serving.client.get("/healthz").text == "alive\n"
    assert serving.client.get("/readyz").text == "ready\n"
    serving.send()
    found = serving.client.get("/metrics")
    assert found.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = found.text.splitlines()
    assert 'runoff_jobs{kind="score",state="done"} 3' in lines
    assert 'runoff_jobs{kind="score",state="queued"} 1' in lines
    assert 'runoff_answers_total{status="202"} 1' in lines


def test_without_room_for_files_it_is_not_ready(serving, monkeypatch, caplog):
    caplog.set_level(logging.INFO, "runoff.server.web")

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr("runoff.server.store.files.os.write", full)
        assert [answer_of(serving) for _ in range(3)] == [NOT_READY] * 3
    assert answer_of(serving) == (200, "ready\n")
    assert list(serving.site.files.incoming.iterdir()) == []
    said = [record.getMessage() for record in caplog.records if "ready" in record.getMessage()]
    assert len(said) == 2, "it says so once, and when it is ready again"
    assert "No space left on device" in said[0]


def test_without_room_for_the_database_or_temporary_files_it_is_not_ready(serving, monkeypatch):
    full = SimpleNamespace(total=10, used=10, free=0)
    monkeypatch.setattr("runoff.server.cases.readiness.shutil.disk_usage", lambda _: full)
    assert answer_of(serving) == NOT_READY


def test_with_a_folder_that_cannot_be_written_it_is_not_ready(serving, monkeypatch):
    def refused(*_, **__):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr("runoff.server.store.files.tempfile.mkstemp", refused)
    assert answer_of(serving) == NOT_READY


@both_databases
def test_with_a_read_only_database_it_is_not_ready(serving):
    database = serving.site.database
    is_sqlite = database.url.get_backend_name() == "sqlite"

    def lock(connection):
        connection.exec_driver_sql("PRAGMA query_only = 1" if is_sqlite else "SET TRANSACTION READ ONLY")

    assert answer_of(serving) == (200, "ready\n")
    event.listen(database.engine, "begin", lock)
    try:
        assert answer_of(serving) == NOT_READY
    finally:
        event.remove(database.engine, "begin", lock)
        database.engine.dispose()
    assert answer_of(serving) == (200, "ready\n")


@pytest.mark.parametrize("backend", ["sqlite"])
def test_without_the_file_of_its_database_it_is_not_ready(serving):
    file = Path(str(serving.site.database.url.database))
    file.rename(file.with_name("moved"))
    assert answer_of(serving) == NOT_READY
    file.with_name("moved").rename(file)
    assert answer_of(serving) == (200, "ready\n")


@pytest.mark.parametrize("backend", ["sqlite"])
def test_a_database_whose_file_may_not_be_written_is_noticed(serving, monkeypatch):
    """Open connections could still write; the next one could not."""
    monkeypatch.setattr("runoff.server.store.database.os.access", lambda *_: False)
    assert answer_of(serving) == NOT_READY


def test_without_a_label_file_it_is_not_ready(serving):
    with serving.site.database.read() as connection:
        hashes = [one for one in connection.execute(select(LABEL_SET.c.content_hash)).scalars() if one]
    place = serving.site.files.place(hashes[0])
    place.rename(place.with_name("moved"))
    assert answer_of(serving) == NOT_READY
    place.with_name("moved").rename(place)
    assert answer_of(serving) == (200, "ready\n")


@pytest.mark.parametrize("backend", ["sqlite"])
def test_somebody_who_writes_does_not_make_it_unready(serving):
    turns = serving.site.database.turns
    assert turns is not None
    assert turns.take(seconds=1)
    try:
        assert answer_of(serving) == (200, "ready\n")
    finally:
        turns.give_back()


def test_it_looks_once_in_a_while_however_often_it_is_asked(serving, monkeypatch):
    monkeypatch.setattr("runoff.server.web.health.KEPT_SECONDS", 60.0)
    looks = []

    def look(*_):
        looks.append(1)
        return ""

    monkeypatch.setattr("runoff.server.web.health.find_fault", look)
    assert {answer_of(serving) for _ in range(20)} == {(200, "ready\n")}
    assert len(looks) == 1
