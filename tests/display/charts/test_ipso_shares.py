import pytest

from runoff.comparisons import ipso_theory
from runoff.display.charts import RelationShares
from runoff.errors import UsageError
from tests.display.charts.examples import ipso_shares, ipso_shares_of
from tests.display.charts.values import tables

TABLE_3 = [RelationShares(10, 0.1123, 0.7466, 0.1411), RelationShares(100, 0.01, 0.5044, 0.4856)]


def test_bars_are_the_runs_and_the_theory():
    runs, random = tables(ipso_shares(TABLE_3).spec())
    assert [(row["depth"], row["kind"], row["share"]) for row in runs[:3]] == [
        ("k = 10", "equal", 0.1123), ("k = 10", "separable", 0.7466), ("k = 10", "non-separable", 0.1411),
    ]  # fmt: skip
    theory = ipso_theory(100)
    assert [row["share"] for row in random[3:]] == [theory.equal, theory.separable, theory.nonseparable]
    assert {row["lists"] for row in runs} | {row["lists"] for row in random} == {"The runs", "Random lists"}


def test_words():
    chart = ipso_shares(TABLE_3, of="13,950 pairs of lists")
    assert chart.subtitle.startswith("Shares of 13,950 pairs of lists. Random:")
    assert chart.summary == (
        "At depth 10, 14.1% of the pairs of lists are non-separable, 74.7% separable and 11.2% equal; of random lists, "
        "32.8% would be non-separable. At depth 100, 48.6% of the pairs of lists are non-separable, 50.4% separable "
        "and 1.0% equal; of random lists, 77.6% would be non-separable."
    )
    assert ipso_shares(TABLE_3[:1]).summary.count("At depth") == 1
    assert ipso_shares(TABLE_3).subtitle.startswith("Random:")


def test_text_bars_are_as_long_as_the_shares():
    lines = ipso_shares(TABLE_3).text_lines(109)
    assert lines[:2] == ["The runs", f"k = 10   {'·' * 11}{'▒' * 75}{'█' * 14}"]
    assert lines[3:5] == ["", "Random lists"]
    assert lines[5].startswith("k = 10   ▒")


def test_panels_stand_below_each_other_where_the_sheet_is_narrow():
    chart = ipso_shares_of((5, 10))
    assert "hconcat" in chart.spec()
    assert "vconcat" in chart.in_style(size="phone").spec()


def test_no_depth_is_refused():
    with pytest.raises(UsageError, match="there are no depths to show"):
        ipso_shares([])
