import numpy as np
import pytest

from runoff.comparisons import IpsoResult, ipso
from runoff.comparisons._example import serps_from
from runoff.reports.charts import IpsoStrips
from tests.comparisons.figure_5 import TOPICS
from tests.reports.charts.examples import ipso_of
from tests.reports.charts.values import table_with


def figure_5() -> IpsoResult:
    first = serps_from(*(topic[1] for topic in TOPICS), run="System A", relevant=99)
    second = serps_from(*(topic[2] for topic in TOPICS), run="System B", relevant=99)
    return ipso(first, second, depth=10)


@pytest.mark.parametrize("queries, is_merged", [(20, False), (200, True)])
def test_strips_are_the_relations(queries, is_merged):
    found = ipso_of("A", "B", queries=queries)
    rows = table_with(IpsoStrips(found).spec(), "relation")
    codes = {"equal": 0, "for A": 1, "non-separable": 2, "for B": -1}
    drawn = np.full((queries, found.depth), 9)
    for row in rows:
        drawn[row["top"] : row["bottom"], int(row["from"] - 0.5) : int(row["to"] - 0.5)] = codes[row["relation"]]
    np.testing.assert_array_equal(drawn, found.relations[found.order])
    assert any("queries" in row["query"] for row in rows) == is_merged


def test_the_paper_s_figure_5_in_text():
    chart = IpsoStrips(figure_5())
    lines = chart.text_lines(40)
    assert len(lines) == len(TOPICS)
    assert chart.text_notes() == ["█ for System A, · equal, * non-separable, ▒ for System B."]
    counts = figure_5().at_depth
    assert sum(line[-1] == "█" for line in lines) == counts.ni
    assert sum(line[-1] == "*" for line in lines) == counts.nonseparable


def test_many_queries_become_shares():
    found = ipso_of("A", "B", queries=500)
    rows = table_with(IpsoStrips(found).spec(), "share")
    for row in rows:
        counts = found.by_depth[row["depth"] - 1]
        name = {"equal": "equal", "for A": "ni", "non-separable": "nonseparable", "for B": "ns"}[row["relation"]]
        assert row["count"] == getattr(counts, name)
        assert row["share"] == row["count"] / 500
    assert IpsoStrips(found).subtitle == "Shares of 500 queries at each depth"
    assert "from" in table_with(IpsoStrips(found, strips=500).spec(), "query")[0]


def test_the_same_name_twice_is_still_two_colours():
    spec = IpsoStrips(ipso_of("A", "A", queries=3)).spec()
    assert len(set(spec["layer"][0]["encoding"]["color"]["scale"]["domain"])) == 4


def test_the_sentence_counts():
    found = ipso_of("A", "B", queries=30)
    last = found.at_depth
    assert IpsoStrips(found).text_alternative() == (
        f"To depth 9, of 30 queries, no reasonable measure can score A lower on {last.ni} and none can score B lower "
        f"on {last.ns}; the runs are equal on {last.equal}, and measures may disagree on {last.nonseparable}."
    )
