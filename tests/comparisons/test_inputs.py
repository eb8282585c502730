"""Ranks of relevant documents: a plain loop, tables, sums of the first few, and slabs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.comparisons import _inputs as module
from runoff.comparisons._inputs import relevant_ranks
from runoff.errors import UsageError
from tests.comparisons.reference import ranked

lists = st.integers(1, 9).flatmap(
    lambda depth: st.lists(st.lists(st.integers(-1, 3), min_size=depth, max_size=depth), min_size=1, max_size=6)
)


@given(lists, st.one_of(st.none(), st.integers(1, 10)), st.integers(1, 3), st.sampled_from([1, 7, 1 << 22]))
def test_equals_a_loop(serps, cutoff, level, cells):
    expected = [[rank for rank, grade in enumerate(one[:cutoff], start=1) if grade >= level] for one in serps]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "SLAB_CELLS", cells)
        found = relevant_ranks(ranked(serps, highest=3), cutoff=cutoff, level=level)
    assert found.found.tolist() == [len(one) for one in expected]
    assert found.ranks.tolist() == [rank for one in expected for rank in one]
    assert np.array_equal(found.firsts, [one[0] if one else np.nan for one in expected], equal_nan=True)
    width = max(map(len, expected)) + 1
    assert found.table(width, -1).tolist() == [one + [-1] * (width - len(one)) for one in expected]
    for most in range(width):
        counts = np.minimum(found.found, most)
        assert found.sum_of_first(counts).tolist() == [sum(one[:most]) for one in expected]
        reciprocal = found.sum_of_first(counts, reciprocal=True)
        assert reciprocal == pytest.approx([sum(1 / rank for rank in one[:most]) for one in expected])


def test_lists_that_are_cut_off_too_early_are_refused():
    run = ranked([[1, 0]])
    object.__setattr__(run, "retrieved", np.array([9]))
    with pytest.raises(UsageError, match="5 ranks are needed"):
        relevant_ranks(run, cutoff=5)
