from dataclasses import replace

import pytest

from runoff.display.charts import Promises
from runoff.errors import UsageError
from tests.display.charts.examples import names, promises_of
from tests.display.charts.values import table_with


def test_right_of_0_is_the_bad_side():
    chart = promises_of(names(6))
    rows = table_with(chart.spec(), "points", "word")
    assert rows[0]["word"] == "off"
    assert rows[0]["points"] == pytest.approx(15)  # an error of 20% where 5% is promised
    good = [row for row in rows if row["word"] != "off"]
    assert {round(row["points"], 6) for row in good} == {-1.0}  # 4% of 5%, and 96% of 95%
    assert all(row["low"] <= row["points"] <= row["high"] for row in rows)
    lines = chart.calibration.lines
    assert 100 * lines[5].verdict.ci95[0] - 5 == pytest.approx(rows[0]["low"])


def test_the_worst_come_first_and_are_counted():
    chart = Promises(promises_of(names(30)).calibration, most=5)
    assert "the worst 5 of 30 statements" in chart.title
    assert len(table_with(chart.spec(), "points", "word")) == 5
    assert chart.summary.startswith("29 of 30 promises are not refuted. The worst is tests: stat")
    head, first, *_ = chart.text_lines(70)
    assert head.split()[:2] == ["Statement", "Points"]
    assert "+15.0" in first


def test_biases_alone_make_no_chart():
    found = promises_of(names(2)).calibration
    with pytest.raises(UsageError, match="no error, coverage or power"):
        Promises(replace(found, lines=()))


def test_the_number_of_queries_is_named_where_there_are_several():
    found = promises_of(names(4)).calibration
    one = Promises(replace(found, sizes=(50,)))
    assert not any("queries" in row["name"] for row in table_with(one.spec(), "points", "word"))
    assert all(
        "queries" in row["name"]
        for row in table_with(Promises(replace(found, sizes=(50, 500))).spec(), "points", "word")
    )
    assert "colours allow for the number of statements" in one.subtitle
