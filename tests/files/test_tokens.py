"""Lines into fields, against a plain reader that goes line by line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.files.tokens import tokenize
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
