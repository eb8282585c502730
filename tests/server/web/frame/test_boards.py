"""Boards and quotas in words."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from runoff.server.store.submissions import Quota
from runoff.server.web.frame.boards import quota_view, taking_words
from tests.server.web.world import NOW


def test_open_not_yet_and_no_more(small):
    day = timedelta(days=1)
    assert taking_words(small.board, NOW) == "open"
    assert taking_words(replace(small.board, closes_at=NOW + day), NOW) == "open until 2026-03-16"
    assert taking_words(replace(small.board, closes_at=NOW), NOW) == "closed since 2026-03-15"
    assert taking_words(replace(small.board, opens_at=NOW + day), NOW) == "opens 2026-03-16"


def quota(**changes):
    row: dict[str, Any] = {
        "used": 1,
        "most": 2,
        "variants_used": 0,
        "variants": 1,
        "free_at": NOW,
        "variant_free_at": NOW,
    }
    return Quota(**(row | changes))


def test_one_left(small):
    view = quota_view(quota(), small.board, NOW)
    assert view.sentence.startswith("1 of 2 submissions used in the last 30 days, 1 left.")
    assert (view.after, view.dots, view.can_submit) == ("This is the last one for now.", (True, False), True)


def test_none_left(small):
    view = quota_view(quota(used=2, free_at=NOW + timedelta(days=4)), small.board, NOW)
    assert "the next is possible from 2026-03-19 (UTC)" in view.sentence
    assert not view.can_submit


def test_many_are_not_drawn(small):
    assert quota_view(quota(most=500), small.board, NOW).dots == ()
