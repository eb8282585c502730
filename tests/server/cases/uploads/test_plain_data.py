"""Plain data comes back as it was; anything else is refused, and nothing of it is run."""

from __future__ import annotations

import pickle
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.server.cases.uploads.plain_data import DTYPES, pack, unpack

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
KEYS = st.text() | st.just("$")
VALUES = st.recursive(SCALARS, lambda more: st.lists(more) | st.dictionaries(KEYS, more))
EXAMPLE = {"a": [np.arange(6).reshape(2, 3), b"xy"], "$": {"$": "array"}, "b": None, "c": np.zeros(2, dtype=np.bool_)}


@given(VALUES)
def test_what_is_packed_comes_back(value):
    assert unpack(pack(value)) == value


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(0,), (3,), (2, 3), (0, 4), ()])
def test_arrays_come_back(dtype, shape):
    array = np.ones(shape, dtype=dtype)
    found = unpack(pack([array.T]))[0]
    assert (found.dtype, found.shape) == (array.dtype, array.T.shape)
    assert (found == array.T).all()


@pytest.mark.parametrize("value", [{1}, {1: 2}, object(), np.array(["a"]), np.array([object()]), np.zeros(2, "int16")])
def test_what_is_not_plain_is_not_packed(value):
    with pytest.raises(ValueError, match="is not plain"):
        pack([value])


def framed(text):
    return len(text).to_bytes(8, "little") + text


@pytest.mark.parametrize("content", [
    b"", b"short", pickle.dumps([1]), framed(b"not JSON"), framed(b"1"), framed(b"[1]"), framed(b"[1,2]"),
    framed(b"[1,[4]]"), framed(b"[1,[-1]]"), framed(b"[1,[true]]") + b"x", framed(b"[1,[]]") + b"more",
    framed(b'[{"$":"bytes","blob":0},[]]'), framed(b'[{"$":"bytes","blob":[]},[]]'),
    framed(b'[{"$":"array","blob":0,"dtype":"object","shape":[1]},[8]]') + bytes(8),
    framed(b'[{"$":"array","blob":0,"dtype":"int64","shape":[2]},[8]]') + bytes(8),
    framed(b'[{"$":"array","blob":0,"dtype":"int64","shape":[-1]},[8]]') + bytes(8),
    framed(b'[{"$":"array","blob":0,"dtype":"bool","shape":[1]},[1]]') + b"\x02",
    framed(b'[{"$":"code","blob":0},[0]]'), framed(b'[{"$":"dict"},[]]'), framed(b"[" * 100_000),
    framed(b"[" + b"9" * 5000 + b",[]]"), (1 << 62).to_bytes(8, "little") + b"[1,[]]",
])  # fmt: skip
def test_anything_else_is_refused(content):
    with pytest.raises(ValueError, match=r".*"):
        unpack(content)


def test_damaged_bytes_are_refused_or_plain():
    draw, good = random.Random(3), pack(EXAMPLE)
    for _ in range(3000):
        bad = bytearray(good)
        bad[draw.randrange(len(bad))] = draw.randrange(256)
        try:
            unpack(bytes(bad))
        except ValueError:
            continue


def test_long_json_is_refused():
    with pytest.raises(ValueError, match="longer than allowed"):
        unpack(pack("x" * 100), most_json=50)
