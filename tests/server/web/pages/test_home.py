"""The first page."""

from __future__ import annotations

from tests.server.web.checks import checked
from tests.server.web.served import app_of, ask


def test_it_lists_the_boards(filled):
    answer = ask(app_of(filled.site), "/")
    page = checked(answer.text)
    assert "/boards/passages" in [one["href"] for one in page.all("a")]
    assert f"<dd>{len(filled.runs)}, the newest of 2026-03-14</dd>" in answer.text


def test_the_person_and_the_teams_are_in_the_navigation(small):
    text = ask(app_of(small.site, small.member), "/").text
    assert "Ann Member" in text
    assert 'href="/teams/team-0"' in text
    assert 'href="/sign-in"' not in text
    assert 'href="/sign-in"' in ask(app_of(small.site), "/").text
