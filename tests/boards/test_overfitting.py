"""Overfitting relative to the field, by hand and against slow versions; how often it errs: test_overfitting_rates."""

from datetime import date

import numpy as np
import pytest
from scipy import stats

from runoff.boards.overfitting import field_changes, overfitting, published_changes
from runoff.boards.submissions import submissions
from runoff.errors import UsageError
from runoff.files import read_msmarco_table
from runoff.tables import BoardRun, Scores
from tests.boards.fields import as_scores, draw_field, judged_field


def teams_of(count):
    return {str(team): (f"{team}.first", f"{team}.last") for team in range(count)}


def by_the_formula(public, private, team, teams):
    """Excess, standard error and Welch's t, one query and one team at a time."""
    x = {t: [row[2 * t + 1] - row[2 * t] for row in public.tolist()] for t in range(teams)}
    y = {t: [row[2 * t + 1] - row[2 * t] for row in private.tolist()] for t in range(teams)}
    others = [t for t in range(teams) if t != team]
    mean = {t: (sum(x[t]) / len(x[t]), sum(y[t]) / len(y[t])) for t in range(teams)}
    sum_x, sum_y = (sum(mean[t][which] for t in others) for which in (0, 1))
    b, (x_t, y_t) = sum_y / sum_x, mean[team]
    on_public = [b * x[team][q] - x_t * b * sum(x[t][q] for t in others) / sum_x for q in range(len(public))]
    on_private = [-y[team][q] + x_t * sum(y[t][q] for t in others) / sum_x for q in range(len(private))]
    a, c = (np.var(terms, ddof=1) / len(terms) for terms in (on_public, on_private))
    excess, error = b * x_t - y_t, np.sqrt(a + c)
    freedom = (a + c) ** 2 / (a**2 / (len(public) - 1) + c**2 / (len(private) - 1))
    return b, excess, error, stats.t.sf(excess / error, freedom), stats.t.interval(0.95, freedom, excess, error)


@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_formula(seed):
    public, private = draw_field(np.random.default_rng(seed), teams=5, public=70, private=40, known=0.1, harder=0.3)
    result, _ = judged_field(public, private)
    assert (result.measure, result.public_queries, result.private_queries) == ("RR@10", 70, 40)
    for team, found in enumerate(result.teams):
        ratio, excess, error, p, interval = by_the_formula(public, private, team, 5)
        assert (found.team, found.first, found.last, found.others) == (str(team), f"{team}.first", f"{team}.last", 4)
        assert (found.ratio, found.excess, found.standard_error, found.p) == pytest.approx((ratio, excess, error, p))
        assert found.excess_ci95 == pytest.approx(interval)
        assert found.expected_private - found.change_private == pytest.approx(excess)


def test_its_error_is_that_of_a_bootstrap():
    """Public and private queries drawn again apart, b included."""
    public, private = draw_field(np.random.default_rng(1), teams=8, public=800, private=400)
    result, _ = judged_field(public, private)
    changes = [values[:, 1::2] - values[:, ::2] for values in (public, private)]
    rng, drawn = np.random.default_rng(2), []
    for _ in range(3000):
        x, y = (one[rng.integers(0, len(one), len(one))].mean(axis=0) for one in changes)
        drawn.append([np.delete(y, t).sum() / np.delete(x, t).sum() * x[t] - y[t] for t in range(8)])
    errors = [one.standard_error for one in result.teams]
    assert errors == pytest.approx(np.std(drawn, axis=0), rel=0.08)


def test_first_to_last_and_never_to_the_best():
    public, private = draw_field(np.random.default_rng(3), teams=4, public=60, private=60)
    tables = as_scores(public, "a"), as_scores(private, "b")
    teams = teams_of(4) | {"0": ("0.first", "3.last", "0.last")}  # in between something else, better or worse
    found = overfitting(*tables, teams).teams[0]
    plain = overfitting(*tables, teams_of(4)).teams[0]
    assert found.submissions == ("0.first", "3.last", "0.last")
    assert (found.first, found.last, found.excess, found.p) == (plain.first, plain.last, plain.excess, plain.p)


def test_lower_can_be_better():
    public, private = draw_field(np.random.default_rng(4), teams=4, public=60, private=60)
    high, _ = judged_field(public, private)
    low = overfitting(as_scores(-public, "a"), as_scores(-private, "b"), teams_of(4), best_is_low=True)
    assert [one.p for one in low.teams] == pytest.approx([one.p for one in high.teams])


def test_a_team_with_one_run_is_passed_over_and_tells_nothing_of_others():
    public, private = draw_field(np.random.default_rng(5), teams=5, public=60, private=60)
    tables = as_scores(public, "a"), as_scores(private, "b")
    without = overfitting(*tables, teams_of(4))
    assert overfitting(*tables, teams_of(4) | {"single": ("4.first",), "empty": ()}) == without
    assert len(without.teams) == 4


@pytest.mark.parametrize(
    "teams, why",
    [
        (1, "no other team has two submissions or more, and 3 are needed"),
        (2, "only one other team has two submissions or more, and 3 are needed"),
        (3, "only 2 other teams have two submissions or more, and 3 are needed"),
    ],
)
def test_fewer_than_three_other_teams_cannot_judge_one(teams, why):
    result, alarms = judged_field(*draw_field(np.random.default_rng(6), teams=teams, public=500, known=0.5))
    for one, alarm in zip(result.teams, alarms, strict=True):
        assert (one.p, one.ratio, one.excess, one.standard_error, one.unjudged) == (None, None, None, None, why)
        assert not alarm.fired
        assert alarm.sentence.endswith(f"Whether it overfitted cannot be judged: {why}.")


def test_the_others_must_have_gained_by_three_standard_errors():
    """Below and above the bound, by adding a constant to the last run of one of the others."""
    public, private = draw_field(np.random.default_rng(7), teams=4, public=100, private=100)
    rest = (public[:, 3::2] - public[:, 2::2]).sum(axis=1)
    error = rest.std(ddof=1) / 10
    for distance, is_judged in ((2.99, False), (3.01, True), (-3.01, False)):
        moved = public.copy()
        moved[:, 3] += distance * error - rest.mean()
        team = judged_field(moved, private)[0].teams[0]
        assert (team.p is not None) == is_judged
        reason = None if is_judged else "the other teams together have not clearly gained on the public queries"
        assert team.unjudged == reason


def test_ties_of_all_queries():
    """Runs that are submitted again, and teams that are copies of each other, have no excess at all."""
    public, private = draw_field(np.random.default_rng(8), teams=5, public=400, private=50)
    public[:, 1], private[:, 1] = public[:, 0], private[:, 0]
    again = judged_field(public, private)[0].teams[0]
    assert (again.excess, again.standard_error, again.p, again.unjudged) == (0.0, 0.0, 1.0, None)
    same = np.tile(public[:, 2:4], 4), np.tile(private[:, 2:4], 4)
    for one in judged_field(*same)[0].teams:
        assert one.excess == pytest.approx(0.0, abs=1e-12)
        assert one.p == 1.0


def test_a_constant_shortfall_is_no_claim():
    """Every query changes by the same: nothing says how far chance goes."""
    public, private = np.tile([0.25, 0.5], (30, 4)), np.tile([0.25, 0.5], (20, 4))
    private[:, 1] = 0.25
    team = judged_field(public, private)[0].teams[0]
    assert (team.p, team.unjudged) == (None, "its scores change by the same on every query")
    assert [one.p for one in judged_field(public, private)[0].teams[1:]] == [1.0] * 3


@pytest.mark.parametrize("sizes", [(1, 50), (50, 1)])
def test_one_query_is_too_few(sizes):
    field = draw_field(np.random.default_rng(9), teams=5, public=sizes[0], private=sizes[1])
    assert {one.unjudged for one in judged_field(*field)[0].teams} == {
        "there are fewer than two public or two private queries"
    }


@pytest.mark.parametrize("names, message", [("aa", "a submission of team 'T' is listed twice"), ("ax", "'x'")])
def test_refusals(names, message):
    table = Scores(measure="RR@10", query_ids=("q",), runs=("a", "b"), values=np.array([[0.1, 0.2]]))
    with pytest.raises(UsageError, match=message):
        overfitting(table, table, {"T": names})


def test_all_teams_over_time_by_hand():
    means = {"a1": (0.1, 0.2), "b1": (0.2, 0.2), "a2": (0.3, 0.3), "b2": (0.3, 0.1), "a3": (0.5, 0.2), "c1": (0.9, 0.9)}
    days = dict(zip(means, (1, 2, 3, 4, 4, 5), strict=True))
    runs = [BoardRun(name=name, team=name[0], date=date(2021, 1, day)) for name, day in days.items()]
    first, second = (
        Scores(
            measure="RR@10", query_ids=("q",), runs=tuple(means), values=np.array([[one[at] for one in means.values()]])
        )
        for at in (0, 1)
    )
    found = field_changes(first, second, submissions(runs).teams)
    assert [(one.date.day, one.teams) for one in found] == [(3, 1), (4, 2)]
    assert [one.change_public for one in found] == pytest.approx([0.2, (0.4 + 0.1) / 2])
    assert [one.change_private for one in found] == pytest.approx([0.1, (0.0 - 0.1) / 2])
    assert [one.change_public for one in field_changes(first, second, submissions(runs).teams, best_is_low=True)] == (
        pytest.approx([-0.2, -0.25])
    )
    assert field_changes(first, second, ()) == ()


def run(name, day, team="A", **scores):
    return BoardRun(name=name, team=team, date=date(2021, 1, day), scores=scores)


def changes(runs, **options):
    return published_changes(submissions(runs).teams, **options)


def test_from_the_first_to_the_last_that_has_both():
    runs = [run("c", 3, public=0.5, private=0.25), run("a", 1, public=0.25, private=0.5), run("b", 2, public=0.9)]
    (found,) = changes(runs)
    assert (found.first, found.last, found.submissions) == ("a", "c", ("a", "c"))
    assert (found.change_public, found.change_private) == (0.25, -0.25)
    assert (found.ratio, found.excess, found.p, found.others) == (None, None, None, 0)
    assert found.unjudged == "only means are published, and these do not tell how far luck moves them"


@pytest.mark.parametrize("low", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_the_changes_are_those_of_the_monitor(low, seed):
    sign = -1 if low else 1
    public, private = draw_field(np.random.default_rng(seed), teams=5, public=200, private=100)
    measured = {one.team: one for one in judged_field(public, private)[0].teams}
    tables = [as_scores(sign * values, "q") for values in (public, private)]
    means = zip(tables[0].runs, *(one.means.tolist() for one in tables), strict=True)
    runs = [run(name, 1 + day, name[0], public=x, private=y) for day, (name, x, y) in enumerate(means)]
    found = changes(runs, best_is_low=low)
    assert [one.excess for one in found] == sorted((one.excess for one in found), reverse=True)
    for one in found:
        same = measured[one.team]
        assert (one.first, one.last, one.others) == (same.first, same.last, same.others)
        assert (one.change_public, one.change_private, one.ratio, one.excess) == pytest.approx(
            (same.change_public, same.change_private, same.ratio, same.excess)
        )


def test_no_excess_where_the_others_gained_nothing():
    ends = {"A": 0.75, "B": 0.25, "C": 0.25, "D": 0.25}
    runs = [run(f"{team}1", 1, team, dev=0.5, test=0.5) for team in ends]
    runs += [run(f"{team}2", 2, team, dev=end, test=0.5) for team, end in ends.items()]
    found = {one.team: one.excess for one in changes(runs, public="dev", private="test")}
    assert found == {"A": None, "B": None, "C": None, "D": None}
    assert changes(runs) == ()


def test_teams_with_less_are_left_out():
    runs = [run("a", 1, public=0.5, private=0.5), run("m", 1, "C", public=0.5, private=0.5), run("n", 2, "C", public=1)]
    assert changes(runs) == ()


def test_the_ms_marco_document_leaderboard_has_no_private_means(shared_data):
    board = read_msmarco_table(shared_data / "msmarco" / "document-leaderboard.csv")
    assert changes(board.runs) == ()
    assert len(changes(board.runs, public="development", private="public")) == 20
