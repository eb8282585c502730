import re
from datetime import date, timedelta

import pytest

from runoff.boards.history import history
from runoff.errors import UsageError
from runoff.tables.board import BoardRun
from tests.display.charts.examples import names, timeline, timeline_of
from tests.display.charts.values import table_with, tables

RUNS = [
    BoardRun(name="bm25", baseline=True),
    BoardRun(name="a", team="A", date=date(2020, 8, 1)),
    BoardRun(name="b", team="B", date=date(2020, 11, 1)),
    BoardRun(name="c", team="C", date=date(2021, 3, 1)),
    BoardRun(name="undated"),
]
MEANS = {"bm25": 0.2, "a": 0.3, "b": 0.25, "c": 0.4, "undated": 0.9}


def test_points_steps_and_baselines_are_those_of_the_board():
    spec = timeline(RUNS, MEANS, "RR@10").spec()
    points = table_with(spec, "kind")
    assert {(row["name"], row["date"], row["mean"], row["kind"]) for row in points} == {
        ("a", "2020-08-01", 0.3, "record"),
        ("b", "2020-11-01", 0.25, "run"),
        ("c", "2021-03-01", 0.4, "record"),
    }
    steps = [row["mean"] for row in table_with(spec["layer"][2:], "team")]
    assert steps == [0.3, 0.4, 0.4]  # the last record holds to the end
    assert [row["mean"] for row in tables(spec)[0]] == [0.2]


def test_records_are_those_of_the_history():
    chart = timeline_of(names(40))
    records = [record.name for record in history(chart.runs, chart.means).records]
    drawn = [row["name"] for row in table_with(chart.spec(), "kind") if row["kind"] == "record"]
    assert sorted(drawn) == sorted(records)
    lines = [line for line in chart.text_lines(80) if line.startswith("20")]
    assert [line.split()[1] for line in lines[:-1]] == records  # the last line is that of the months


def test_names_do_not_lie_over_each_other():
    chart = timeline_of(names(150))
    placed = table_with(chart.spec(), "align")
    assert placed[-1]["name"] == "run-000"
    width, height = chart.spec()["width"], chart.spec()["height"]
    low, high = chart.spec()["layer"][0]["encoding"]["y"]["scale"]["domain"]
    start, end = map(date.fromisoformat, chart.spec()["layer"][2]["encoding"]["x"]["scale"]["domain"])
    boxes = []
    for row in placed:
        across = (date.fromisoformat(row["date"]) - start) / (end - start) * width
        up = (row["mean"] - low) / (high - low) * height
        length = len(row["label"]) * 6
        boxes.append((up, across - length, across) if row["align"] == "right" else (up, across, across + length))
    for at, (up, left, right) in enumerate(boxes):
        assert left >= 0
        for other, their_left, their_right in boxes[:at]:
            assert abs(up - other) >= 12 or right <= their_left or left >= their_right


def test_better_is_up_also_where_low_is_good():
    chart = timeline(RUNS[1:4], {"a": 5.0, "b": 6.0, "c": 4.0}, "ESL", best_is_low=True)
    assert [record.name for record in chart.history.records] == ["a", "c"]
    assert chart.spec()["layer"][0]["encoding"]["y"]["scale"]["reverse"] is True


def test_words():
    chart = timeline(RUNS, MEANS, "RR@10")
    assert chart.subtitle == "3 runs, 2 records; 1 without a date left out"
    assert chart.summary == (
        "c has held the record of RR@10, 0.4000, since 2021-03-01. The first of 2 records was a with 0.3000 on "
        "2020-08-01. 1 of 3 runs set no record."
    )
    nothing = timeline(RUNS[:2], {"bm25": 0.5, "a": 0.3})
    assert nothing.summary == "None of 1 run beats the baselines, so there is no record of Mean."
    assert nothing.to_text().count("\n") == 7
    with pytest.raises(UsageError, match="no run has a date and a mean"):
        timeline(RUNS[:1], MEANS)


def test_months_are_counted():
    days = [date(2020, 1, 31) + timedelta(days=day) for day in (0, 40, 41, 60)]
    runs = [BoardRun(name=str(at), date=day) for at, day in enumerate(days)]
    line = timeline(runs, {run.name: 0.5 for run in runs}).text_lines(80)[-1]
    assert line == "2020-01 ▃ █ 2020-03"


def test_certified_records_have_a_mark():
    chart = timeline(RUNS, MEANS, "RR@10", certified={"c"})
    kinds = {row["name"]: row["kind"] for row in table_with(chart.spec(), "kind")}
    assert kinds == {"a": "record", "b": "run", "c": "certified record"}
    assert [line.split()[1:-2] for line in chart.text_lines(80)[:2]] == [["a"], ["✓", "c"]]
    assert chart.words().notes[0] == "✓ certified by the record test."
    assert chart.summary.endswith("The record test certifies c.")
    assert "2 records, 1 of them certified" in chart.subtitle


def test_no_record_is_certified_or_none_was_tested():
    none, untested = timeline(RUNS, MEANS, certified=()), timeline(RUNS, MEANS)
    assert none.summary.endswith("The record test certifies none of the later ones.")
    assert "certif" not in untested.summary + untested.subtitle + untested.to_text(80)
    assert "certif" not in str(untested.spec())


@pytest.mark.parametrize("days", [0, 1, 2, 5, 30, 400])
def test_no_two_ticks_have_the_same_name(days):
    runs = [
        BoardRun(name=name, date=date(2026, 3, 15) + timedelta(days=days * place)) for place, name in enumerate("ab")
    ]
    shown = timeline(runs, {"a": 0.3, "b": 0.4}, "RR@10").to_svg()
    ticks = re.findall(r">(\d{4}-\d\d(?:-\d\d)?)<", shown)
    assert len(ticks) > 1
    assert len(ticks) == len(set(ticks))
