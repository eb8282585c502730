"""Numbers in text, bit for bit as Python's own float reads them."""

import math
import re
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.files.numbers import parse_decimal, parse_decimals
from runoff.tables.ids import Text


def columns(tokens):
    """The tokens with a space between them, as a text with starts and lengths."""
    encoded = [token.encode() for token in tokens]
    lengths = np.array([len(token) for token in encoded], dtype=np.int64)
    return Text.of(b" ".join(encoded) + b"\n"), np.cumsum(lengths + 1) - lengths - 1, lengths


def bits(number):
    return struct.pack("<d", number)


def is_decimal(token):
    pattern = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
    return bool(re.fullmatch(pattern, token)) and math.isfinite(float(token))


def check(tokens):
    values, bad = parse_decimals(*columns(tokens))
    assert bad.tolist() == [row for row, token in enumerate(tokens) if not is_decimal(token)]
    for row, token in enumerate(tokens):
        if is_decimal(token):
            assert bits(values[row]) == bits(float(token)), token
        else:
            assert math.isnan(values[row])


FLOATS = st.floats(allow_nan=False, allow_infinity=False)
SPELLINGS = ["{!r}", "{:.6f}", "{:g}", "{:.17g}", "{:.0f}", "{:e}", "{:+.3f}", "{:.25f}", "{:E}", "{:.0f}.", "0{!r}"]
DIGITS = st.text("0123456789", max_size=25)
SPELLED = st.one_of(
    st.builds(lambda number, form: form.format(number), FLOATS, st.sampled_from(SPELLINGS)),
    st.builds(
        lambda number, form: form.format(number),
        st.floats(-1000, 1000),
        st.sampled_from(["{:.6f}", "{:.4f}", "{:.12f}"]),
    ),
    st.builds("{}{}{}{}".format, st.sampled_from(["", "-", "+"]), DIGITS, st.sampled_from(["", "."]), DIGITS),
    st.integers(-(10**20), 10**20).map(str),
    st.builds("{}{}{}".format, DIGITS, st.sampled_from(["e", "E-", "e+"]), st.integers(0, 400)),
    st.text("0123456789.+-eE", max_size=10),
).filter(bool)


@given(st.lists(SPELLED, min_size=1, max_size=12))
def test_decimals_equal_float(tokens):
    check(tokens)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30), st.integers(0, 16))
def test_columns_with_the_same_number_of_decimals(numbers, decimals):
    check([f"{number:.{decimals}f}" for number in numbers])


@given(st.lists(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=12), min_size=1))
def test_any_token(tokens):
    check(tokens)


REFUSED = [
    "nan",
    "NaN",
    "inf",
    "-inf",
    "Infinity",
    "1_000",
    "0x10",
    "1e999",
    "-1e400",
    "",
    "-",
    "+",
    ".",
    "e5",
    "1e",
    "1e+",
    "--1",
    "1.2.3",
    "1,5",
    "1.5f",
    "٣",
    "1-",
    "+-1",
    "1 ",
    "9" * 400,
]


@pytest.mark.parametrize("token", REFUSED)
def test_refused_decimals(token):
    values, bad = parse_decimals(*columns(["1.5", token, "2.5"]))
    assert bad.tolist() == [1]
    assert values[[0, 2]].tolist() == [1.5, 2.5]
    assert math.isnan(values[1])
    assert math.isnan(parse_decimal(token.encode()))


def test_known_decimals():
    check(
        ["1e-7", "-2.97", "626487.645259", "-0.0", "-0", "0", "+0.0", "5.", ".5", "-.5", "00012.50", "5e-324", "1" * 25]
    )
    check(
        ["9007199254740993", "9007199254740992.5", "0.1", "123456789012345678901234567890", "2.2250738585072014e-308"]
    )


def test_no_tokens():
    nothing = np.zeros(0, dtype=np.int64)
    assert [part.size for part in parse_decimals(Text.of(b""), nothing, nothing)] == [0, 0]
