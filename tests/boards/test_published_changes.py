"""Changes of published means."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.boards.overfitting import overfitting
from runoff.boards.published_changes import published_changes
from runoff.boards.submissions import submissions
from runoff.files import read_msmarco_table
from runoff.tables import BoardRun
from tests.boards.teams import draw_team


def run(name, day, team="A", **scores):
    return BoardRun(name=name, team=team, date=date(2021, 1, day), scores=scores)


def changes(runs, **options):
    return published_changes(submissions(runs).teams, **options)


def test_from_the_first_to_the_best_on_public():
    runs = [run("c", 3, public=0.5, private=0.25), run("a", 1, public=0.25, private=0.5), run("b", 2, public=0.375)]
    (found,) = changes(runs)
    assert (found.first, found.best, found.submissions) == ("a", "c", ("a", "c"))
    assert (found.change_public, found.change_private, found.excess) == (0.25, -0.25, 0.5)


@pytest.mark.parametrize("low", [True, False])
@given(seed=st.integers(0, 20))
def test_the_changes_are_those_of_the_monitor(low, seed):
    public, private = draw_team(seed, public=20, private=20, submissions=4)
    means = zip(public.runs, public.means.tolist(), private.means.tolist(), strict=True)
    runs = [run(name, day, public=one, private=other) for day, (name, one, other) in enumerate(means, start=1)]
    (found,) = changes(runs, best_is_low=low)
    measured = overfitting(public, private, public.runs, best_is_low=low, trials=10)
    assert (found.first, found.best) == (measured.first, measured.best)
    numbers = (measured.change_public, measured.change_private, measured.excess)
    assert (found.change_public, found.change_private, found.excess) == pytest.approx(numbers, abs=1e-12)


def test_teams_with_less_are_left_out_and_the_largest_excess_is_first():
    runs = [run("a", 1, dev=0.5, test=0.5), run("b", 2, dev=0.75, test=0.5)]
    runs += [run("x", 1, "B", dev=0.5, test=0.5), run("y", 2, "B", dev=1.0, test=0.5)]
    runs += [run("m", 1, "C", dev=0.5, test=0.5), run("n", 2, "C", test=0.5)]
    assert [one.team for one in changes(runs, public="dev", private="test")] == ["B", "A"]
    assert changes(runs) == ()


def test_the_ms_marco_document_leaderboard(shared_data):
    board = read_msmarco_table(shared_data / "msmarco" / "document-leaderboard.csv")
    found = changes(board.runs)
    assert len(found) == 20
    assert [(one.team, one.best, round(one.excess, 3)) for one in found[:2]] == [
        ("THU-MSR", "20210128-ance-d-2", 0.035),
        ("TJ-university", "20210330-fridayL", 0.027),
    ]
