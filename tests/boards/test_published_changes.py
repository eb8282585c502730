"""Changes of published means."""

from datetime import date

import numpy as np
import pytest

from runoff.boards.published_changes import published_changes
from runoff.boards.submissions import submissions
from runoff.files import read_msmarco_table
from runoff.tables import BoardRun
from tests.boards.fields import as_scores, draw_field, judged_field


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
