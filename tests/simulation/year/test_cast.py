"""The cast: forty runs over a year, with every part played."""

from collections import Counter
from datetime import date
from typing import get_args

from runoff.boards.submissions import submissions
from runoff.simulation.year.cast import COPIED, Role, make_cast
from runoff.tables.board import BoardRun

CAST = make_cast()


def test_forty_runs_of_twelve_teams_within_one_year():
    assert len({plan.name for plan in CAST}) == 40
    assert len({plan.team for plan in CAST if not plan.baseline}) == 12
    assert sum(plan.baseline for plan in CAST) == 2
    assert [plan.date for plan in CAST] == sorted(plan.date for plan in CAST)
    assert {plan.date.year for plan in CAST} == {date(2024, 1, 1).year}


def test_every_role_is_played_once_but_that_of_the_overfitted():
    roles = Counter(plan.role for plan in CAST if plan.role)
    assert set(roles) == set(get_args(Role))
    assert roles.pop("overfitted") == 5
    assert set(roles.values()) == {1}


def test_the_rule_for_submissions_is_broken_once_and_as_planted():
    runs = [BoardRun(name=p.name, team=p.team, date=p.date, baseline=p.baseline, variant_of=p.variant_of) for p in CAST]
    assert [one.name for one in submissions(runs).violations] == [
        next(plan.name for plan in CAST if plan.role == "one_too_many")
    ]


def test_the_copy_is_later_than_what_it_copies_and_of_another_team():
    names = [plan.name for plan in CAST]
    copy = next(plan for plan in CAST if plan.role == "copy")
    assert names.index(copy.name) > names.index(COPIED)
    assert copy.team != CAST[names.index(COPIED)].team


def test_the_overfitted_team_never_gets_better():
    team = next(plan.team for plan in CAST if plan.role == "overfitted")
    own = [plan for plan in CAST if plan.team == team]
    assert len({(plan.reach, plan.eye, plan.taste) for plan in own}) == 1
    assert [plan.memorised for plan in own] == sorted(plan.memorised for plan in own)
    assert (own[0].memorised, own[0].hidden) == (0.0, 1)
