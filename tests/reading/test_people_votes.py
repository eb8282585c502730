"""Votes on the top documents of two runs, counted by hand."""

import pytest
from scipy import stats

from runoff.reading.people_votes import ratios_of, votes_of
from runoff.tables.preferences import Preferences

FIRST = {"q1": {"a": 1.0}, "q2": {"a": 1.0}, "q3": {"a": 1.0}, "q4": {"a": 1.0}, "q5": {"x": 1.0}}
SECOND = {"q1": {"b": 1.0}, "q2": {"b": 1.0}, "q3": {"b": 1.0}, "q4": {"b": 1.0}, "q5": {"x": 1.0}}


def test_votes_by_hand():
    table = Preferences.of([
        ("q1", "a", "b", "b"), ("q2", "a", "b", "b"), ("q3", "a", "b", "a"), ("q5", "x", "b", "x"),
    ])  # fmt: skip
    ratios = ratios_of([table], [FIRST, SECOND], ["old", "new"], ["q1", "q2", "q3", "q4", "q5"])
    votes = votes_of(ratios, "old", "new")
    assert (votes.challenger, votes.champion, votes.even, votes.asked) == (2, 1, 0, 4)
    assert votes.p == pytest.approx(stats.binomtest(2, 3).pvalue)
    assert votes_of(ratios, "new", "old").challenger == 1


def test_tasks_with_a_failed_test_pair_do_not_count():
    rows = [("q1", "a", "b", "b", "ann", "t1"), ("q2", "a", "b", "b", "bob", "t2"), ("q3", "a", "b", "a", "bob", "t2")]
    tests = [("q4", "a", "off", "off", "bob", "t2", None, "a"), ("q4", "a", "off", "a", "ann", "t1", None, "a")]
    table = Preferences.of([*rows, *tests])
    votes = votes_of(ratios_of([table], [FIRST, SECOND], ["old", "new"], list(FIRST)), "old", "new")
    assert (votes.challenger, votes.champion, votes.asked) == (1, 0, 4)
