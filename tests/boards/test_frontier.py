"""The frontier: by the definition, pair by pair."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.boards import frontier
from runoff.errors import UsageError

rows = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=8)


@given(rows)
def test_equals_the_definition(table):
    means, latency, price = zip(*table, strict=True)

    def dominates(a, b):
        at_least = a[0] >= b[0] and a[1] <= b[1] and a[2] <= b[2]
        return at_least and a != b

    expected = [not any(dominates(other, one) for other in table) for one in table]
    assert frontier(means, latency, price).tolist() == expected


def test_a_run_without_a_cost_is_left_out_and_dominates_nobody():
    assert frontier([0.9, 0.5], [np.nan, 10]).tolist() == [False, True]
    with pytest.raises(UsageError, match="no cost"):
        frontier([0.5])
