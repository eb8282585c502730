"""For machines that watch."""

from __future__ import annotations


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


def test_without_its_folder_it_is_not_ready(serving, monkeypatch):
    monkeypatch.setattr("runoff.server.web.health.os.access", lambda *_: False)
    answer = serving.client.get("/readyz")
    assert (answer.status_code, answer.text) == (503, "not ready\n")
