import pytest

from runoff.display.charts import VerdictMatrix
from runoff.errors import UsageError
from runoff.verdicts import Policy, verdict_order
from tests.display.charts.examples import names, verdict_order_of
from tests.display.charts.values import table_with
from tests.verdicts.cases import serps_at


def board():
    runs = {"weak": [9] * 30, "trade": [1] * 12 + [0] * 18, "steady": [4] * 30}
    serps = [serps_at(ranks, run=name) for name, ranks in runs.items()]
    return verdict_order(serps, [1 / 9, 12 / 30, 1 / 4], cutoff=10, policy=Policy())


def test_cells_are_the_verdicts_on_the_rows():
    found = board()
    cells = table_with(VerdictMatrix(found).spec(), "kind")
    assert len(cells) == 6
    for cell in cells:
        row, column = found.runs.index(cell["name"]), found.runs.index(cell["other"])
        assert cell["kind"] == found.verdicts[row][column]
        assert found.order[cell["column"] - 1] == column


def test_rows_are_in_the_verdict_order_with_their_scores():
    chart = VerdictMatrix(board())
    assert chart.text_lines(40) == ["1 steady   ±+", "2 trade   ± ±", "3 weak    −±"]
    scores = table_with(chart.spec(), "score")
    assert scores == [
        {"row": "1 steady", "score": "(+1)"},
        {"row": "2 trade", "score": "(0)"},
        {"row": "3 weak", "score": "(-1)"},
    ]


def test_words():
    chart = VerdictMatrix(board())
    assert chart.summary == (
        "steady is better than 1 and worse than 0 of 2 others, with 1 trade-off; trade is better than 0 and worse than "
        "0 of 2 others, with 2 trade-offs; weak is better than 0 and worse than 1 of 2 others, with 1 trade-off. Of 3 "
        "pairs, 1 has a better and a worse run."
    )
    assert "at 0.05, each pair by itself" in chart.subtitle


def test_sixty_runs_are_shown():
    chart = VerdictMatrix(verdict_order_of(names(61)))
    assert chart.title == "Which runs are better than which? Do no harm, the best 60 of 61 runs"
    assert len(table_with(chart.spec(), "kind")) == 60 * 59
    with pytest.raises(UsageError, match="most=0"):
        VerdictMatrix(board(), most=0)
