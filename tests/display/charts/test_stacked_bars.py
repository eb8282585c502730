"""Stacks of shares: the parts add up, and letters fit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.display.charts import RelationShares
from runoff.display.charts._spec import Kind, colour_of
from runoff.display.charts._stacked_bars import stack_text
from runoff.display.charts._style import SHEETS, Style
from tests.display.charts.examples import ipso_shares
from tests.display.charts.values import tables

KINDS = [Kind("yes", "#0072b2", "█"), Kind("no", "#c9ced6", "·"), Kind("perhaps", "#e69f00", "▒")]
WEIGHTS = st.lists(st.integers(0, 50), min_size=3, max_size=3).filter(any)


@given(WEIGHTS, st.integers(1, 120))
def test_text_is_as_wide_as_asked(weights, width):
    shares = [weight / sum(weights) for weight in weights]
    bar = stack_text(KINDS, shares, width)
    assert len(bar) == width
    for kind, share in zip(KINDS, shares, strict=True):
        assert abs(bar.count(kind.sign) - share * width) <= 1
    assert bar == "".join(kind.sign * bar.count(kind.sign) for kind in KINDS)


@given(WEIGHTS)
def test_parts_follow_each_other(weights):
    chart = ipso_shares([RelationShares(5, *(weight / sum(weights) for weight in weights))])
    rows = tables(chart.spec())[0]
    width = chart.spec()["hconcat"][0]["width"]
    assert [row["from"] for row in rows] == [0.0, *(row["to"] for row in rows[:-1])]
    assert rows[-1]["to"] == pytest.approx(1)
    assert all(not row["label"] or Style().text_width(row["label"]) <= width * row["share"] for row in rows)


@pytest.mark.parametrize("size", SHEETS)
@pytest.mark.parametrize("times", [1, 2])
def test_the_legend_fits_the_sheet(size, times):
    long = [Kind("a kind with a long name " * times, "#000000", "x")] * 4
    style = Style(size=size)
    columns = colour_of(long, style)["legend"]["columns"]
    assert columns >= 1
    assert columns == 1 or columns * style.text_width(long[0].word) <= style.sheet.width
    assert colour_of(KINDS, Style())["legend"]["columns"] == 3
