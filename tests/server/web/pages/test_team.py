"""The page of a team."""

from __future__ import annotations

from tests.server.web.checks import checked
from tests.server.web.served import app_of, ask


def test_it_shows_submissions_and_quota_to_its_people(filled):
    answer = ask(app_of(filled.site, filled.member), "/teams/team-0")
    checked(answer.text)
    own = [run for run in filled.runs if run.team_id == filled.teams[0].id]
    assert answer.text.count('<th scope="row">') == len(own)
    assert "of 1,000 submissions used in the last 30 days" in answer.text
    assert "Counts towards the limit" in answer.text


def test_runs_that_left_the_window_no_longer_count(filled):
    text = ask(app_of(filled.site, filled.member), "/teams/team-0").text
    assert ("no longer" in text) == (len(filled.runs) > 31)


def test_nobody_else_sees_it(small):
    assert ask(app_of(small.site), "/teams/team-0").status_code == 404
    assert ask(app_of(small.site, small.member), "/teams/team-1").status_code == 404
    assert ask(app_of(small.site, small.organiser), "/teams/team-0").status_code == 200
