"""Fields of a form as values."""

from __future__ import annotations

from datetime import UTC, datetime

from runoff.server.store.names import clean_slug
from runoff.server.web.forms import Form


def test_what_is_right_is_read():
    sent = Form({"n": " 7 ", "x": "0.5", "t": "2026-05-01T12:00", "w": "b", "s": "a-b", "e": ""})
    assert (sent.whole("n", 1, 9), sent.number("x", 0, 1), sent.one_of("w", ["a", "b"])) == (7, 0.5, "b")
    assert sent.moment("t") == datetime(2026, 5, 1, 12, tzinfo=UTC)
    assert (sent.moment("e"), sent.made("s", clean_slug), sent.needed("n", "a number")) == (None, "a-b", "7")
    assert sent.problems == {}


def test_every_problem_is_kept_with_its_field():
    sent = Form({"n": "0", "m": "²", "x": "nan", "t": "later", "w": "z", "s": "A B"})
    sent.whole("n", 1, 9), sent.whole("m", 1, 9), sent.whole("gone", 1, 9), sent.number("x", 0, 1)
    sent.moment("t"), sent.one_of("w", ["a"]), sent.made("s", clean_slug), sent.needed("empty", "a name")
    assert set(sent.problems) == {"n", "m", "gone", "x", "t", "w", "s", "empty"}
    assert all("expected" in text for text in sent.problems.values())
