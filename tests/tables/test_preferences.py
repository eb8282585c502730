"""The table of preference judgments."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import UsageError
from runoff.tables import Judgment, Preferences
from runoff.tables.preferences import ROW_COLUMNS
from tests.preferences.judged import judgments

FULL = [
    Judgment("q", "a", "b", "a", "ann", "t1", 2.5, "b"),
    Judgment("q", "b", "a", None),
    Judgment("r", "c", "b", "b", "bob", None, 0.0),
]


def test_what_goes_in_comes_out():
    table = Preferences.of(FULL)
    assert list(table) == FULL
    assert table.is_test.tolist() == [True, False, False]
    assert (table.assessors, table.tasks, len(table)) == (("ann", "bob"), ("t1",), 3)


@given(st.lists(judgments(min_size=0, max_size=8), min_size=1, max_size=4))
def test_joined_tables_are_the_rows_of_all(parts):
    table = Preferences.joined([Preferences.of(part) for part in parts])
    assert [tuple(row)[:5] for row in table] == [row for part in parts for row in part]


@given(judgments(), st.data())
def test_taken_rows(rows, data):
    chosen = data.draw(st.lists(st.integers(0, len(rows) - 1)))
    table = Preferences.of(rows).take(np.array(chosen, dtype=np.int64))
    assert [tuple(row)[:5] for row in table] == [rows[place] for place in chosen]


def test_frozen():
    table = Preferences.of(FULL)
    for column in ROW_COLUMNS:
        with pytest.raises(ValueError, match="read-only"):
            getattr(table, column)[0] = 0


def test_impossible_judgments():
    with pytest.raises(UsageError, match="compared with itself"):
        Preferences.of([("q", "a", "a", "a")])
    with pytest.raises(UsageError, match="preferred 'c' is neither 'a' nor 'b'"):
        Preferences.of([("q", "a", "b", "c")])
    with pytest.raises(UsageError, match="expected 'c' is neither"):
        Preferences.of([("q", "a", "b", "a", None, None, None, "c")])
