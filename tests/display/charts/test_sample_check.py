import itertools

import numpy as np
import pytest

from runoff.display.charts import SampleCheck
from runoff.errors import UsageError
from tests.display.charts.examples import names, sample_check_of
from tests.display.charts.values import table_with

ALL, SAMPLED = np.array([0.2, 0.4, 0.3]), np.array([0.25, 0.38, 0.39])


def test_points_are_both_scores():
    chart = SampleCheck(["a", "b", "c"], ALL, SAMPLED, (6980, 500))
    rows = table_with(chart.spec(), "name")
    assert [(row["name"], row["all"], row["sample"]) for row in rows] == [
        ("b", 0.4, 0.38), ("c", 0.3, 0.39), ("a", 0.2, 0.25),
    ]  # fmt: skip
    low, high = table_with(chart.spec(), "all")
    assert low["all"] == low["sample"] < 0.2
    assert high["all"] == high["sample"] > 0.4


def test_words():
    chart = SampleCheck(["a", "b", "c"], ALL, SAMPLED, (6980, 500), "MRR")
    assert chart.summary == (
        "MRR of 3 runs on a sample of 500 of 6,980 queries: b is first on all (0.4000; 0.3800 on the sample), c on the "
        "sample (0.3900). 1 pair of neighbours changes places; the largest difference is +0.0900, for c."
    )
    same = SampleCheck(["a", "b", "c"], ALL, ALL, (10, 5))
    assert "The order is the same on both; the largest difference is +0.0000" in same.summary
    assert chart.text_lines(40)[1].split() == ["b", "0.4000", "0.3800", "-0.0200"]


@pytest.mark.parametrize("count", [5, 60, 300])
def test_names_do_not_cover_each_other(count):
    chart = sample_check_of(names(count))
    rows = [row for row in table_with(chart.spec(), "name") if row["label"]]
    assert 0 < len(rows) <= 12
    scale = chart.spec()["layer"][0]["encoding"]["x"]["scale"]["domain"]
    side = chart.spec()["width"]
    boxes = []
    for row in rows:
        x, y = ((row[field] - scale[0]) / (scale[1] - scale[0]) * side for field in ("all", "sample"))
        wide = chart.style.text_width(row["label"])
        left, right = (x + 6, x + 6 + wide) if row["align"] == "left" else (x - 6 - wide, x - 6)
        assert 0 <= left < right <= side + 4
        boxes.append((left, right, y))
    for one, other in itertools.combinations(boxes, 2):
        assert one[1] < other[0] or other[1] < one[0] or abs(one[2] - other[2]) >= chart.style.sheet.font


def test_scores_that_do_not_fit_are_refused():
    with pytest.raises(UsageError, match=r"2 runs with scores of shapes \(3,\) and \(3,\)"):
        SampleCheck(["a", "b"], ALL, SAMPLED, (10, 5))
