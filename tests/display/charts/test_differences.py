import numpy as np
import pytest

from runoff.display.charts import Differences
from runoff.errors import UsageError
from tests.display.charts.values import table_with

QUERIES = ["a", "b", "c", "d", "e"]
CHAMPION = np.array([0.5, 1.0, 0.0, 0.2, np.nan])
CHALLENGER = np.array([1.0, 0.5, 0.0, 0.1, 1.0])


def test_the_curve_is_the_sorted_differences():
    chart = Differences(QUERIES, CHAMPION, CHALLENGER, ("oak", "ash"), "RR@10")
    curve = table_with(chart.spec(), "from")
    assert [(row["name"], row["difference"], row["side"]) for row in curve] == [
        ("a", 0.5, "better"),
        ("c", 0.0, "equal"),
        ("d", -0.1, "worse"),
        ("b", -0.5, "worse"),
    ]
    named = table_with(chart.spec(), "champion")
    assert [row["name"] for row in named] == ["a", "d", "b"]
    assert named[0] == {
        "query": "a", "name": "a", "difference": 0.5, "champion": 0.5, "challenger": 1.0, "side": "better"
    }  # fmt: skip
    assert chart.subtitle == "Better on 1, equal on 1, worse on 2 of 4 queries"


@pytest.mark.parametrize("count", [101, 599, 601, 6980])
def test_steps_of_many_queries_keep_the_mean(count):
    rng = np.random.default_rng(count)
    champion, challenger = rng.random((2, count))
    steps = Differences([str(at) for at in range(count)], champion, challenger)._curve()
    assert [one["to"] for one in steps[:-1]] == [one["from"] for one in steps[1:]]
    assert (steps[0]["from"], steps[-1]["to"]) == (0, count)
    total = sum(one["difference"] * (one["to"] - one["from"]) for one in steps)
    assert total / count == pytest.approx((challenger - champion).mean())
    drawn = [one["difference"] for one in steps]
    assert drawn == sorted(drawn, reverse=True)
    assert len(steps) <= 600


def test_every_step_says_which_queries_it_is_of():
    rng = np.random.default_rng(0)
    champion, challenger = rng.random((2, 300))
    spec = Differences([f"q{at}" for at in range(300)], champion, challenger).spec()
    *_, hover, _ = spec["hconcat"][0]["layer"]
    assert hover["mark"]["opacity"] == 0
    assert {row["name"] for row in hover["data"]["values"]} == {f"q{at}" for at in range(300)}
    assert hover["encoding"]["tooltip"][0]["field"] == "name"


def test_a_low_score_can_be_a_gain():
    chart = Differences(QUERIES, CHAMPION, CHALLENGER, ("oak", "ash"), "ESL", best_is_low=True)
    assert [row["name"] for row in table_with(chart.spec(), "from")] == ["b", "d", "c", "a"]
    assert chart.subtitle == "Better on 2, equal on 1, worse on 1 of 4 queries"


def test_words():
    chart = Differences(QUERIES, CHAMPION, CHALLENGER, ("oak", "ash"), "RR@10", most=1)
    assert chart.summary == (
        "ash scores better than oak on 1, equal on 1 and worse on 2 queries; the mean difference in RR@10 is -0.0250. "
        "The largest gain is +0.5000 on query a. The largest loss is -0.5000 on query b."
    )
    assert [line.split()[0] for line in chart.text_lines(60)] == ["a", "b"]


def test_runs_that_never_differ_have_no_names():
    chart = Differences(QUERIES, CHAMPION, CHAMPION)
    assert chart.text_lines(60) == []
    assert "largest" not in chart.summary
    assert "hconcat" not in chart.spec()


def test_bad_scores_are_refused():
    with pytest.raises(UsageError, match=r"5 queries with scores of shapes \(5,\) and \(4,\)"):
        Differences(QUERIES, CHAMPION, CHALLENGER[:4])
    with pytest.raises(UsageError, match="no query has a score of both runs"):
        Differences(["e"], CHAMPION[4:], CHALLENGER[4:])
