"""Sums in order: those of a loop, whatever the columns and the parts."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from runoff.tables.sums import sum_in_order


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
