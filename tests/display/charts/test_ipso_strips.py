import numpy as np
import pytest

from runoff.comparisons import IpsoResult, ipso, ipso_differences
from runoff.display.charts import IpsoStrips, Size
from runoff.measures import parse_measure
from runoff.measures._example import serps_from
from runoff.tables.serps import Serps
from tests.comparisons.figure_5 import RELEVANT, TOPICS
from tests.display.charts.examples import ipso_of
from tests.display.charts.values import table_with

MEASURES = [parse_measure(f"{name}@10") for name in ("RR", "P", "RBP(p=0.5)", "RBP(p=0.8)", "AP", "nDCG")]


def figure_5() -> IpsoResult:
    return ipso(*systems(), depth=10)


def systems() -> tuple[Serps, Serps]:
    first = serps_from(*(topic[1] for topic in TOPICS), run="System A", relevant=RELEVANT)
    second = serps_from(*(topic[2] for topic in TOPICS), run="System B", relevant=RELEVANT)
    return first, second


def with_measures() -> IpsoStrips:
    return IpsoStrips(figure_5(), ipso_differences(figure_5(), *systems(), MEASURES))


@pytest.mark.parametrize("queries, is_merged", [(20, False), (200, True)])
def test_strips_are_the_relations(queries, is_merged):
    found = ipso_of("A", "B", queries=queries)
    rows = table_with(IpsoStrips(found).spec(), "kind")
    codes = {"equal": 0, "for A": 1, "non-separable": 2, "for B": -1}
    drawn = np.full((queries, found.depth), 9)
    for row in rows:
        drawn[row["top"] : row["bottom"], int(row["from"] - 0.5) : int(row["to"] - 0.5)] = codes[row["kind"]]
    np.testing.assert_array_equal(drawn, found.relations[found.order])
    assert any("queries" in row["query"] for row in rows) == is_merged


def test_the_paper_s_figure_5_in_text():
    chart = IpsoStrips(figure_5())
    lines = chart.text_lines(40)
    assert len(lines) == len(TOPICS)
    assert chart.words().notes == ("█ for System A, · equal, * non-separable, ▒ for System B.",)
    counts = figure_5().at_depth
    assert sum(line[-1] == "█" for line in lines) == counts.ni
    assert sum(line[-1] == "*" for line in lines) == counts.nonseparable


def test_many_queries_become_shares():
    found = ipso_of("A", "B", queries=500)
    rows = table_with(IpsoStrips(found).spec(), "share")
    for row in rows:
        counts = found.by_depth[row["depth"] - 1]
        name = {"equal": "equal", "for A": "ni", "non-separable": "nonseparable", "for B": "ns"}[row["kind"]]
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
    assert IpsoStrips(found).summary == (
        f"To depth 9, of 30 queries, no reasonable measure can score A lower on {last.ni} and none can score B lower "
        f"on {last.ns}; the runs are equal on {last.equal}, and measures may disagree on {last.nonseparable}."
    )


def test_the_measures_of_figure_5_stand_beside_the_strips():
    chart = with_measures()
    cells = table_with(chart.spec(), "measure", "difference")
    assert len(cells) == 6 * len(TOPICS)
    colours = {1: "for System A", 0: "equal", -1: "for System B"}
    for at, topic in enumerate(TOPICS):
        row = cells[6 * at : 6 * at + 6]
        assert {(cell["top"], cell["bottom"]) for cell in row} == {(at, at + 1)}
        assert [cell["measure"] for cell in row] == ["RR", "P", "RBP(p=0.5)", "RBP(p=0.8)", "AP", "nDCG"]
        assert [cell["difference"] for cell in row[:5]] == pytest.approx(topic[5][:5], abs=0.00501)
        sides = [int(np.sign(round(cell["difference"], 9))) for cell in row]
        assert [cell["kind"] for cell in row] == [colours[side] for side in sides]
        assert [cell["label"] == "0" for cell in row] == [side == 0 for side in sides]
    assert cells[0]["label"] == "0"
    assert cells[1]["label"] == "-0.10"
    assert "which run scores higher by each measure" in chart.subtitle


def test_the_lists_are_told_where_queries_are_named():
    strip = table_with(with_measures().spec(), "kind", "from")[0]
    assert (strip["first"], strip["second"]) == TOPICS[0][1:3]


def test_measures_in_characters():
    lines = with_measures().text_lines(60)
    assert lines[0].endswith("·▒▒*******  ·▒▒▒▒▒")
    assert lines[1].endswith("·····▒▒▒▒*  ·█▒███")
    assert lines[25:] == [
        "",
        "Behind the strips, which run scores higher by RR, P,",
        "RBP(p=0.5), RBP(p=0.8), AP, nDCG.",
    ]
    assert with_measures().text_lines(20) == IpsoStrips(figure_5()).text_lines(20)  # no room


def test_numbers_are_written_where_all_have_room():
    sizes: tuple[tuple[Size, bool], ...] = (("page", True), ("phone", False))
    for size, has_numbers in sizes:
        spec = with_measures().in_style(size=size).spec()
        assert (len(spec["hconcat"][1]["layer"]) == 4) == has_numbers
        assert any(cell["label"] for cell in table_with(spec, "measure", "difference")) == has_numbers


def test_an_undefined_difference_is_empty():
    pair = serps_from("10", run="A"), serps_from("00", run="B")
    found = ipso(*pair, depth=2)
    chart = IpsoStrips(found, ipso_differences(found, *pair, [parse_measure("ESL@2")]))
    (cell,) = table_with(chart.spec(), "measure", "difference")
    assert (cell["difference"], cell["label"], cell["kind"]) == (None, "", "equal")
