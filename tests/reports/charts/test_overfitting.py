from dataclasses import asdict

import pytest

from runoff.errors import UsageError
from runoff.reports.charts import Overfitting
from tests.reports.charts.examples import names, overfitting_of
from tests.reports.charts.values import table_with


def test_rows_are_the_changes_and_the_intervals():
    results = {one.team: one for one in overfitting_of(names(9))}
    rows = table_with(Overfitting(list(results.values())).spec(), "excess")
    assert [row["excess"] for row in rows] == sorted((one.excess for one in results.values()), reverse=True)
    for row in rows:
        content = asdict(results[row["name"]])
        assert (row["public"], row["private"]) == (content["change_public"], content["change_private"])
        assert (row["low"], row["high"]) == content["excess_ci95"]
        assert (row["all_low"], row["all_high"]) == content["simultaneous_ci95"]


def test_the_largest_excess_is_shown_first_and_the_rest_cut():
    chart = Overfitting(overfitting_of(names(50)), most=3)
    assert chart.title.endswith("RR@10, the 3 of 50 teams with the largest excess")
    assert [line.split()[0] for line in chart.text_lines(80)] == ["Team", "run-000", "run-007", "run-014"]


def test_words():
    assert Overfitting(overfitting_of(["A"])).text_alternative() == (
        "Changes in RR@10 of 1 team, the largest excess first: A +0.0500 on public and +0.0000 on private, excess "
        "+0.0500 (-0.0300 to +0.0900). The wider interval lies above 0 for 0."
    )
    with pytest.raises(UsageError, match="there are no teams to show"):
        Overfitting([])
