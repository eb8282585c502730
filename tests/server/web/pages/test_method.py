"""The page about the method."""

from __future__ import annotations

from runoff.server.web.pages.method import ENTRIES
from tests.server.web.checks import checked
from tests.server.web.served import app_of, ask


def test_every_entry_is_there_with_its_source(small):
    answer = ask(app_of(small.site), "/method")
    page = checked(answer.text)
    assert {entry.key for entry in ENTRIES} <= set(page.ids)
    words = " ".join(page.words)
    assert all(entry.source in words for entry in ENTRIES)
