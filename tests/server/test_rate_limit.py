"""What one visitor may ask for."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

import runoff.server.cache
from runoff.errors import TooOftenError
from runoff.server.cache import WINDOW, RateLimit
from runoff.server.web.app import create_app
from runoff.server.web.visitors import Visitor, visitor_of
from tests.server.web.served import ask

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)


def test_the_window_slides():
    shares = RateLimit(most=3)
    for second in (0, 100, 200):
        shares.take("ann", NOON + timedelta(seconds=second))
    with pytest.raises(TooOftenError, match=r"3 new filters .* 5 minutes; the next from 12:05:00") as found:
        shares.take("ann", NOON + timedelta(seconds=299))
    assert found.value.free_at == NOON + WINDOW
    shares.take("ann", NOON + timedelta(seconds=300))
    with pytest.raises(TooOftenError):
        shares.take("ann", NOON + timedelta(seconds=399))
    shares.take("bob", NOON)


def test_nobody_is_not_counted_and_few_are_remembered(monkeypatch):
    monkeypatch.setattr(runoff.server.cache, "MOST_KNOWN", 2)
    shares = RateLimit(most=1)
    for who in ("", "", "ann", "bob", "eve", "ann"):
        shares.take(who, NOON)
    with pytest.raises(TooOftenError):
        shares.take("ann", NOON)


def test_new_filters_and_comparisons_are_counted_by_visitor(small):
    site = replace(small.site, settings=replace(small.site.settings, new_views=2))
    app = create_app(site)
    app.state.cookies = {}
    board = "/boards/" + small.board.slug
    numbers = [run.id for run in small.runs]
    days = [run.submitted_at.date().isoformat() for run in small.runs[1:4]]
    known = [f"{board}?since={days[0]}", f"{board}/compare?champion={numbers[0]}&challenger={numbers[1]}"]
    assert {ask(app, path).status_code for path in (board, *known)} == {200}
    for path in (f"{board}?since={days[1]}", f"/api/v1{board}/compare?champion={numbers[1]}&challenger={numbers[0]}"):
        answer = ask(app, path)
        assert answer.status_code == 429
        assert 1 <= int(answer.headers["retry-after"]) <= WINDOW.total_seconds()
        assert "ou have asked for 2 new filters or comparisons" in answer.text
    assert {ask(app, path).status_code for path in (board, *known, f"/api/v1{board}")} == {200}, "what is known is free"
    app.dependency_overrides[visitor_of] = lambda: Visitor(asker="person 1")
    assert ask(app, f"{board}?since={days[1]}").status_code == 200, "another visitor has another share"
