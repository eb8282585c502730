"""Times of a board in words."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from runoff.server.web.frame.days import taking_words
from tests.server.web.world import NOW


def test_open_not_yet_and_no_more(small):
    day = timedelta(days=1)
    assert taking_words(small.board, NOW) == "open"
    assert taking_words(replace(small.board, closes_at=NOW + day), NOW) == "open until 2026-03-16"
    assert taking_words(replace(small.board, closes_at=NOW), NOW) == "closed since 2026-03-15"
    assert taking_words(replace(small.board, opens_at=NOW + day), NOW) == "opens 2026-03-16"
