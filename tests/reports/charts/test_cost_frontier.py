"""The chart of costs: the frontier of each panel is that of its cost."""

import pytest

from runoff.errors import UsageError
from runoff.reports.charts import CostFrontier
from tests.reports.charts.values import table_with

RUNS = [("slow", 0.5), ("quick", 0.4), ("bad", 0.3)]
COSTS = [(90.0, 1.0), (10.0, 2.0), (50.0, 3.0)]


def test_a_panel_per_cost_with_its_own_frontier():
    chart = CostFrontier(RUNS, COSTS, ("ms", "usd"), "RR@10")
    first, second = chart.spec()["vconcat"]
    kinds = [[row["name"] for row in panel["data"]["values"] if row["kind"] == "on the frontier"]
             for panel in (first, second)]  # fmt: skip
    assert kinds == [["slow", "quick"], ["slow"]]
    assert chart.text_alternative().endswith("are, by ms: quick and slow; by usd: slow.")
    assert [line.split()[:2] for line in chart.text_lines(60)[1:]] == [["*", "slow"], ["*", "quick"], ["bad", "0.3000"]]


def test_low_can_be_good_and_wide_costs_are_logarithmic():
    chart = CostFrontier(RUNS, [(1.0,), (2.0,), (900.0,)], ("ms",), "ESL@10", best_is_low=True)
    (panel,) = chart.spec()["vconcat"]
    assert panel["layer"][0]["encoding"]["x"]["scale"] == {"type": "log"}
    assert all(row["kind"] == "on the frontier" for row in table_with(chart.spec(), "cost"))


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(UsageError, match="every cost"):
        CostFrontier(RUNS, [(1.0,)] * 3, ("ms", "usd"), "RR@10")
