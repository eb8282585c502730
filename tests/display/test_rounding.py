"""Numbers with no more digits than somebody may see."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.boards.rank_sets import rank_sets
from runoff.boards.stability import stability
from runoff.display.charts import BreakEvenCurve, Differences, RankHeatMap
from runoff.display.grid import Column, Grid
from runoff.display.rounding import round_up, rounded_data, rounded_grid, rounded_spec, rounded_text
from runoff.tables.scores import Scores
from tests.display.charts.examples import break_even_of, rank_intervals

DIGITS = st.integers(1, 8)


@given(st.floats(0, 1), DIGITS)
def test_a_p_value_stays_one(p, digits):
    found = round_up(p, digits)
    assert p - 1e-8 <= found <= max(p + 10.0**-digits, 10.0**-digits) + 1e-12
    assert 0 < found <= 1
    assert found == round(found, digits)
    assert round_up(found, digits) == found


@given(st.floats(-10, 10), DIGITS, st.sampled_from(["leads with {}", "({} to 1)", "{}; {}", "a {}%", "p = {}."]))
def test_no_text_keeps_more_digits(value, digits, form):
    text = rounded_text(form.replace("{}", f"{value:.9f}"), digits)
    assert all(len(found) <= digits for found in re.findall(r"\d\.(\d+)", text))


@pytest.mark.parametrize(
    "text, expected",
    [
        ("bm25 k1=0.9512, v0.1234, run_0.5678 and a/0.2345", "bm25 k1=0.9512, v0.1234, run_0.5678 and a/0.2345"),
        ("at level 0.05", "at level 0.05"),
        ("+0.04421 and -0.04421, +0.06 and -0.06", "0.0 and 0.0, +0.1 and -0.1"),
        ("p < 0.0001", "p < 0.1"),
        ("2026-03-15 and 10,000", "2026-03-15 and 10,000"),
        ("54.3% of 1,000", "54% of 1,000"),
    ],
)
def test_names_levels_and_counts_stay(text, expected):
    assert rounded_text(text, 1) == expected


def test_tables_are_rounded_where_they_are_saved():
    columns = [
        Column("run", "Run"),
        Column("mean", "RR", "number"),
        Column("p", "p", "p"),
        Column("part", "Part", "share"),
        Column("rank", "Rank", "number", digits=1),
        Column("n", "n", "count"),
    ]
    grid = Grid(title="T", columns=columns, rows=[["a 0.12345", 0.123456, 0.01234, 0.123456, 2.3456, 12345]],
                notes=["The mean is 0.123456."])  # fmt: skip
    found = rounded_grid(grid, 2)
    assert found.rows == (("a 0.12345", 0.12, 0.02, 0.12, 2.35, 12345),)
    assert [column.places for column in found.columns] == [0, 2, 2, 0, 1, 0]
    assert found.notes == ("The mean is 0.12.",)
    assert rounded_grid(grid, 10).rows == grid.rows


def test_no_name_of_a_run_lets_its_numbers_through():
    exact = {"rank_probabilities": {name: [0.123456] for name in ("alpha", "level", "p", "mean")},
             "raw_p": {"measure": 0.0123456}, "verdict": {"alpha": 0.0125, "sentence": "It is 0.123456."},
             "effect_ci95": [0.123456, float("inf")], "name": "0.123456", "queries": 24}  # fmt: skip
    found = rounded_data(exact, 3)
    assert set(map(tuple, found["rank_probabilities"].values())) == {(0.123,)}
    assert found["raw_p"] == {"measure": 0.013}
    assert found["verdict"] == {"alpha": 0.0125, "sentence": "It is 0.123."}
    assert found["effect_ci95"] == [0.123, float("inf")]
    assert (found["name"], found["queries"]) == ("0.123456", 24)


def scores():
    values = np.random.default_rng(5).random((30, 3))
    return Scores(measure="RR@10", query_ids=tuple(map(str, range(30))), runs=("a", "b", "c"), values=values)


def charts():
    found, matrix = stability(scores(), trials=997), scores()
    return [
        rank_intervals(found, rank_sets(matrix, trials=200)),
        BreakEvenCurve(break_even_of("a", "b", queries=7)),
        RankHeatMap(found),
        Differences(matrix.query_ids, matrix.values[:, 0], matrix.values[:, 1]),
    ]


def numbers(spec):
    if isinstance(spec, dict):
        return [one for key, value in spec.items() if key not in {"config", "transform"} for one in numbers(value)]
    if isinstance(spec, list):
        return [one for value in spec for one in numbers(value)]
    return [spec] if isinstance(spec, float) else []


@pytest.mark.parametrize("chart", charts(), ids=lambda chart: chart.name)
@pytest.mark.parametrize("digits", [1, 3])
def test_a_drawing_is_made_of_the_rounded_numbers(chart, digits):
    exact, rounded = chart.view(), chart.with_digits(digits).spec()
    assert any(round(value, 6) != round(value, digits) for value in numbers(exact))
    assert [value for value in numbers(rounded) if value != round(value, max(digits, 2))] == []
    # Rounded once more it is the same: it holds nothing of the exact numbers.
    once = rounded_spec(exact, digits)
    assert rounded_spec(once, digits) == once
    words = chart.with_digits(digits)
    assert not re.search(rf"\d\.\d{{{digits + 1}}}", words.to_text() + words.summary)
    labels = re.findall(r"(?:>|aria-label=\")([^<\"]*)", words.to_svg())
    assert not re.search(rf"\d\.\d{{{max(digits, 2) + 1}}}", " ".join(labels))
