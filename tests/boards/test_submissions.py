"""Submissions and the rule for them."""

from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.boards import ladder
from runoff.boards.submissions import SubmissionRule, submissions
from runoff.errors import UsageError
from runoff.files import read_msmarco_table
from runoff.tables import BoardRun
from tests.boards.matrices import board

START = date(2021, 1, 1)


def run(name, day, team="A", **more):
    return BoardRun(name=name, team=team, date=START + timedelta(day), **more)


def found(runs, **options):
    return [(one.name, one.kind, one.names) for one in submissions(runs, **options).violations]


def test_two_in_thirty_days_are_fine_and_three_are_not():
    assert found([run("a", 0), run("b", 29)]) == []
    assert found([run("a", 0), run("b", 1), run("c", 30)]) == []
    assert found([run("c", 29), run("a", 0), run("b", 1)]) == [("c", "submissions", ("a", "b", "c"))]


def test_each_submission_too_many_is_told():
    assert found([run(name, 0) for name in "abcd"]) == [
        ("c", "submissions", ("a", "b", "c")),
        ("d", "submissions", ("a", "b", "c", "d")),
    ]


def test_one_small_variation_is_fine_and_two_are_not():
    runs = [run("a", 0), run("b", 20, variant_of="a"), run("c", 49, variant_of="a")]
    assert found(runs) == [("c", "variants", ("b", "c"))]
    assert found(runs[:2]) == []
    assert found([*runs[:2], run("c", 50, variant_of="a")]) == []


def test_a_near_duplicate_is_a_variation():
    runs = [run("a", 0), run("b", 40), run("c", 60), run("x", 61, team="B")]
    assert found(runs, near_duplicates=[("b", "a"), ("a", "c"), ("c", "x")]) == [("c", "variants", ("b", "c"))]


def test_teams_apart_baselines_free_and_the_rest_told():
    runs = [run("a", 0), run("b", 0), run("x", 0, team="B"), run("base", 0, baseline=True)]
    runs += [run("y", 0, team=""), BoardRun(name="z", team="A")]
    result = submissions(runs)
    assert result.violations == ()
    assert result.unchecked == ("y", "z")
    assert [(team.team, [one.name for one in team.runs], team.most_in_window) for team in result.teams] == [
        ("A", ["a", "b"], 2),
        ("B", ["x"], 1),
    ]


def test_another_rule():
    rule = SubmissionRule(days=7, most=1, variants=0)
    runs = [run("a", 0), run("b", 7, variant_of="a"), run("c", 13)]
    assert found(runs, rule=rule) == [("b", "variants", ("b",)), ("c", "submissions", ("b", "c"))]
    for bad in ({"days": 0}, {"most": 0}, {"variants": -1}):
        with pytest.raises(UsageError, match=r"cannot be used; expected \d or more"):
            SubmissionRule(**bad)


@given(st.lists(st.tuples(st.integers(0, 90), st.sampled_from("AB")), max_size=15))
def test_no_violation_means_no_window_is_overfull(rows):
    runs = [run(str(place), day, team=team) for place, (day, team) in enumerate(rows)]
    result = submissions(runs)
    for team in "AB":
        days = [day for day, owner in rows if owner == team]
        fullest = max((sum(start <= day < start + 30 for day in days) for start in range(-30, 91)), default=0)
        assert fullest == max((one.most_in_window for one in result.teams if one.team == team), default=0)
        assert (fullest > 2) == any(one.team == team for one in result.violations)


def test_the_ms_marco_document_leaderboard(shared_data):
    board = read_msmarco_table(shared_data / "msmarco" / "document-leaderboard.csv")
    result = submissions(board.runs)
    assert [(team.team, len(team.runs)) for team in result.teams[:3]] == [
        ("THU-MSR", 11),
        ("Leonid Boytsov, Bosch Center for AI", 10),
        ("OpenMatch - THU-MSR", 7),
    ]
    assert len(result.violations) == 19
    assert sum(one.date < date(2020, 12, 1) for one in result.violations) == 16


def test_a_clear_step_is_shown_and_noise_is_not():
    rng = np.random.default_rng(0)
    base = rng.random(200)
    values = np.column_stack([base, base + rng.normal(0.001, 0.2, 200), base + 0.3, base])
    rungs = ladder(board(values), ["r0", "r1", "r2", "r3"])
    assert [rung.moved for rung in rungs] == [True, False, True, False]
    assert rungs[3].shown == rungs[2].shown == pytest.approx(values[:, 2].mean())
    assert rungs[1].mean == pytest.approx(values[:, 1].mean())


def test_the_bar_is_the_standard_error_of_the_difference():
    base = np.zeros(4)
    better = np.array([0.4, 0.0, 0.4, 0.0])  # mean 0.2, standard error 0.1155
    assert ladder(board(np.column_stack([base, better])), ["r0", "r1"])[1].moved
    noisy = np.array([1.0, -0.6, 0.8, -0.4])  # mean 0.2, standard error 0.41
    assert not ladder(board(np.column_stack([base, noisy])), ["r0", "r1"])[1].moved


def test_low_is_good():
    values = np.column_stack([np.full(5, 3.0), np.full(5, 2.0)])
    assert ladder(board(values), ["r0", "r1"], best_is_low=True)[1].moved
    assert not ladder(board(values), ["r0", "r1"])[1].moved


def test_shown_scores_never_get_worse_and_random_tries_move_little():
    rng = np.random.default_rng(1)
    values = rng.normal(0, 1, (500, 60))
    rungs = ladder(board(values), [f"r{place}" for place in range(60)])
    shown = [rung.shown for rung in rungs]
    assert shown == sorted(shown)
    assert sum(rung.moved for rung in rungs) <= 6
    assert max(rung.mean for rung in rungs) >= shown[-1]


def test_unknown_and_repeated_names_are_refused():
    for names in ([], ["r9"], ["r0", "r0"]):
        with pytest.raises(UsageError, match="each once"):
            ladder(board([[0.1, 0.2]]), names)
