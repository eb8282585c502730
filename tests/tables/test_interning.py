"""Interned ids."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.tables.ids import Ids
from runoff.tables.interning import intern_ids, intern_tokens
from tests.files.samples import weaken_hashes

texts = st.lists(st.sampled_from(["", "a", "b", "aé", "日本", "long-document-id-1", "long-document-id-2", "x" * 40]))


@pytest.mark.parametrize("weak", [False, True])
@given(columns=st.lists(texts, min_size=1, max_size=3))
def test_equals_a_dictionary(weak, columns):
    with pytest.MonkeyPatch.context() as patch:
        if weak:
            weaken_hashes(patch)
        ids, places = intern_ids([Ids.of(column) for column in columns])
    seen: dict[str, int] = {}
    expected = [[seen.setdefault(text, len(seen)) for text in column] for column in columns]
    assert list(ids) == list(seen)
    assert [place.tolist() for place in places] == expected


def test_rows_of_the_first_of_each():
    ids = Ids.of(["b", "a", "b", "c", "a"])
    rows, places = intern_tokens(ids.text, ids.starts, ids.lengths)
    assert rows.tolist() == [0, 1, 3]
    assert np.array_equal(places, [0, 1, 0, 2, 1])
