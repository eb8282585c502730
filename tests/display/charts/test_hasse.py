import itertools

import numpy as np
import pytest

from runoff.comparisons import relations_of_all
from runoff.display.charts import SHEETS, Hasse
from tests.display.charts.values import table_with


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
