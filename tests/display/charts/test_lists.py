"""Charts of ranked lists: the order of all lists, the values of a measure, and two runs at every depth."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from runoff.boards.scales import scale
from runoff.comparisons import FIGURE_3, IpsoResult, in_orders_of, ipso, ipso_differences, relations_of_all
from runoff.display.charts import SHEETS, Hasse, IpsoStrips, RelationOrders, ScaleValues, Size
from runoff.errors import UsageError
from runoff.measures import ERR, RR, P, Success, parse_measure
from runoff.measures._example import serps_from
from runoff.tables.serps import Serps
from tests.comparisons.figure_5 import RELEVANT, TOPICS
from tests.display.charts.examples import ipso_of, relation_orders_of
from tests.display.charts.values import table_with, tables


def crossings(chart, levels):
    places = {serp: (at, step) for step, level in enumerate(levels) for at, serp in enumerate(level)}
    covers = np.argwhere(chart.all_serps.covers).tolist()
    lines = [(places[up], places[down]) for up, down in covers]
    return sum(
        a[1] == c[1] and (a[0] - c[0]) * (b[0] - d[0]) < 0 for (a, b), (c, d) in itertools.combinations(lines, 2)
    )


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_lines_are_the_neighbours_and_go_up(depth):
    found = relations_of_all(depth)
    lines = table_with(Hasse(found).spec(), "above")
    assert {(line["above"], line["below"]) for line in lines} == {
        (found.serps[up], found.serps[down]) for up, down in np.argwhere(found.covers).tolist()
    }
    assert all(line["step"] == line["step2"] + 1 for line in lines)
    nodes = table_with(Hasse(found).spec(), "free")
    assert [node["list"] for node in nodes] == list(found.serps)
    assert [node["step"] for node in nodes] == found.steps.tolist()
    assert [node["free"] for node in nodes] == (found.relations == 2).sum(axis=1).tolist()


@pytest.mark.parametrize("size", SHEETS)
def test_boxes_do_not_touch_and_fit_the_sheet(size):
    spec = Hasse(relations_of_all(6)).in_style(size=size).spec()
    boxes = table_with(spec, "left")
    assert spec["width"] < SHEETS[size].width
    for one, other in itertools.combinations(boxes, 2):
        assert one["step"] != other["step"] or one["right"] < other["left"] or other["right"] < one["left"]


@pytest.mark.parametrize("depth", [3, 4])
def test_no_order_of_the_levels_has_fewer_crossings(depth):
    chart = Hasse(relations_of_all(depth))
    best = min(crossings(chart, levels) for levels in itertools.product(
        *(itertools.permutations(level) for level in chart._levels)))  # fmt: skip
    assert crossings(chart, chart._levels) == best == 0


def test_figure_1_in_characters():
    assert Hasse(relations_of_all(3)).text_lines(40) == [
        "6  111  > 110",
        "5  110  > 101",
        "4  101  > 100 011",
        "3  011  > 010",
        "   100  > 010",
        "2  010  > 001",
        "1  001  > 000",
        "0  000",
    ]


def test_words():
    assert Hasse(relations_of_all(3)).summary == (
        "8 lists of 3 on 7 levels, from 000 to 111, joined by 8 lines. The first level with several has 011 and 100; "
        "the widest has 2 lists."
    )
    assert Hasse(relations_of_all(2)).summary.endswith("every two are ordered alike by all measures.")


CODES = {"never worse": 1, "never better": -1, "equal": 0, "non-separable": 2}


@pytest.mark.parametrize("depth", [1, 3, 6])
def test_cells_are_the_relations(depth):
    chart = relation_orders_of(depth)
    for pane, rows in zip(chart.panes, tables(chart.spec()), strict=True):
        drawn = np.full(pane.relations.shape, 9)
        for row in rows:  # one reaches a little below the next
            drawn[row["top"], row["start"] : int(row["end"])] = CODES[row["kind"]]
        np.testing.assert_array_equal(drawn, pane.relations)


def test_heads_and_axes():
    spec = relation_orders_of(6).spec()
    assert [pane["title"]["text"] for pane in spec["concat"]] == [
        "(a) τ = 1.000", "(b) τ = 0.796", "(c) τ = 0.786", "(d) τ = 0.976",
    ]  # fmt: skip
    titles = [(pane["encoding"]["y"]["title"], pane["encoding"]["x"]["title"]) for pane in spec["concat"]]
    assert titles[1:3] == [("by RBP(p=0.5)", "by nDCG"), ("by AP", "by RBP(p=0.5)")]
    assert {pane["width"] % 64 for pane in spec["concat"]} == {0}


def test_relation_orders_words():
    assert relation_orders_of(3).summary == (
        "All 8 lists of 3, in 4 pairs of orders; 1 pair of lists is non-separable in each. Kendall's tau between the "
        "orders by two measures: RBP(p=0.5) and RBP(p=0.5) 1.000; RBP(p=0.5) and nDCG 0.929; AP and RBP(p=0.5) 0.929; "
        "AP and nDCG 1.000."
    )


def test_characters():
    lines = relation_orders_of(3).text_lines(60)
    assert lines[:3] == ["(a) Rows by RBP(p=0.5), columns by RBP(p=0.5): τ = 1.000", "000  =≤≤≤≤≤≤≤", "001  ≥=≤≤≤≤≤≤"]
    assert len(lines) == 4 * 9 + 3
    assert relation_orders_of(6).text_lines(40)[65] == "The first 32 of 64 columns."


def test_what_cannot_be_drawn():
    with pytest.raises(UsageError, match="there are no orders to show"):
        RelationOrders([])
    with pytest.raises(UsageError, match="the 128 lists of 7 are too many for a picture"):
        RelationOrders([in_orders_of(relations_of_all(7), *FIGURE_3[0])])


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


@pytest.mark.parametrize("measure", [RR @ 3, P @ 5, ERR @ 3, Success @ 1])
def test_ticks_are_the_values_and_their_equal_steps(measure):
    found = scale(measure)
    rows = table_with(ScaleValues(found).spec(), "equal")
    top = [row for row in rows if row["row"] == "attainable"]
    assert [row["value"] for row in top] == found.values.tolist()
    assert [row["equal"] for row in top] == found.interval_values.tolist()
    span = found.values[-1] - found.values[0]
    assert [row["at"] for row in top] == pytest.approx(((found.values - found.values[0]) / span).tolist())


def test_scale_values_words():
    assert ScaleValues(scale(RR @ 3)).title == "RR@3 takes unequal steps"
    assert ScaleValues(scale(RR @ 3)).summary == (
        "RR@3 has 4 values from 0.0000 to 1.0000. Its steps are from 0.1667 to 0.5000, the largest between 0.5000 and "
        "1.0000: it is not an interval scale of these lists."
    )
    assert ScaleValues(scale(P @ 5)).summary.endswith("all 0.2000 apart: it is an interval scale of these lists.")


def test_scale_values_text():
    assert ScaleValues(scale(RR @ 3)).text_lines(29) == [
        "attainable      ┼───┼─┼─────┼",
        "in equal steps  ┼───┼───┼───┼",
        "                0           1",
    ]


def test_many_values_are_not_joined():
    few, many = ScaleValues(scale(RR @ 10)).spec(), ScaleValues(scale(ERR @ 10)).spec()
    assert sum("top" in layer["data"]["values"][0] for layer in few["layer"] if layer["data"]["values"]) == 1
    assert sum("top" in layer["data"]["values"][0] for layer in many["layer"] if layer["data"]["values"]) == 0
