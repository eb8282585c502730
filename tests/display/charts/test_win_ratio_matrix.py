from dataclasses import replace

import numpy as np
import pytest

from runoff.errors import UsageError
from runoff.preferences import TopDocs, win_ratios
from runoff.tables.preferences import Preferences
from tests.display.charts.examples import names, win_ratio_matrix, win_ratios_of
from tests.display.charts.values import table_with


def test_cells_are_the_columns_against_the_rows():
    found = win_ratios_of(names(5))
    cells = table_with(win_ratio_matrix(found).spec(), "ratio")
    assert len(cells) == 20
    for cell in cells:
        row, column = found.runs.index(cell["name"]), found.runs.index(cell["other"])
        assert cell["ratio"] == found.ratios[row, column]
        assert cell["queries"] == found.counted[row, column] == cell["wins"] + cell["losses"]
        assert cell["number"] == str(cell["queries"])
        assert (cell["wins"], cell["losses"]) == (found.wins[row, column], found.wins[column, row])
        assert cell["framed"] == (found.p[row, column] < 0.05)
        assert cell["p"] == found.p[row, column]


def test_most_wins_come_first():
    found = win_ratios_of(names(7))
    chart = win_ratio_matrix(found, most=4)
    rows = chart.spec()["layer"][0]["encoding"]["y"]["scale"]["domain"]
    order = np.argsort(-found.run_wins, kind="stable").tolist()
    assert rows == [f"{at} {found.runs[place]}" for at, place in enumerate(order[:4], start=1)]
    assert chart.title == "Whose top document is preferred? Win ratios, the best 4 of 7 runs"


def test_significant_pairs_are_framed():
    found = win_ratios_of(names(4))
    chart = win_ratio_matrix(found)
    assert chart.subtitle.endswith("framed: significant at 0.05, Bonferroni over all pairs of 4 runs (6 p-values)")
    framed = int((found.p[np.triu_indices(4, 1)] < 0.05).sum())
    assert chart.summary.endswith(f"{framed} of 6 pairs differ significantly at 0.05.")
    cells = table_with(chart.spec(), "ratio")
    assert sum(cell["framed"] for cell in cells) == 2 * framed > 0
    unmarked = replace(chart.marks, is_significant=chart.marks.is_significant & False)
    cells = table_with(replace(chart, marks=unmarked).spec(), "ratio")
    assert not any(cell["framed"] for cell in cells)


def test_pairs_that_nobody_judged_are_left_out():
    tops = TopDocs.of({"x": {"q": "a"}, "y": {"q": "b"}, "z": {"q": "c"}}, ["q"])
    chart = win_ratio_matrix(win_ratios(Preferences.of([("q", "a", "b", "a")]), tops))
    assert len(table_with(chart.spec(), "ratio")) == 2
    assert chart.text_lines(40) == ["1 x    -?", "2 y   + ?", "3 z°  ??"]
    assert chart.subtitle.endswith("; ° not pooled, so of fewer queries and not tested")


def test_the_perfect_ranking_is_always_shown_and_first():
    found = win_ratios_of([*names(5), "perfect ranking"])
    assert win_ratio_matrix(found, most=2).text_lines(60)[0].startswith("1 perfect ranking")


def test_the_number_of_queries_is_in_every_cell_that_has_room():
    texts = [
        layer["encoding"]["text"]["field"]
        for layer in win_ratio_matrix(win_ratios_of(names(3))).spec()["layer"] if layer["mark"]["type"] == "text"
    ]  # fmt: skip
    assert texts == ["label", "number"]


def test_most_is_checked():
    with pytest.raises(UsageError, match="most=0"):
        win_ratio_matrix(win_ratios_of(names(2)), most=0)
