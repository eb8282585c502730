import numpy as np
import pytest

from runoff.comparisons import FIGURE_3, in_orders_of, relations_of_all
from runoff.display.charts import RelationOrders
from runoff.errors import UsageError
from tests.display.charts.examples import relation_orders_of
from tests.display.charts.values import tables

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


def test_words():
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
