"""Headers on every answer, limits as requests arrive, and faults without an inside."""

from __future__ import annotations

import logging

import pytest

from runoff.server.web.guards import HIDDEN, POLICY, SMALL
from tests.server.web.serving import API

PATHS = ["/sign-in", f"{API}/boards", f"{API}/nothing", "/nothing", "/healthz", f"{API}/openapi.json"]


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_has_the_headers(serving, path):
    headers = serving.client.get(path).headers
    assert headers["content-security-policy"] == POLICY
    assert "unsafe" not in POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-frame-options"] == "DENY"
    assert headers["cache-control"] == "no-store"


def test_a_large_form_is_stopped_as_it_arrives(serving):
    sent = []

    def blocks():
        for _ in range(100):
            sent.append(1)
            yield b"x" * (SMALL // 10)

    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = serving.client.post("/sign-in", content=blocks(), headers=headers)
    assert answer.status_code == 413
    assert "bytes" in answer.text


def test_a_fault_tells_its_place_to_the_log_alone(serving, monkeypatch, caplog):
    def broken(*_, **__):
        raise RuntimeError("secret " + "words")

    monkeypatch.setattr("runoff.server.web.api.boards.load_boards", broken)
    with caplog.at_level(logging.ERROR):
        answer = serving.client.get(f"{API}/boards")
    assert (answer.status_code, answer.text) == (500, HIDDEN)
    assert answer.headers["content-security-policy"] == POLICY
    assert "RuntimeError" in caplog.text
    assert "secret words" not in caplog.text
