import numpy as np
import pytest

from runoff.display.charts import RankHeatMap
from runoff.errors import UsageError
from tests.display.charts.examples import names, stability_of
from tests.display.charts.values import table_with


def test_cells_are_the_rank_probabilities():
    found = stability_of(names(6))
    cells = table_with(RankHeatMap(found).spec(), "p")
    drawn = np.zeros((6, 6))
    for cell in cells:
        drawn[found.runs.index(cell["name"]), cell["column"] - 1] = cell["p"]
    np.testing.assert_array_equal(drawn, found.rank_probabilities)
    assert all(cell["p"] > 0 for cell in cells)


def test_rows_are_in_the_order_of_the_board():
    found = stability_of(names(5))
    chart = RankHeatMap(found)
    rows = chart.spec()["layer"][0]["encoding"]["y"]["scale"]["domain"]
    assert rows == [found.runs[place] for place in found.order]
    assert [line.split()[0] for line in chart.text_lines(80)] == rows


def test_few_ranks_are_written_out_and_many_are_not():
    assert len(RankHeatMap(stability_of(names(3))).spec()["layer"]) == 2
    assert len(RankHeatMap(stability_of(names(20))).spec()["layer"]) == 1


def test_the_best_are_shown_unless_all_are_asked_for():
    found = stability_of(names(50))
    assert RankHeatMap(found).title == "How certain are the ranks? RR@10, the best 40 of 50 runs"
    assert RankHeatMap(found, most=50).title == "How certain are the ranks? RR@10"
    best = {found.runs[place] for place in found.order[:3]}
    assert {cell["name"] for cell in table_with(RankHeatMap(found, most=3).spec(), "p")} == best
    with pytest.raises(UsageError, match="most=0 cannot be used; expected 1 or more"):
        RankHeatMap(found, most=0)


def test_the_sentence_has_the_chances_of_the_first():
    found = stability_of(["oak", "ash"])
    said = RankHeatMap(found).summary
    assert said.startswith("Ranks by RR@10 over 60 bootstrap samples. oak: rank 1 in 95% of them, first in 100.0%; ash")
