"""Sending a run: addresses, refusals, and a server that is not there."""

from __future__ import annotations

import email
import io
import json
import urllib.error
import urllib.request

import pytest

from runoff.errors import InputError, NotAllowedError, UsageError
from runoff.workflows.submit import ServerError, _Form, api_address, submit

BOARD = "http://127.0.0.1:9/boards/a"


@pytest.fixture
def run(tmp_path):
    file = tmp_path / 'a".run'
    file.write_bytes(b"q1 Q0 d 1 1.0 x\n" * 50_000)
    return file


@pytest.mark.parametrize("address", ["x", "ftp://a/boards/b", "http://a/", "http://a/boards/", "http://a/boards/b/c"])
def test_bad_addresses(address):
    with pytest.raises(UsageError, match="is no board"):
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


@pytest.mark.parametrize(
    "status, body, error, message",
    [
        (422, {"error": {"message": "m", "problems": ["p1", "p2"]}}, InputError, "p1\np2"),
        (403, {"error": {"message": "m", "problems": []}}, NotAllowedError, "m"),
        (429, {"error": {"message": "m", "problems": []}}, ServerError, "m"),
        (500, "html", ServerError, "status 500"),
    ],
)
def test_refusals_are_told(run, monkeypatch, status, body, error, message):
    def refuse(request, **_):
        text = io.BytesIO(json.dumps(body).encode())
        raise urllib.error.HTTPError(request.full_url, status, "x", {}, text)  # type: ignore[arg-type]

    monkeypatch.setattr(urllib.request, "urlopen", refuse)
    with pytest.raises(error, match=message):
        submit(run, board=BOARD, token="t")


def test_bad_metadata_is_not_sent(run):
    with pytest.raises(InputError, match="unknown key"):
        submit(run, board=BOARD, token="t", metadata=b'{"x": 1}')
    with pytest.raises(InputError, match="no such file"):
        submit(run.with_name("none"), board=BOARD, token="t")
