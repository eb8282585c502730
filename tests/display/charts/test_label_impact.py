import numpy as np
import pytest

from runoff.display.charts import LabelImpact
from runoff.errors import UsageError
from tests.display.charts.examples import label_impact_of, names
from tests.display.charts.values import table_with

HALF = np.array([-0.01, 0.01])
OLD, NEW = np.array([0.3, 0.4, 0.2]), np.array([0.25, 0.1, 0.2])


def chart_of(**options):
    return LabelImpact(["a", "b", "c"], OLD, OLD[:, None] + HALF, NEW, NEW[:, None] + HALF, **options)


def test_points_are_the_means_in_the_order_of_the_old_labels():
    rows = table_with(chart_of().spec(), "mean")
    assert [(row["name"], row["labels"], row["mean"], row["rank"]) for row in rows] == [
        ("b", "original", 0.4, 1), ("b", "preference", 0.1, 3), ("a", "original", 0.3, 2), ("a", "preference", 0.25, 1),
        ("c", "original", 0.2, 3), ("c", "preference", 0.2, 2),
    ]  # fmt: skip
    assert rows[0]["low"] == pytest.approx(0.39)
    assert rows[0]["high"] == pytest.approx(0.41)


def test_words():
    chart = chart_of(labels=("sparse", "TREC"), measure="RR@5")
    assert chart.title == "What do other labels change? RR@5, sparse and TREC labels"
    assert chart.summary == (
        "Of 3 runs, b is first under the sparse labels (RR@5 0.4000) and has rank 3 under the TREC labels (0.1000). a "
        "is first there (0.2500). b moves most, from rank 1 to 3."
    )
    same = LabelImpact(["a"], OLD[:1], OLD[:1, None] + HALF, OLD[:1], OLD[:1, None] + HALF)
    assert same.summary.endswith("has rank 1 under the preference labels (0.3000).")


def test_the_perfect_ranking_is_above_the_others_and_has_no_rank():
    old, new = np.append(OLD, 1.0), np.append(NEW, 0.15)
    chart = LabelImpact(["a", "b", "c", "perfect ranking"], old, old[:, None] + HALF, new, new[:, None] + HALF, most=2)
    rows = table_with(chart.spec(), "mean")
    assert [(row["name"], row["rank"]) for row in rows[:4]] == [
        ("perfect ranking", None), ("perfect ranking", None), ("b", 1), ("b", 3),
    ]  # fmt: skip
    assert len(rows) == 6
    assert chart.summary.startswith("Of 3 runs, b is first under the original labels")
    assert chart.summary.endswith(
        "The perfect ranking under the original labels has 0.1500 under the preference labels."
    )


def test_text_has_two_lines_per_run():
    lines = chart_of().text_lines(60)
    assert [line.split()[:3] for line in lines[:2]] == [["b", "original", "0.4000"], ["preference", "0.1000", "├●┤"]]
    assert len(lines) == 6


def test_the_best_are_shown():
    chart = label_impact_of(names(70))
    assert chart.title.endswith(", the best 60 of 70 runs")
    assert len(table_with(chart.spec(), "mean")) == 120


def test_arrays_that_do_not_fit_are_refused():
    with pytest.raises(UsageError, match=r"2 runs with arrays of shapes \(3,\), \(3, 2\)"):
        LabelImpact(["a", "b"], OLD, OLD[:, None] + HALF, NEW, NEW[:, None] + HALF)
