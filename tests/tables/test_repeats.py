"""Repeated judgments of one assessor."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.tables import Preferences, repeats, without_repeats

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
    keys = repeats._keys
    with pytest.MonkeyPatch.context() as patch:
        if weak:
            patch.setattr(
                repeats, "_keys", lambda table, seed: keys(table, seed) & np.uint64((1 << (2 + 8 * seed)) - 1)
            )
        table = without_repeats(Preferences.of(rows))
    assert [tuple(row)[:7] for row in table] == kept
    assert table.repeated == len(rows) - len(kept)
