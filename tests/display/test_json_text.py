from __future__ import annotations

import datetime as dt
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.display.json_text import render_json
from runoff.errors import UsageError


def test_golden():
    content = {
        "measure": "RR@10",
        "means": {"søk": np.float64(0.1), "b": math.nan},
        "ci95": (np.float32(0.5), math.inf),
        "ranks": np.array([[1, 2], [2, 1]]),
        "queries": np.int64(3),
        "stable": np.True_,
        "date": dt.date(2021, 7, 11),
        "none": None,
        "empty": {},
    }
    expected = """{
      "measure": "RR@10",
      "means": {"søk": 0.1, "b": null},
      "ci95": [0.5, null],
      "ranks": [[1, 2], [2, 1]],
      "queries": 3,
      "stable": true,
      "date": "2021-07-11",
      "none": null,
      "empty": {}
    }"""
    text = render_json(content)
    assert text == json.dumps(json.loads(expected), indent=2, ensure_ascii=False) + "\n"
    assert "søk" in text


def test_keys_keep_their_order():
    assert list(json.loads(render_json({"b": 1, "a": 2}))) == ["b", "a"]


def test_nan_inside_arrays_is_null():
    assert json.loads(render_json({"values": np.array([1.5, np.nan, -np.inf])})) == {"values": [1.5, None, None]}


@pytest.mark.parametrize(
    "content, message",
    [
        ({"runs": [{"x": {1, 2}}]}, r"result\.runs\[0\]\.x: cannot write a set"),
        ({"x": object()}, r"result\.x: cannot write a object"),
        ({"x": {1: 2}}, r"result\.x: the key 1 is not text"),
    ],
)
def test_what_json_lacks_is_refused_with_its_place(content, message):
    with pytest.raises(UsageError, match=message):
        render_json(content)


@given(st.dictionaries(st.text(), st.floats(allow_nan=False, allow_infinity=False) | st.integers() | st.text()))
def test_round_trip_is_exact(content):
    assert json.loads(render_json(content)) == content
