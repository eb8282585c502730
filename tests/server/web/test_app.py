"""The app as a whole: addresses, the worker in it, and nothing private outside the sealed store."""

from __future__ import annotations

import logging
import time
from datetime import timedelta

from fastapi.testclient import TestClient

from runoff.server.web.app import create_app
from tests.server.cases.served import NOW, PRIVATE, run_text
from tests.server.web.serving import API, Serving

MARK = "zzsealedzz"


def test_the_worker_in_the_server_scores_what_is_sent(serving):
    with TestClient(create_app(serving.site, with_worker=True)) as client:
        number = serving.send().json()["id"]
        for _ in range(200):
            if client.get(f"{API}/runs/{number}", headers=serving.bearer).json()["status"] == "scored":
                break
            time.sleep(0.05)
        else:
            raise AssertionError


def test_no_answer_file_or_log_names_a_private_query(database, tmp_path, caplog, monkeypatch):
    # Runs name private queries themselves, so this one names none: whatever is found was told by the server.
    open_text = run_text(5, queries=[f"q{number}" for number in range(24)])
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    with (
        caplog.at_level(logging.DEBUG),
        Serving.made_in(database, tmp_path, private_until=NOW + timedelta(days=9)) as serving,
    ):
        answers = [serving.send(open_text)]
        serving.work()
        number = answers[0].json()["id"]
        answers += [serving.send("bad"), serving.send(open_text, dry_run="true")]
        serving.work()
        organiser = serving.token_of(serving.served.organiser, "read", "organise")
        for headers in ({}, serving.bearer, organiser):
            for path in (
                f"{API}/boards",
                f"{API}/boards/trees",
                f"{API}/boards/trees?query_set=private",
                f"{API}/boards/trees?labels=dev%20private",
                f"{API}/boards/trees/compare?champion=1&challenger={number}",
                f"{API}/boards/trees/quota",
                f"{API}/runs/{number}",
                f"{API}/runs/1",
                f"{API}/openapi.json",
                "/metrics",
                "/account",
            ):
                answers.append(serving.client.get(path, headers=headers))
        assert [answer.url for answer in answers if MARK in answer.text] == []
        assert [answer.url for answer in answers if MARK in str(answer.headers)] == []
        for answer in answers:
            for score in answer.json().get("scores", []) if "json" in answer.headers.get("content-type", "") else []:
                assert not score["private"] or answer.request.headers.get("authorization") == organiser["Authorization"]
        labels = [path for path in tmp_path.rglob("*") if path.is_file() and "described" not in path.parts]
        runs = {serving.site.files.path(run) for run in serving.site.files.hashes()}
        leaks = [
            path
            for path in labels
            if MARK.encode() in path.read_bytes() and path not in runs and path.suffix not in {".db", ".db-wal"}
        ]
        assert leaks == []
        # Of the files in the store only runs that the teams sent name them: no labels, no list of queries.
        named = [path.read_bytes() for path in runs if MARK.encode() in path.read_bytes()]
        assert all(text.split()[1] == b"Q0" for text in named)
    assert MARK not in caplog.text
    assert len(PRIVATE) == 24


def test_an_error_in_scoring_names_nothing_private(serving, caplog, monkeypatch):
    def broken(*_, **__):
        raise RuntimeError(f"{MARK}1 is odd")

    number = serving.send().json()["id"]
    monkeypatch.setattr("runoff.server.cases.uploads.run.score_upload", broken)
    for _ in range(6):
        serving.work()
        serving.clock.moment += timedelta(hours=1)
    found = serving.run(number)
    assert found.json()["status"] == "rejected"
    assert "could not score" in found.json()["problems"][0]
    assert MARK not in found.text + caplog.text
    with serving.site.database.read() as connection:
        rows = connection.exec_driver_sql("SELECT error FROM job WHERE error IS NOT NULL").scalars().all()
    assert rows
    assert all(MARK not in row for row in rows)
