"""Scores: means over what is defined, columns by name."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import UsageError
from runoff.tables import Scores
from runoff.tables import scores as scoring
from runoff.tables.scores import slabs, sum_in_order

SCORES = Scores(
    measure="ESL@10",
    query_ids=("q1", "q2"),
    runs=("a", "b", "c"),
    values=np.array([[1.0, np.nan, np.nan], [4.0, 2.0, np.nan]]),
)


def test_means_leave_undefined_scores_out():
    assert SCORES.means.tolist()[:2] == [2.5, 2.0]
    assert np.isnan(SCORES.means[2])


def test_one_run():
    assert SCORES.of("a").tolist() == [1.0, 4.0]
    with pytest.raises(UsageError, match="no scores of a run 'x'; expected one of a, b and c"):
        SCORES.of("x")


def test_frozen():
    with pytest.raises(ValueError, match="read-only"):
        SCORES.values[0, 0] = 1


def test_two_runs_in_the_same_memory():
    for names in (("a", "b"), ("b", "a"), ("c", "a"), ("a", "c"), ("b", "c")):
        pair = SCORES.pair(*names)
        assert pair.runs == names
        assert np.shares_memory(pair.values, SCORES.values)
        for name in names:
            np.testing.assert_array_equal(pair.of(name), SCORES.of(name))


@pytest.mark.parametrize("cells", [1, 10, 64, 10_000])
@pytest.mark.parametrize("order", ["C", "F"])
def test_slabs_change_no_bit_of_the_means(cells, order, monkeypatch):
    values = np.asarray(np.random.default_rng(0).random((97, 3)), order=order)
    scores = Scores(measure="AP", query_ids=tuple(map(str, range(97))), runs=("a", "b", "c"), values=values)
    expected = replace(scores, values=values.copy(order="C")).means
    monkeypatch.setattr(scoring, "SLAB_CELLS", cells)
    found = list(slabs(values))
    np.testing.assert_array_equal(np.concatenate(found), values)
    assert all(slab.flags.c_contiguous and slab.size <= max(cells, 3) for slab in found)
    assert scores.means.tobytes() == expected.tobytes()


@given(st.integers(0, 700), st.integers(1, 4), st.lists(st.integers(0, 700), max_size=4), st.booleans())
def test_the_sums_of_a_loop(rows, columns, cuts, in_columns):
    values = np.random.default_rng([rows, columns]).normal(size=(rows, columns))
    slow = [0.0] * columns
    for row in values.tolist():
        slow = [one + other for one, other in zip(slow, row, strict=True)]
    given_ = np.asfortranarray(values) if in_columns else values
    assert sum_in_order(given_).tolist() == slow
    total = np.zeros(columns)
    for part in np.split(given_, sorted(cuts)):
        total = sum_in_order(part, total)
    assert total.tolist() == slow
