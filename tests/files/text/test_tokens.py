"""Lines into fields, against a plain reader that goes line by line."""

import math
import re
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.files.text.tokens import parse_decimal, parse_decimals, tokenize
from runoff.tables.ids import Text

NAMES = ("a", "b", "c")
CONTROL = set(range(32)) - {9}


def plain(data, width, *, open_end=False):
    """The rows as (line, fields), and the faulty lines, by the definition."""
    rows, faulty = [], []
    for number, ended in enumerate(data.split(b"\n")[:-1], start=1):
        line = ended.removesuffix(b"\r")
        fields = [field for field in line.replace(b"\t", b" ").split(b" ") if field]
        try:
            line.decode()
            is_text = not CONTROL & set(line)
        except UnicodeDecodeError:
            is_text = False
        if not is_text:
            faulty.append(number)
        elif fields and not fields[0].startswith(b"#"):
            if len(fields) == width or (open_end and len(fields) > width):
                rows.append((number, fields[:width]))
            else:
                faulty.append(number)
    return rows, faulty


def rows_of(tokens):
    width = tokens.ends.shape[1]
    return [
        (int(tokens.lines[row]), [tokens.token(row, column) for column in range(width)]) for row in range(len(tokens))
    ]


def check(data, names=NAMES, *, open_end=False):
    data += b"" if data.endswith(b"\n") else b"\n"
    tokens = tokenize(Text.of(data), names, open_end=open_end)
    rows, faulty = plain(data, len(names), open_end=open_end)
    assert rows_of(tokens) == rows
    assert tokens.line_count == data.count(b"\n")
    assert tokens.problems.total == len(faulty)
    assert sorted(problem.line for problem in tokens.problems.kept)[:20] == faulty[:20]


PIECES = [
    b"a",
    b"42",
    b"d\xc3\xa9",
    b"#",
    b" ",
    b"\t",
    b"\n",
    b"\r\n",
    b"\r",
    b"\x00",
    b"\x0c",
    b"\xff",
    b"\xc3",
    b"x" * 9,
]


@given(st.binary(max_size=200), st.integers(1, 6), st.booleans())
def test_any_bytes(data, width, open_end):
    check(data, NAMES[:1] * width, open_end=open_end)


@given(st.lists(st.sampled_from(PIECES), max_size=60).map(b"".join), st.integers(1, 6), st.booleans())
def test_soup_of_lines(data, width, open_end):
    check(data, NAMES[:1] * width, open_end=open_end)


FIELD = st.text(st.characters(min_codepoint=33, exclude_categories=["Cs"]), min_size=1, max_size=12).map(str.encode)


@given(st.lists(st.tuples(FIELD, FIELD, FIELD), min_size=1, max_size=20), st.sampled_from([b" ", b"\t", b" \t "]))
def test_regular_lines(rows, separator):
    check(b"\n".join(separator.join(row) for row in rows))


@pytest.mark.parametrize(
    "data",
    [
        b"a b c\na b c\n",
        b"a\tb\tc\na\tb\tc",
        b"a b\tc\na b\tc\n",
        b"a b\tc\na\tb c\n",
        b"a b c\r\na b c\r\n",
        b"\n\na b c\n   \n\t\n\r\n",
        b"# a b\na b c\n #x\n",
        b"a b #c\n",
        b"  a  b \t c  \n",
        b"a b\nc\n",
        b"a b c d e f\na b c\n",
        b"a b c\rd\n",
        b"a b c\r\r\n",
    ],
)
def test_line_shapes(data):
    check(data)
    check(data, open_end=True)


def test_messages():
    tokens = tokenize(Text.of(b"a b\na b c d\na\x07 b c\na b c\xff\na\n"), NAMES)
    assert sorted((problem.line, problem.text) for problem in tokens.problems.kept) == [
        (1, "2 fields; expected 3 (a b c); fix or remove this line"),
        (2, "4 fields; expected 3 (a b c); fix or remove this line"),
        (3, "control character 0x07; expected text in UTF-8; check that this is a run or qrels file"),
        (4, "bytes that are not UTF-8; expected text in UTF-8; convert the file"),
        (5, "1 field; expected 3 (a b c); fix or remove this line"),
    ]


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


def check_numbers(tokens):
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
    check_numbers(tokens)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30), st.integers(0, 16))
def test_columns_with_the_same_number_of_decimals(numbers, decimals):
    check_numbers([f"{number:.{decimals}f}" for number in numbers])


@given(st.lists(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=12), min_size=1))
def test_any_token(tokens):
    check_numbers(tokens)


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
    check_numbers(
        ["1e-7", "-2.97", "626487.645259", "-0.0", "-0", "0", "+0.0", "5.", ".5", "-.5", "00012.50", "5e-324", "1" * 25]
    )
    check_numbers(
        ["9007199254740993", "9007199254740992.5", "0.1", "123456789012345678901234567890", "2.2250738585072014e-308"]
    )


def test_no_tokens():
    nothing = np.zeros(0, dtype=np.int64)
    assert [part.size for part in parse_decimals(Text.of(b""), nothing, nothing)] == [0, 0]
