"""Charts of points, lines and areas: what they draw, where names have room, words and text."""

from __future__ import annotations

import itertools
import re
from datetime import date, timedelta

import numpy as np
import pytest

from runoff.boards.history import history
from runoff.display.charts import Differences, PoolSizes, SampleCheck, Unjudged
from runoff.errors import UsageError
from runoff.tables.board import BoardRun
from tests.display.charts.examples import cost_frontier, names, sample_check_of, timeline, timeline_of, unjudged_of
from tests.display.charts.values import table_with, tables

RUNS = [
    BoardRun(name="bm25", baseline=True),
    BoardRun(name="a", team="A", date=date(2020, 8, 1)),
    BoardRun(name="b", team="B", date=date(2020, 11, 1)),
    BoardRun(name="c", team="C", date=date(2021, 3, 1)),
    BoardRun(name="undated"),
]
MEANS = {"bm25": 0.2, "a": 0.3, "b": 0.25, "c": 0.4, "undated": 0.9}


def test_points_steps_and_baselines_are_those_of_the_board():
    spec = timeline(RUNS, MEANS, "RR@10").spec()
    points = table_with(spec, "kind")
    assert {(row["name"], row["date"], row["mean"], row["kind"]) for row in points} == {
        ("a", "2020-08-01", 0.3, "record"),
        ("b", "2020-11-01", 0.25, "run"),
        ("c", "2021-03-01", 0.4, "record"),
    }
    steps = [row["mean"] for row in table_with(spec["layer"][2:], "team")]
    assert steps == [0.3, 0.4, 0.4]  # the last record holds to the end
    assert [row["mean"] for row in tables(spec)[0]] == [0.2]


def test_records_are_those_of_the_history():
    chart = timeline_of(names(40))
    records = [record.name for record in history(chart.runs, chart.means).records]
    drawn = [row["name"] for row in table_with(chart.spec(), "kind") if row["kind"] == "record"]
    assert sorted(drawn) == sorted(records)
    lines = [line for line in chart.text_lines(80) if line.startswith("20")]
    assert [line.split()[1] for line in lines[:-1]] == records  # the last line is that of the months


def test_names_do_not_lie_over_each_other():
    chart = timeline_of(names(150))
    placed = table_with(chart.spec(), "align")
    assert placed[-1]["name"] == "run-000"
    width, height = chart.spec()["width"], chart.spec()["height"]
    low, high = chart.spec()["layer"][0]["encoding"]["y"]["scale"]["domain"]
    start, end = map(date.fromisoformat, chart.spec()["layer"][2]["encoding"]["x"]["scale"]["domain"])
    boxes = []
    for row in placed:
        across = (date.fromisoformat(row["date"]) - start) / (end - start) * width
        up = (row["mean"] - low) / (high - low) * height
        length = len(row["label"]) * 6
        boxes.append((up, across - length, across) if row["align"] == "right" else (up, across, across + length))
    for at, (up, left, right) in enumerate(boxes):
        assert left >= 0
        for other, their_left, their_right in boxes[:at]:
            assert abs(up - other) >= 12 or right <= their_left or left >= their_right


def test_better_is_up_also_where_low_is_good():
    chart = timeline(RUNS[1:4], {"a": 5.0, "b": 6.0, "c": 4.0}, "ESL", best_is_low=True)
    assert [record.name for record in chart.history.records] == ["a", "c"]
    assert chart.spec()["layer"][0]["encoding"]["y"]["scale"]["reverse"] is True


def test_words():
    chart = timeline(RUNS, MEANS, "RR@10")
    assert chart.subtitle == "3 runs, 2 records; 1 without a date left out"
    assert chart.summary == (
        "c has held the record of RR@10, 0.4000, since 2021-03-01. The first of 2 records was a with 0.3000 on "
        "2020-08-01. 1 of 3 runs set no record."
    )
    nothing = timeline(RUNS[:2], {"bm25": 0.5, "a": 0.3})
    assert nothing.summary == "None of 1 run beats the baselines, so there is no record of Mean."
    assert nothing.to_text().count("\n") == 7
    with pytest.raises(UsageError, match="no run has a date and a mean"):
        timeline(RUNS[:1], MEANS)


def test_months_are_counted():
    days = [date(2020, 1, 31) + timedelta(days=day) for day in (0, 40, 41, 60)]
    runs = [BoardRun(name=str(at), date=day) for at, day in enumerate(days)]
    line = timeline(runs, {run.name: 0.5 for run in runs}).text_lines(80)[-1]
    assert line == "2020-01 ▃ █ 2020-03"


def test_certified_records_have_a_mark():
    chart = timeline(RUNS, MEANS, "RR@10", certified={"c"})
    kinds = {row["name"]: row["kind"] for row in table_with(chart.spec(), "kind")}
    assert kinds == {"a": "record", "b": "run", "c": "certified record"}
    assert [line.split()[1:-2] for line in chart.text_lines(80)[:2]] == [["a"], ["✓", "c"]]
    assert chart.words().notes[0] == "✓ certified by the record test."
    assert chart.summary.endswith("The record test certifies c.")
    assert "2 records, 1 of them certified" in chart.subtitle


def test_no_record_is_certified_or_none_was_tested():
    none, untested = timeline(RUNS, MEANS, certified=()), timeline(RUNS, MEANS)
    assert none.summary.endswith("The record test certifies none of the later ones.")
    assert "certif" not in untested.summary + untested.subtitle + untested.to_text(80)
    assert "certif" not in str(untested.spec())


@pytest.mark.parametrize("days", [0, 1, 2, 5, 30, 400])
def test_no_two_ticks_have_the_same_name(days):
    runs = [
        BoardRun(name=name, date=date(2026, 3, 15) + timedelta(days=days * place)) for place, name in enumerate("ab")
    ]
    shown = timeline(runs, {"a": 0.3, "b": 0.4}, "RR@10").to_svg()
    ticks = re.findall(r">(\d{4}-\d\d(?:-\d\d)?)<", shown)
    assert len(ticks) > 1
    assert len(ticks) == len(set(ticks))


COST_FRONTIER_RUNS = [("slow", 0.5), ("quick", 0.4), ("bad", 0.3)]
COSTS = [(90.0, 1.0), (10.0, 2.0), (50.0, 3.0)]


def test_a_panel_per_cost_with_its_own_frontier():
    chart = cost_frontier(COST_FRONTIER_RUNS, COSTS, ("ms", "usd"), "RR@10")
    first, second = chart.spec()["vconcat"]
    kinds = [[row["name"] for row in panel["data"]["values"] if row["kind"] == "on the frontier of this cost"]
             for panel in (first, second)]  # fmt: skip
    assert kinds == [["slow", "quick"], ["slow"]]
    assert chart.summary.endswith("beats these on mean and cost: by ms, quick and slow; by usd, slow.")
    assert [line.split()[:2] for line in chart.text_lines(60)[1:]] == [["*", "slow"], ["*", "quick"], ["bad", "0.3000"]]


def test_a_run_on_the_frontier_of_all_costs_alone_has_a_colour_of_its_own():
    runs, costs = (
        [("a", 0.5), ("b", 0.4), ("c", 0.45), ("d", 0.3)],
        [(10.0, 90.0), (90.0, 10.0), (20.0, 20.0), (95.0, 95.0)],
    )
    runs, costs = [*runs, ("e", 0.46), ("f", 0.47)], [*costs, (5.0, 99.0), (99.0, 5.0)]
    first, second = cost_frontier(runs, costs, ("ms", "usd"), "RR@10").spec()["vconcat"]
    for panel in (first, second):
        kinds = {row["name"]: row["kind"] for row in panel["data"]["values"]}
        assert kinds["c"] == "on that of all costs"  # e beats it on ms, f on usd, and none on both
        assert kinds["d"] == "beaten on all"
        assert panel["data"]["values"][0]["name"] == "d"  # drawn first, so that it covers none of the others


def test_names_of_the_frontier_do_not_overlap():
    runs = [("far", 0.5), ("close by", 0.5001), ("the best of all", 0.5002), ("poor", 0.1)]
    (panel,) = cost_frontier(runs, [(1.0,), (9.99,), (10.0,), (10.0,)], ("ms",), "RR@10").spec()["vconcat"]
    sides = {row["name"]: row["side"] for row in panel["data"]["values"]}
    assert sides["the best of all"] == "left"
    assert sides["close by"] == "right"  # to the left stands the best one's name
    assert sides["poor"] == ""
    assert sides["far"] == "right"  # there is no room to the left of the plot


def test_low_can_be_good_and_wide_costs_are_logarithmic():
    chart = cost_frontier(COST_FRONTIER_RUNS, [(1.0,), (2.0,), (900.0,)], ("ms",), "ESL@10", best_is_low=True)
    (panel,) = chart.spec()["vconcat"]
    assert panel["layer"][0]["encoding"]["x"]["scale"] == {"type": "log"}
    assert all(row["kind"] == "on the frontier" for row in table_with(chart.spec(), "cost"))


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(UsageError, match="every cost"):
        cost_frontier(COST_FRONTIER_RUNS, [(1.0,)] * 3, ("ms", "usd"), "RR@10")


ALL, SAMPLED = np.array([0.2, 0.4, 0.3]), np.array([0.25, 0.38, 0.39])


def test_points_are_both_scores():
    chart = SampleCheck(["a", "b", "c"], ALL, SAMPLED, (6980, 500))
    rows = table_with(chart.spec(), "name")
    assert [(row["name"], row["all"], row["sample"]) for row in rows] == [
        ("b", 0.4, 0.38), ("c", 0.3, 0.39), ("a", 0.2, 0.25),
    ]  # fmt: skip
    low, high = table_with(chart.spec(), "all")
    assert low["all"] == low["sample"] < 0.2
    assert high["all"] == high["sample"] > 0.4


def test_sample_check_words():
    chart = SampleCheck(["a", "b", "c"], ALL, SAMPLED, (6980, 500), "MRR")
    assert chart.summary == (
        "MRR of 3 runs on a sample of 500 of 6,980 queries: b is first on all (0.4000; 0.3800 on the sample), c on the "
        "sample (0.3900). 1 pair of neighbours changes places; the largest difference is +0.0900, for c."
    )
    same = SampleCheck(["a", "b", "c"], ALL, ALL, (10, 5))
    assert "The order is the same on both; the largest difference is +0.0000" in same.summary
    assert chart.text_lines(40)[1].split() == ["b", "0.4000", "0.3800", "-0.0200"]


@pytest.mark.parametrize("count", [5, 60, 300])
def test_names_do_not_cover_each_other(count):
    chart = sample_check_of(names(count))
    rows = [row for row in table_with(chart.spec(), "name") if row["label"]]
    assert 0 < len(rows) <= 12
    scale = chart.spec()["layer"][0]["encoding"]["x"]["scale"]["domain"]
    side = chart.spec()["width"]
    boxes = []
    for row in rows:
        x, y = ((row[field] - scale[0]) / (scale[1] - scale[0]) * side for field in ("all", "sample"))
        wide = chart.style.text_width(row["label"])
        left, right = (x + 6, x + 6 + wide) if row["align"] == "left" else (x - 6 - wide, x - 6)
        assert 0 <= left < right <= side + 4
        boxes.append((left, right, y))
    for one, other in itertools.combinations(boxes, 2):
        assert one[1] < other[0] or other[1] < one[0] or abs(one[2] - other[2]) >= chart.style.sheet.font


def test_scores_that_do_not_fit_are_refused():
    with pytest.raises(UsageError, match=r"2 runs with scores of shapes \(3,\) and \(3,\)"):
        SampleCheck(["a", "b"], ALL, SAMPLED, (10, 5))


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


def test_differences_words():
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
    assert chart.subtitle.startswith("9 runs, the best 5 in colour, 4 others in grey;")
    assert "grey" not in unjudged_of(names(5)).subtitle


@pytest.mark.parametrize("depth", [30, 31, 100, 1000])
def test_deep_lists_are_thinned(depth):
    chart = unjudged_of(["oak"], depth=depth)
    ranks = [row["rank"] for row in tables(chart.spec())[0]]
    assert ranks == sorted(set(ranks))
    assert (ranks[0], ranks[-1]) == (1, depth)
    assert len(ranks) <= 30


def test_unjudged_words():
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


def test_bars_count_the_queries():
    rows = table_with(PoolSizes([2, 2, 4, 5, 2]).spec(), "queries")
    assert [(row["size"], row["queries"]) for row in rows] == [("2", 3), ("3", 0), ("4", 1), ("5", 1)]
    assert all(row["to"] - row["from"] == 1 for row in rows)


@pytest.mark.parametrize("largest", [39, 40, 41, 400, 1234])
def test_many_sizes_share_bars(largest):
    sizes = [*range(1, largest + 1), largest]
    rows = table_with(PoolSizes(sizes).spec(), "queries")
    assert len(rows) <= 40
    assert sum(row["queries"] for row in rows) == len(sizes)
    assert (rows[0]["from"], rows[-1]["to"]) == (0.5, largest + 0.5)


def test_pool_sizes_words():
    chart = PoolSizes([2, 2, 4, 5, 2])
    assert chart.subtitle == "5 queries; mean 3.00, median 2; 19 pairs"
    assert chart.summary == (
        "Pools of 5 queries hold 2 to 5 documents, 3.00 on average, with a median of 2. The most frequent size is 2, "
        "for 3 queries."
    )
    assert chart.text_lines(26) == ["2  3  ████████████████████", "3  0", "4  1  ███████", "5  1  ███████"]


@pytest.mark.parametrize("sizes", [[], [3, -1]])
def test_bad_sizes_are_refused(sizes):
    with pytest.raises(UsageError, match="expected a whole number from 0 for each query"):
        PoolSizes(sizes)
