"""Sending a run: addresses, refusals, and a server that is not there."""

from __future__ import annotations

import email
import json
import os
import subprocess
import sys

import pytest

from runoff.errors import InputError, NotAllowedError, UsageError
from runoff.verbs.submit import ServerError, _Form, api_address, submit
from tests.server.cases.answering import Reply, answering

BOARD = "http://127.0.0.1:9/boards/a"


@pytest.fixture
def run(tmp_path):
    file = tmp_path / 'a".run'
    file.write_bytes(b"q1 Q0 d 1 1.0 x\n" * 50_000)
    return file


@pytest.mark.parametrize("address", ["x", "ftp://a/boards/b", "http://a/", "http://a/boards/", "http://a/boards/b/c"])
def test_bad_addresses(address):
    with pytest.raises(UsageError, match="is not a board"):
        api_address(address)


def test_addresses():
    assert api_address("http://a:1/x/boards/b") == "http://a:1/x/api/v1/boards/b"
    assert api_address("http://a/api/v1/boards/b") == "http://a/api/v1/boards/b"


def test_the_form_is_as_long_as_it_says_and_can_be_read(run):
    form = _Form(run, b'{"name": "n"}', "k")
    seen = []
    body = b"".join(form.blocks(lambda done, total: seen.append((done, total))))
    assert len(body) == form.size
    assert seen[-1] == (800_000, 800_000)
    head = f"Content-Type: multipart/form-data; boundary={form.boundary}\r\n\r\n".encode()
    parts = email.message_from_bytes(head + body).get_payload()
    assert [part.get_param("name", header="content-disposition") for part in parts] == ["metadata", "file"]  # type: ignore[union-attr]
    assert parts[1].get_payload(decode=True) == run.read_bytes()  # type: ignore[union-attr,index]


def test_a_server_that_is_not_there_is_tried_again(run):
    waits: list[float] = []
    with pytest.raises(ServerError, match="cannot be reached"):
        submit(run, board=BOARD, token="t", pause=waits.append)
    assert waits == [2.0, 4.0, 8.0]


def fault(message, problems=()):
    return json.dumps({"error": {"message": message, "problems": list(problems)}}).encode()


@pytest.mark.parametrize(
    "answer, error, message, asked",
    [
        (Reply(422, fault("m", ["p1", "p2"])), InputError, "p1\np2", 1),
        (Reply(403, fault("m")), NotAllowedError, "m", 1),
        (Reply(429, fault("no submission is left")), ServerError, "no submission is left", 1),
        (Reply(429, b"slow down", {"Retry-After": "7"}), ServerError, "status 429; too many requests.*in 7 s", 1),
        (Reply(500, b"<h1>oops"), ServerError, "status 500; the server failed", 1),
        (Reply(503, fault("others are checking files")), ServerError, "checking files; tried 4 times", 4),
        (Reply(502, b"<h1>bad gateway"), ServerError, "status 502, .*tried 4 times", 4),
        (Reply(404, b"<h1>nothing"), ServerError, "status 404; expected a runoff server", 1),
        (Reply(200, b"<h1>hello"), ServerError, "the answer is not JSON", 1),
        (Reply(200, b"[]"), ServerError, "an unknown answer", 1),
        (
            Reply(302, b"", {"Location": "http://other.example/x"}),
            ServerError,
            "has moved to http://other.example/x; nothing",
            1,
        ),
        (
            Reply(308, b"", {"Location": "https://same.example/x"}),
            ServerError,
            "has moved to https://same.example/x; nothing",
            1,
        ),
        (Reply(0, b""), ServerError, "ended the connection without an answer; tried 4 times", 4),
        (Reply(413, fault("too large"), early=True), ServerError, "too large", 1),
    ],
)
def test_whatever_a_server_does_is_told(run, answer, error, message, asked):
    with answering(answer) as server:
        pauses: list[float] = []
        with pytest.raises(error, match=message):
            submit(run, board=f"{server.address}/boards/a", token="t", pause=pauses.append)
    assert len(server.seen) == asked
    assert len({one["idempotency-key"] for one in server.seen}) == 1
    assert len(pauses) == asked - 1


def test_a_server_that_dies_in_the_middle_and_comes_back_has_one_submission(run):
    taken = Reply(202, json.dumps({"id": 1, "name": "a", "status": "queued"}).encode())
    with answering(Reply(0, b"", early=True), Reply(503, b""), taken) as server:
        result = submit(run, board=f"{server.address}/boards/a", token="t", pause=lambda _: None)
    assert result.answer["id"] == 1
    assert len({one["idempotency-key"] for one in server.seen}) == 1


def test_a_connection_that_is_not_safe_is_told_at_once(run):
    with answering(Reply(200, b"{}")) as server:
        board = f"{server.address.replace('http:', 'https:')}/boards/a"
        with pytest.raises(ServerError, match=r"the connection is not safe \(.+\); nothing was sent"):
            submit(run, board=board, token="t", pause=lambda _: pytest.fail("waited"))
        assert server.seen == []


def test_the_command_ends_with_2_and_words(run):
    with answering(Reply(500, b"oops")) as server:
        command = [sys.executable, "-m", "runoff", "submit", str(run), "--board", f"{server.address}/boards/a"]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "RUNOFF_TOKEN": "t"}
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60, check=False)
    assert done.returncode == 2
    assert "the server failed; try again later" in done.stderr
    assert "Traceback" not in done.stderr


def test_bad_metadata_is_not_sent(run):
    with pytest.raises(InputError, match="unknown key"):
        submit(run, board=BOARD, token="t", metadata=b'{"x": 1}')
    with pytest.raises(InputError, match="no such file"):
        submit(run.with_name("none"), board=BOARD, token="t")
