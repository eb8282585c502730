"""Ids as bytes, against Python's own bytes."""

from itertools import groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.tables.ids import (
    Ids,
    Text,
    equal_tokens,
    hash_tokens,
    intern_ids,
    intern_tokens,
    mixed,
    starts_of_blocks,
)
from tests.files.samples import weaken_hashes

# Few letters, so that ids share long beginnings; no byte 0, which no reader lets in.
SHORT = st.text("ab\x01é", max_size=40)
LONG = st.integers(250, 350).flatmap(
    lambda length: st.sampled_from(["a" * length, "a" * (length - 1) + "b", "é" * length])
)
COLUMN = st.lists(st.one_of(SHORT, SHORT, SHORT, LONG), max_size=20)


def columns(ids):
    return ids.text, ids.starts, ids.lengths


@given(COLUMN)
def test_round_trip(texts):
    ids = Ids.of(texts)
    assert list(ids) == [ids[row] for row in range(len(ids))] == texts
    assert list(Ids.of(ids)) == texts
    assert len(ids) == len(texts)


@given(COLUMN.filter(bool), st.data())
def test_take_and_joined(texts, data):
    rows = data.draw(st.lists(st.integers(0, len(texts) - 1)))
    ids = Ids.of(texts)
    some = ids.take(np.array(rows, dtype=np.int64))
    assert list(some) == [texts[row] for row in rows]
    assert list(Ids.joined([ids, some, Ids.of([]), ids])) == [*texts, *(texts[row] for row in rows), *texts]


@given(texts=st.lists(st.text(max_size=12)), low=st.integers(-4, 6), high=st.integers(-4, 6))
def test_slices(texts, low, high):
    ids = Ids.of(texts)
    assert list(ids[low:high]) == texts[low:high]
    assert list(ids[::-1]) == texts[::-1]


def test_take_of_many():
    texts = [f"d{number}" for number in range(150_000)]
    rows = np.random.default_rng(0).permutation(len(texts))
    assert list(Ids.of(texts).take(rows)) == [texts[row] for row in rows]


def test_places():
    ids = Ids.of(["a", "", "é"])
    assert (ids[-1], ids[1], "é" in ids, "x" in ids) == ("é", "", True, False)
    for row in (3, -4):
        with pytest.raises(IndexError):
            ids[row]
    assert list(Ids.joined([])) == list(Ids.of([])) == []


def test_frozen():
    ids = Ids.of(["a"])
    for array in (ids.text.padded, ids.bounds):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


@given(COLUMN, st.integers(0, 5))
def test_equal_ids_have_equal_hashes(texts, seed):
    hashes = Ids.of(texts).hashes(seed=seed).tolist()
    found = dict(zip(texts, hashes, strict=True))
    assert [found[text] for text in texts] == hashes
    assert len(set(found.values())) == len(found)  # no chance collisions among these few


def test_hashes_do_not_depend_on_the_neighbours():
    text = Text.of(b"xxq1yy q1")
    assert len(set(hash_tokens(text, np.array([2, 7]), np.array([2, 2])).tolist())) == 1


def test_short_ids_never_collide():
    words = np.arange(1 << 16, dtype=np.uint64)
    assert len(np.unique(mixed(words))) == len(words)
    assert len(np.unique(mixed(words << np.uint64(48)))) == len(words)


@given(COLUMN.filter(bool), st.data())
def test_equality(texts, data):
    rows = data.draw(st.lists(st.tuples(*[st.integers(0, len(texts) - 1)] * 2), min_size=1))
    ids, other = Ids.of(texts), Ids.of(["", *texts])
    left, right = np.array(rows).T
    assert ids.equals(left, other, right + 1).tolist() == [texts[a] == texts[b] for a, b in rows]


def test_equality_looks_at_the_token_alone():
    text, other = Text.of(b"abcdefgh1 abcdefgh2"), Text.of(b"abcdefgh2")
    starts, lengths, zeros = np.array([0, 10]), np.array([8, 8]), np.array([0, 0])
    assert equal_tokens(text, starts, lengths, other, zeros, lengths).tolist() == [True, True]
    assert equal_tokens(text, starts, lengths + 1, other, zeros, lengths + 1).tolist() == [False, True]


@given(COLUMN)
def test_blocks(texts):
    lengths = [len(list(block)) for _, block in groupby(texts)]
    assert starts_of_blocks(*columns(Ids.of(texts))).tolist() == [sum(lengths[:block]) for block in range(len(lengths))]


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
