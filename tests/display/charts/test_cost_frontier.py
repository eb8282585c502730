"""The chart of costs: the frontier of each panel is that of its cost."""

import pytest

from runoff.errors import UsageError
from tests.display.charts.examples import cost_frontier
from tests.display.charts.values import table_with

RUNS = [("slow", 0.5), ("quick", 0.4), ("bad", 0.3)]
COSTS = [(90.0, 1.0), (10.0, 2.0), (50.0, 3.0)]


def test_a_panel_per_cost_with_its_own_frontier():
    chart = cost_frontier(RUNS, COSTS, ("ms", "usd"), "RR@10")
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
    chart = cost_frontier(RUNS, [(1.0,), (2.0,), (900.0,)], ("ms",), "ESL@10", best_is_low=True)
    (panel,) = chart.spec()["vconcat"]
    assert panel["layer"][0]["encoding"]["x"]["scale"] == {"type": "log"}
    assert all(row["kind"] == "on the frontier" for row in table_with(chart.spec(), "cost"))


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(UsageError, match="every cost"):
        cost_frontier(RUNS, [(1.0,)] * 3, ("ms", "usd"), "RR@10")
