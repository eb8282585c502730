"""Errors as answers."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from runoff import errors
from runoff.server.web.guards import HIDDEN
from runoff.server.web.problems import add_problem_handlers, answer_to


@pytest.mark.parametrize(
    "error, status",
    [
        (errors.LimitError(["x"]), 413),
        (errors.InputError(["x"]), 422),
        (errors.UsageError("x"), 422),
        (errors.NotAllowedError("x"), 403),
        (errors.NotFoundError("x"), 404),
        (errors.ConflictError("x"), 409),
        (errors.QuotaError("x"), 429),
        (errors.TooOftenError("x", free_at=datetime(2026, 3, 14, tzinfo=UTC)), 429),
        (errors.BusyError("x"), 503),
    ],
)
def test_explained_errors(error, status):
    answer = answer_to(error, signed_in=True)
    assert (answer.status, answer.message) == (status, "x")
    assert answer.to_dict()["error"]["problems"] == (["x"] if isinstance(error, errors.InputError) else [])


@pytest.mark.parametrize("error", [errors.StoreError("/secret/path"), RuntimeError("x"), errors.LeaseLostError("x")])
def test_everything_else_is_hidden(error):
    answer = answer_to(error, signed_in=True)
    assert (answer.status, answer.message) == (500, HIDDEN)


def test_nobody_is_asked_to_sign_in():
    assert answer_to(errors.NotAllowedError("x"), signed_in=False).status == 401


def test_pages_are_pages_and_their_text_is_escaped(serving):
    answer = serving.client.get("/links/%3Cscript%3E")
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert "<script>" not in answer.text
    moved = serving.client.get("/account")
    assert (moved.status_code, moved.headers["location"]) == (303, "/sign-in?to=/account")
    assert serving.client.delete("/sign-in").status_code == 405


@pytest.mark.parametrize("method, refresh", [("GET", "5"), ("POST", None)])
def test_a_page_that_is_not_ready_looks_again(method, refresh):
    app = FastAPI()
    app.state.site = SimpleNamespace(settings=SimpleNamespace(title="Tracks"))
    add_problem_handlers(app)

    @app.api_route("/slow", methods=["GET", "POST"])
    def slow() -> None:
        raise errors.BusyError("this is being computed")

    answer = TestClient(app).request(method, "/slow?a=1")
    assert "This is being computed." in answer.text
    assert ('href="/slow?a=1"' in answer.text) == (method == "GET")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert answer.headers.get("refresh") == refresh
