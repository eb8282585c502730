"""`runoff submit`: what it prints; sending is tested in tests/verbs/test_submit.py."""

import json

import pytest

from runoff.verbs.submit import SubmitResult

BOARD = ["--board", "http://127.0.0.1:9/boards/a"]
SCORED = {
    "id": 7,
    "name": "bm25",
    "status": "scored",
    "problems": [],
    "scores": [{"labels": "dev", "queries": "public", "measure": "RR@10", "mean": 0.25}],
    "verdict": {"sentence": "bm25 is better."},
}
REJECTED = {**SCORED, "status": "rejected", "problems": ["a.run:1: bad"], "scores": [], "verdict": None}
CHECKED = {"dry_run": True, "is_fine": True, "problems": [], "quota": {"left": 1, "most": 2}}


@pytest.fixture
def answers(monkeypatch, board):
    asked = []

    def answer(found):
        def send(path, **more):
            asked.append((path.name, more))
            return SubmitResult(answer=found)

        monkeypatch.setattr("runoff.verbs.submit.submit", send)
        return asked

    return answer


def test_a_scored_run(call, answers):
    asked = answers(SCORED)
    result = call("submit", "good.run", *BOARD, "--token", "t", "--wait")
    assert result.returncode == 0
    for text in ("Run 7 (bm25) is scored.", "0.2500", "bm25 is better."):
        assert text in result.stdout
    assert asked[0][1]["wait"]
    found = json.loads(call("submit", "good.run", *BOARD, "--token", "t", "--format", "json").stdout)
    assert found["scores"][0]["mean"] == 0.25


def test_a_rejected_run_is_bad_input(call, answers):
    answers(REJECTED)
    result = call("submit", "good.run", *BOARD, "--token", "t")
    assert result.returncode == 2
    assert "a.run:1: bad" in result.stdout
    assert "1 problem; see above" in result.stderr


def test_a_dry_run(call, answers, monkeypatch):
    answers(CHECKED)
    monkeypatch.setenv("RUNOFF_TOKEN", "t")
    assert "1 of 2 submissions are left" in call("submit", "good.run", *BOARD, "--dry-run").stdout


def test_a_token_is_needed(call, monkeypatch, board):
    monkeypatch.delenv("RUNOFF_TOKEN", raising=False)
    result = call("submit", "good.run", *BOARD)
    assert result.returncode == 2
    assert "--token" in result.stderr
