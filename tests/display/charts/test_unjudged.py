import numpy as np
import pytest

from runoff.display.charts import Unjudged
from runoff.errors import UsageError
from tests.display.charts.examples import names, unjudged_of
from tests.display.charts.values import tables

SHARES = np.array([[0.0, 0.25, 0.5], [0.5, 0.5, 0.75]])


def test_lines_are_the_shares():
    drawn = tables(Unjudged(["oak", "ash"], SHARES).spec())[0]
    assert [(row["run"], row["rank"], row["share"]) for row in drawn] == [
        (run, rank, SHARES[at, rank - 1]) for at, run in enumerate(["oak", "ash"]) for rank in (1, 2, 3)
    ]


def test_the_best_are_in_colour_and_the_others_grey():
    chart = unjudged_of(names(9))
    grey, shown, _ = tables(chart.spec())
    assert {row["name"] for row in shown} == set(names(5))
    assert {row["name"] for row in grey} == set(names(9)[5:])
    assert chart.subtitle.startswith("9 runs, the best 5 in colour, grey: the other 4;")
    assert "grey" not in unjudged_of(names(5)).subtitle


@pytest.mark.parametrize("depth", [30, 31, 100, 1000])
def test_deep_lists_are_thinned(depth):
    chart = unjudged_of(["oak"], depth=depth)
    ranks = [row["rank"] for row in tables(chart.spec())[0]]
    assert ranks == sorted(set(ranks))
    assert (ranks[0], ranks[-1]) == (1, depth)
    assert len(ranks) <= 30


def test_words():
    chart = Unjudged(["oak", "ash"], SHARES, most=1)
    assert chart.summary == (
        "Unjudged documents of 2 runs: oak 0.0% at rank 1 and 50.0% to rank 3. Over all runs 50.0% to 75.0%, the most "
        "for ash."
    )
    assert chart.text_lines(40) == [
        "Rank        1    2    3",
        "oak        0%  25%  50%",
        "All runs  25%  38%  62%",
    ]


def test_bad_shares_are_refused():
    with pytest.raises(UsageError, match=r"1 runs with shares of shape \(2, 3\)"):
        Unjudged(["oak"], SHARES)
    with pytest.raises(UsageError, match="most=8 cannot be used; expected 1 to 7"):
        Unjudged(["oak", "ash"], SHARES, most=8)
