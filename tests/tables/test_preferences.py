"""The table of preference judgments."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import UsageError
from runoff.tables import Judgment, Preferences, without_repeats
from runoff.tables import preferences as preferences_module
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


rows_drawn = st.lists(
    st.tuples(
        st.sampled_from("qr"),
        st.sampled_from([("a", "b", "a"), ("a", "b", "b"), ("b", "a", "a"), ("a", "c", None)]),
        st.sampled_from(["ann", "bob", None]),
        st.sampled_from(["t1", None]),
        st.sampled_from([1.0, 2.0, None]),
    ),
    max_size=30,
)


@pytest.mark.parametrize("weak", [False, True])
@given(drawn=rows_drawn)
def test_equals_a_set(weak, drawn):
    rows = [(query, *pair, who, task, time) for query, pair, who, task, time in drawn]
    seen, kept = set(), []
    for row in rows:
        if row[4] is None or row[:6] not in seen:
            kept.append(row)
        seen.add(row[:6])
    keys = preferences_module._keys
    with pytest.MonkeyPatch.context() as patch:
        if weak:
            patch.setattr(
                preferences_module,
                "_keys",
                lambda table, seed: keys(table, seed) & np.uint64((1 << (2 + 8 * seed)) - 1),
            )
        table = without_repeats(Preferences.of(rows))
    assert [tuple(row)[:7] for row in table] == kept
    assert table.repeated == len(rows) - len(kept)
