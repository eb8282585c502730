"""The overfitting monitor."""

import dataclasses

import numpy as np
import pytest

from runoff.boards.overfitting import overfitting
from runoff.errors import UsageError
from runoff.tables import Scores
from tests.boards.teams import alarm_rates, draw_team


def scores(values, runs):
    array = np.array(values, dtype=float)
    return Scores(measure="RR@10", query_ids=tuple(map(str, range(len(array)))), runs=tuple(runs), values=array)


def test_changes_and_excess():
    public = scores([[0.0, 0.5, 0.2], [0.5, 1.0, 0.3]], "abc")
    private = scores([[0.2, 0.3, 1.0], [0.2, 0.3, 1.0], [0.2, 0.3, 1.0]], "abc")
    found = overfitting(public, private, ["a", "c", "b"], team="T", trials=50)
    assert (found.first, found.best, found.submissions) == ("a", "b", ("a", "c", "b"))
    assert found.change_public == pytest.approx(0.5)
    assert found.change_private == pytest.approx(0.1)
    assert found.excess == pytest.approx(0.4)
    assert found.excess_ci95 == pytest.approx((0.4, 0.4))  # no query differs from another
    assert (found.public_queries, found.private_queries, found.trials, found.seed) == (2, 3, 50, 0)


def test_the_first_can_be_the_best():
    public = scores([[0.9, 0.5], [0.5, 0.1]], "ab")
    found = overfitting(public, public, "ab", trials=20)
    assert (found.best, found.excess, found.excess_ci95, found.simultaneous_ci95) == ("a", 0.0, (0, 0), (0, 0))


def test_of_equal_submissions_the_earliest_is_the_best():
    public = scores([[0.1, 0.5, 0.5]], "abc")
    assert overfitting(public, public, "acb", trials=20).best == "c"


def test_lower_can_be_better():
    public, private = draw_team(3, public=80, private=60, submissions=4, known=0.5)
    lowered = [scores(-each.values, each.runs) for each in (public, private)]
    high = overfitting(public, private, public.runs)
    low = overfitting(lowered[0], lowered[1], public.runs, best_is_low=True)
    assert low.best == high.best
    assert (low.excess, *low.excess_ci95) == pytest.approx((high.excess, *high.excess_ci95))


def test_intervals_are_those_of_an_obvious_bootstrap():
    public, private = draw_team(5, public=150, private=100, submissions=5, gain=0.3)
    found = overfitting(public, private, public.runs, trials=4000)
    rng = np.random.default_rng(1)
    drawn = np.empty((4000, 5))
    for trial in range(4000):
        a, b = (
            each.values[rng.integers(0, len(each.values), len(each.values))].mean(axis=0) for each in (public, private)
        )
        drawn[trial] = (a - a[0]) - (b - b[0])
    best = public.runs.index(found.best)
    errors = drawn[:, 1:].std(axis=0)
    excess = (public.means - public.means[0]) - (private.means - private.means[0])
    half = np.quantile((np.abs(drawn - excess)[:, 1:] / errors).max(axis=1), 0.95) * drawn[:, best].std()
    assert found.excess == pytest.approx(excess[best])
    size = drawn[:, best].std()
    assert found.excess_ci95 == pytest.approx(np.quantile(drawn[:, best], [0.025, 0.975]), abs=0.1 * size)
    assert found.simultaneous_ci95 == pytest.approx((excess[best] - half, excess[best] + half), abs=0.1 * size)
    assert found.simultaneous_ci95[0] < found.excess_ci95[0]


def test_public_and_private_queries_are_drawn_apart():
    public, _ = draw_team(2, public=100, private=10, submissions=3, gain=0.5)
    found = overfitting(public, public, public.runs)
    assert found.excess == 0
    assert found.excess_ci95[0] < 0 < found.excess_ci95[1]  # drawn together it would be 0 in every trial


def test_a_seed_gives_the_same_again():
    public, private = draw_team(1, public=50, private=50, submissions=3, known=0.3)
    one, same, other = (overfitting(public, private, public.runs, seed=seed) for seed in (4, 4, 5))
    assert one == same
    assert dataclasses.replace(one, seed=5) != other


@pytest.mark.parametrize("names, message", [("a", "1 submissions of team ''"), ("aa", "2 submissions"), ("ax", "'x'")])
def test_refusals(names, message):
    table = scores([[0.1, 0.2]], "ab")
    with pytest.raises(UsageError, match=message):
        overfitting(table, table, names)


@pytest.mark.proof
@pytest.mark.parametrize("submissions", [2, 5, 10, 20])
def test_alarms_on_clean_teams_are_rare(submissions):
    plain, fired, _ = alarm_rates(3000, public=500, private=500, submissions=submissions)
    print(f"clean, {submissions} submissions: plain interval {plain:.4f}, alarm {fired:.4f}")  # noqa: T201
    assert fired <= 0.05
    if submissions >= 5:
        assert plain > 0.05  # why the plain interval alone is not enough


@pytest.mark.proof
@pytest.mark.parametrize("submissions", [2, 5, 10])
def test_a_team_that_knows_two_percent_of_the_public_answers_is_found(submissions):
    plain, fired, excess = alarm_rates(200, public=5193, private=5793, submissions=submissions, known=0.02)
    print(f"tuned, {submissions} submissions, excess {excess:.4f}: plain {plain:.4f}, alarm {fired:.4f}")  # noqa: T201
    assert fired >= 0.80


@pytest.mark.parametrize("known, share", [(0.0, 0.0), (0.15, 1.0)])
def test_the_alarm_in_short(known, share):
    assert alarm_rates(12, trials=200, public=300, private=300, submissions=6, known=known)[1] == share
