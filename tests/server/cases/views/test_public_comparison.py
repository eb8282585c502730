"""A comparison without single queries."""

from __future__ import annotations

from runoff.display.charts import IpsoStrips
from runoff.server.cases.views.public_comparison import for_public
from runoff.verbs.compare import compare

QRELS = {f"query-{place}": {"d": 1} for place in range(12)}
FIRST = {query: {"d": 1.0, "x": 2.0} for query in QRELS}
SECOND = {query: {"d": 2.0} for query in list(QRELS)[:7]}


def test_nothing_names_a_query_where_queries_are_left_out():
    comparison = compare(FIRST, SECOND, QRELS)
    assert for_public(comparison, "1 RR@10 depth 10") is comparison
    assert "query-" in "".join(chart.to_json() for chart in comparison.charts())
    found = for_public(comparison, "1, choice 1 RR@10 depth 10")
    said = [chart.to_json() + chart.to_text() + chart.said for chart in found.charts()]
    assert "query-" not in "".join(said) + str(found.to_dict()) + str(found.grids())
    assert [chart.name for chart in found.charts()] == ["outcome_bars", "ipso_strips"]
    assert isinstance(found.charts()[1], IpsoStrips)
    assert comparison.remarks
    assert found.remarks == ()
    assert comparison.to_dict()["break_even"]
    assert found.to_dict()["break_even"] == []  # made of counts by rank
    assert found.to_dict()["missing_queries"] is None
    by_query = {"remarks", "resolution", "break_even", "missing_queries"}
    same = {key: value for key, value in comparison.to_dict().items() if key not in by_query}
    assert {key: value for key, value in found.to_dict().items() if key not in by_query} == same
