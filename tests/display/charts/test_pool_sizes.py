import pytest

from runoff.display.charts import PoolSizes
from runoff.errors import UsageError
from tests.display.charts.values import table_with


def test_bars_count_the_queries():
    rows = table_with(PoolSizes([2, 2, 4, 5, 2]).spec(), "queries")
    assert [(row["size"], row["queries"]) for row in rows] == [("2", 3), ("3", 0), ("4", 1), ("5", 1)]
    assert all(row["to"] - row["from"] == 1 for row in rows)


@pytest.mark.parametrize("largest", [39, 40, 41, 400, 1234])
def test_many_sizes_share_bars(largest):
    sizes = [*range(1, largest + 1), largest]
    rows = table_with(PoolSizes(sizes).spec(), "queries")
    assert len(rows) <= 40
    assert sum(row["queries"] for row in rows) == len(sizes)
    assert (rows[0]["from"], rows[-1]["to"]) == (0.5, largest + 0.5)


def test_words():
    chart = PoolSizes([2, 2, 4, 5, 2])
    assert chart.subtitle == "5 queries; mean 3.00, median 2; 19 pairs"
    assert chart.summary == (
        "Pools of 5 queries hold 2 to 5 documents, 3.00 on average, with a median of 2. The most frequent size is 2, "
        "for 3 queries."
    )
    assert chart.text_lines(26) == ["2  3  ████████████████████", "3  0", "4  1  ███████", "5  1  ███████"]


@pytest.mark.parametrize("sizes", [[], [3, -1]])
def test_bad_sizes_are_refused(sizes):
    with pytest.raises(UsageError, match="expected a whole number from 0 for each query"):
        PoolSizes(sizes)
