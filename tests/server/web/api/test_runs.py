"""Runs through the API: taken, scored, refused; what is sent twice is one submission."""

from __future__ import annotations

import gzip
import io
import json
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any

import polars as pl
import pytest

from runoff.server.store.boards import save_board_settings
from runoff.server.store.jobs import load_job_counts
from runoff.server.store.people import save_person
from tests.server.cases.served import NOW, PUBLIC, run_text
from tests.server.store.backends import both_databases
from tests.server.web.serving import API, READ_LIMIT, UPLOAD_LIMIT, Serving

HTML = "<script>alert('x')</script>"


@both_databases
def test_a_run_is_taken_and_scored(serving):
    answer = serving.send(run_text(7), said={"name": "bm25", "team": "Oaks", "description": "good"})
    assert answer.status_code == 202
    number = answer.json()["id"]
    assert answer.json() == {
        "id": number,
        "name": "bm25",
        "status": "queued",
        "status_url": f"http://testserver{API}/runs/{number}",
    }
    assert answer.headers["location"] == answer.json()["status_url"]
    assert serving.run(number).json()["status"] == "queued"
    serving.work()
    found = serving.run(number).json()
    assert (found["status"], found["team"], found["problems"]) == ("scored", "Oaks", [])
    assert [(score["labels"], score["queries"]) for score in found["scores"] if not score["private"]] == [
        ("dev", "public")
    ]
    assert found["verdict"]["strict"] in {"better", "worse", "trade-off", "inconclusive"}
    assert "bm25" in found["verdict"]["sentence"]
    board = serving.client.get(f"{API}/boards/trees").json()
    assert "bm25" in [row["run"] for row in board["runs"]]


@both_databases
def test_the_same_key_is_one_submission_also_when_no_slot_is_left(serving):
    first = serving.send(run_text(7), key="k", said={"name": "a"})
    assert serving.send(run_text(7), key="k", said={"name": "a"}).json() == first.json()
    assert [serving.send().status_code for _ in range(3)] == [202, 202, 429]
    assert serving.send(run_text(7), key="k", said={"name": "a"}).json() == first.json()
    other = serving.send(run_text(8), key="k", said={"name": "b"})
    assert (other.status_code, other.json()["error"]["kind"]) == (409, "conflict")


def test_a_full_quota_says_when_it_is_free(serving):
    for _ in range(3):
        serving.send()
    answer = serving.send()
    assert answer.status_code == 429
    assert "the next can be made from 2026-04-14 (UTC)" in answer.json()["error"]["message"]
    midnight = NOW.replace(hour=0, minute=0) + timedelta(days=30)
    assert int(answer.headers["retry-after"]) == (midnight - NOW).total_seconds()
    quota = serving.client.get(f"{API}/boards/trees/quota", headers=serving.bearer).json()
    assert (quota["left"], quota["used"], quota["team"]) == (0, 3, "Oaks")


@both_databases
def test_of_many_submissions_at_once_the_quota_takes_no_more(serving):
    texts = [(run_text(seed), {"name": f"run {seed}"}) for seed in range(50, 58)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda item: serving.send(item[0], said=item[1]).status_code, texts))
    assert sorted(answers) == [202] * 3 + [429] * 5
    assert serving.work() == 3


def test_a_dry_run_checks_and_leaves_nothing(serving):
    before = sorted(serving.site.files.hashes())
    answer = serving.send(run_text(7), dry_run="true")
    found = answer.json()
    assert (answer.status_code, found["is_fine"], found["queries"], found["missing_queries"]) == (200, True, 24, 0)
    assert found["quota"]["left"] == 3
    bad = serving.send("q1 Q0 d 1 nan x\n", dry_run="true").json()
    assert not bad["is_fine"]
    assert bad["problems"][0].startswith("a.run:1:")
    assert sorted(serving.site.files.hashes()) == before
    with serving.site.database.read() as connection:
        assert set(load_job_counts(connection)) == {("score", "done")}


def test_a_dry_run_without_a_slot_says_so(serving):
    for _ in range(3):
        serving.send()
    assert serving.send(dry_run="true").status_code == 429


BAD_FILES = (
    ("", "empty"),
    ("hello\n", "a.run: unknown run format"),
    ("q1 Q0 d 1 3.0 x\nq1 Q0 d 2 2.0 x\n", "a.run:2:"),
    ("q1 Q0 d 1 nan x\n", "a.run:1:"),
    (run_text(3, queries=["other1", "other2"]), "no query of this file is one of board 'trees'"),
    (gzip.compress(run_text(3).encode())[:-200], "a.run"),
    (b"PAR1" + b"\x00" * 100 + b"PAR1", "a.run"),
    (b"\x00" * 100, "a.run"),
)


def test_bad_files_are_refused_with_the_name_that_was_sent(serving):
    for content, message in BAD_FILES:
        problems = serving.refused(content)
        assert message in "\n".join(problems)
        assert str(serving.site.files.folder) not in "\n".join(problems)
        assert tempfile.gettempdir() not in "\n".join(problems)
        quota = serving.client.get(f"{API}/boards/trees/quota", headers=serving.bearer).json()
        assert quota["left"] == 3, message


def test_what_passes_the_door_and_cannot_be_scored_gives_the_submission_back(serving):
    found = serving.rejected(b"q1 Q0 d 1 nan x\n", name="mine.run")
    assert found["problems"][0].startswith("mine.run:1: ")
    quota = serving.client.get(f"{API}/boards/trees/quota", headers=serving.bearer).json()
    assert quota["left"] == 3


def test_a_repaired_run_may_keep_its_name(serving):
    serving.rejected(b"bad", said="bm25")
    assert serving.send(run_text(3), said={"name": "bm25"}).json()["name"] == "bm25 (2)"


def test_parquet_is_scored_as_its_text_and_a_damaged_one_ends_nothing(apart):
    serving = apart
    rows = [line.split() for line in run_text(5).splitlines()]
    frame = pl.DataFrame(
        {
            "query_id": [row[0] for row in rows],
            "doc_id": [row[2] for row in rows],
            "score": [float(row[4]) for row in rows],
        }
    )
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    number = serving.send(buffer.getvalue(), name="a.parquet").json()["id"]
    text = serving.send(run_text(5)).json()["id"]
    serving.work()
    assert serving.run(number).json()["scores"][0]["mean"] == serving.run(text).json()["scores"][0]["mean"]
    damaged = bytearray(buffer.getvalue())
    damaged[10:200] = b"\xff" * 190
    problems = serving.refused(bytes(damaged), name="a.parquet")
    assert problems[0].startswith("a.parquet: ")


def test_a_bomb_is_refused_at_the_limit(serving):
    bomb = gzip.compress(b"q1 Q0 d1 1 1.0 x\n" * (READ_LIMIT // 8))
    assert len(bomb) < UPLOAD_LIMIT / 10
    (problem,) = serving.refused(bomb)
    assert problem.startswith("a.run: ")
    assert f"{READ_LIMIT:,}" in problem


def test_an_upload_that_is_too_large_is_stopped(serving):
    answer = serving.send(b"x" * (UPLOAD_LIMIT + 2_000_000))
    assert (answer.status_code, answer.json()["error"]["kind"]) == (413, "too large")
    answer = serving.send(b"x" * (UPLOAD_LIMIT + 10))
    assert answer.status_code == 413
    assert list((serving.site.files.folder / "incoming").iterdir()) == []


def test_hostile_file_names_are_only_words(serving):
    for name in ["../../etc/passwd", "C:\\x\\y", "a\x01b", HTML, "é" * 300, "", "con", "-", "."]:
        (problem,) = serving.refused("q1 Q0 d 1\n", name=name or "x", said={"name": "n"})
        assert problem.isprintable(), name
        assert "etc/passwd" not in problem, name
        assert len(problem) < 400, name


@pytest.mark.parametrize("key", ["name", "description", "paper", "code", "type"])
def test_html_in_a_field_is_data(serving, key):
    answer = serving.send(run_text(3), said={"name": "n", key: HTML})
    assert answer.status_code == 202
    found = serving.run(answer.json()["id"])
    assert found.headers["content-type"] == "application/json"
    assert found.headers["x-content-type-options"] == "nosniff"


BAD_METADATA: tuple[tuple[str | dict[str, Any], str], ...] = (
    ("{", "not JSON"),
    ("[]", "not a JSON object"),
    ({"nam": "x"}, "did you mean 'name'?"),
    ({"name": 3}, "expected the name of the run"),
    ({"name": "x" * 200}, "cannot be a name"),
    ({"team": "Others"}, "not allowed"),
    ({"variant_of": "x"}, "is not a run of your team"),
    ({"embargo_until": "soon"}, "expected a date"),
    ({"baseline": True}, "unknown key 'baseline'"),
    ("[" * 90_000, "not JSON"),
)


def test_bad_metadata_is_refused(serving):
    for said, message in BAD_METADATA:
        answer = serving.send(run_text(3), said=said)
        assert answer.status_code in {403, 422}, message
        assert message in answer.json()["error"]["message"]


def test_who_may_not(serving):
    post = serving.client.post
    url = f"{API}/boards/trees/runs"
    file = {"file": ("a", b"x")}
    assert post(url, files=file).status_code == 401
    assert post(url, files=file, headers={"Authorization": "Bearer wrong"}).status_code == 401
    assert post(url, files=file, headers={"Authorization": "Basic x"}).status_code == 401
    reader = serving.token_of(serving.served.member, "read")
    assert post(url, files=file, headers=reader).status_code == 403
    organiser = serving.token_of(serving.served.organiser, "read", "submit", "organise")
    assert post(url, files=file, headers=organiser).status_code == 403
    assert post(f"{API}/boards/none/runs", files=file, headers=serving.bearer).status_code == 404
    assert post(url, content=b"x", headers=serving.bearer).status_code == 422
    form = {"Content-Type": "multipart/form-data"}
    assert post(url, content=b"x", headers={**serving.bearer, **form}).status_code == 422


def test_an_unpublished_run_is_not_there_for_others(serving):
    number = serving.send(run_text(3), said={"name": "secret", "embargo_until": "2026-05-01"}).json()["id"]
    serving.work()
    stranger = serving.site.database.write(
        lambda connection: save_person(
            connection, email="eve@example.org", display_name="Eve", role="member", actor=None, now=NOW
        )
    )
    nobody: dict[str, str] = {}
    for headers in (nobody, serving.token_of(stranger, "read", "submit")):
        hidden, absent = serving.run(number, headers), serving.run(99999, headers)
        assert hidden.status_code == 404
        assert hidden.json()["error"]["message"].replace(str(number), "N") == absent.json()["error"]["message"].replace(
            "99999", "N"
        )
        assert "secret" not in serving.client.get(f"{API}/boards/trees", headers=headers).text
    assert serving.run(number).status_code == 200
    # The next run is not compared with what others may not see.
    later = serving.send(run_text(4), said={"name": "open"}).json()["id"]
    serving.work()
    assert "secret" not in serving.run(later).text
    serving.clock.moment = NOW + timedelta(days=60)
    assert "secret" in serving.client.get(f"{API}/boards/trees").text


def test_a_closed_board_takes_nothing(serving):
    board = serving.served.board
    settings = replace(board, closes_at=NOW)
    serving.site.database.write(
        lambda connection: save_board_settings(
            connection, board.id, settings, version=board.version, actor=None, now=NOW
        )
    )
    assert serving.send().status_code == 409


def test_scores_on_private_queries_are_shown_after_the_reveal(database, tmp_path):
    reveal, end = NOW + timedelta(days=9), NOW + timedelta(days=1)
    with Serving.made_in(database, tmp_path, private_until=reveal, closes_at=end, digits=2) as serving:
        number = serving.send().json()["id"]
        serving.work()
        assert [score["private"] for score in serving.run(number).json()["scores"]] == [False]
        serving.clock.moment = NOW + timedelta(days=9)
        scores = serving.run(number, {}).json()["scores"]
        (private,) = [score for score in scores if score["private"]]
        assert private["mean"] == round(private["mean"], 2)
        assert private["query_count"] == len(PUBLIC)
        assert json.dumps(scores).count("zzsealedzz") == 0
