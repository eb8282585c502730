from collections.abc import Sequence

import pytest

from runoff.errors import UsageError
from studies.best_found import BestFound, best_found
from studies.best_found_chart import BestFoundLines
from tests.display.charts.values import table_with


def best_found_of(pools: Sequence[int], judgments: Sequence[int]) -> BestFoundLines:
    rows = []
    for pool in pools:
        for times in judgments:
            drawn = 1 - 0.6 * (1 - 1 / pool) / times**0.5
            rows.append(
                BestFound(pool=pool, judgments_per_pair=times, error=0.33, queries=1000, alone=drawn - 0.1 / times,
                          among=min(drawn + 0.1 / times, 1.0), drawn=drawn)
            )  # fmt: skip
    return BestFoundLines(rows)


def test_points_are_what_was_simulated():
    found = best_found([5, 2], [3, 1], queries=40)
    rows = table_with(BestFoundLines(found).spec(), "drawn")
    assert [(row["pool"], row["judgments"]) for row in rows] == [
        ("2 documents", 1), ("2 documents", 3), ("5 documents", 1), ("5 documents", 3),
    ]  # fmt: skip
    by_key = {(f"{one.pool} documents", one.judgments_per_pair): one for one in found}
    for row in rows:
        one = by_key[row["pool"], row["judgments"]]
        assert (row["alone"], row["drawn"], row["among"]) == (one.alone, one.drawn, one.among)
        assert row["alone"] <= row["drawn"] <= row["among"]


def test_words():
    chart = best_found_of([2, 4], [1, 4])
    assert chart.summary == (
        "The best document is found in pools of 2 documents 70.0% with 1 judgment per pair to 85.0% with 4; of 4 "
        "documents 55.0% with 1 judgment per pair to 77.5% with 4."
    )
    assert chart.subtitle.startswith("1,000 simulated queries, assessors wrong on 33% of the pairs; bands from")
    lines = chart.text_lines(60)
    assert [line.split()[:3] for line in lines[1:3]] == [["2", "1", "70.0%"], ["4", "85.0%", lines[2].split()[2]]]
    assert lines[0] == "Pool  Judgments  Found"


@pytest.mark.parametrize("pools", [[], range(2, 10)])
def test_too_few_and_too_many_pools_are_refused(pools):
    with pytest.raises(UsageError, match="pool sizes cannot be shown; expected 1 to 7"):
        best_found_of(pools, [1])
