"""The rules for lines, fields, numbers and batches on small samples; every expected value is worked out by hand."""

from __future__ import annotations

import math
from array import array

import pytest

from runoff.rows import reference as rows
from tests.rows.samples import SHORT, column, unpacked
from tests.rows.samples import SHORT_GRADES as GRADES
from tests.rows.samples import SHORT_RANKS as RANKS

CONTROL, NOT_UTF8, WIDTH, NUMBER = 1, 2, 3, 4


def padded(text):
    return text + bytes(64)


def split(text, width=3, *, open_end=False):
    return rows.split_fields(padded(text), 0, len(text), width, open_end)


def faults(text, width=3, *, open_end=False):
    *_, first, total = split(text, width, open_end=open_end)
    assert total == len(first)
    return first


def fields(text, width=3, *, open_end=False):
    starts, ends, *_ = split(text, width, open_end=open_end)
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def batch_of(text, layout=SHORT):
    return rows.parse_rows(padded(text), 0, len(text), layout, True)


def decimals(*tokens):
    starts = [sum(map(len, tokens[:place])) for place in range(len(tokens))]
    found = rows.parse_decimals(padded(b"".join(tokens)), array("q", starts), array("q", map(len, tokens)))
    return list(found)


def test_constants():
    assert (rows.PADDING, rows.MOST_FAULTS) == (64, 20)
    assert (rows.CONTROL, rows.NOT_UTF8, rows.WIDTH, rows.NUMBER) == (1, 2, 3, 4)
    assert (rows.TREC_EVAL, rows.FLOAT32, rows.FILE, rows.DOC_ASCENDING) == (0, 1, 2, 3)
    assert (rows.ERROR, rows.FIRST, rows.BEST) == (0, 1, 2)


# Lines and fields


def test_positions_of_fields():
    text = b"xx\na  bb\tc\n\n# no\n d e f \n"
    starts, ends, lines, line_count, first, total = rows.split_fields(padded(text), 3, len(text), 3, False)
    assert list(starts) == [3, 6, 9, 18, 20, 22]
    assert list(ends) == [4, 8, 10, 19, 21, 23]
    assert list(lines) == [1, 4]
    assert (line_count, first, total) == (4, [], 0)


def test_nothing_to_split():
    assert [len(part) for part in split(b"")[:3]] == [0, 0, 0]
    assert split(b"")[3:] == (0, [], 0)
    assert split(b"\n \t\n")[3:] == (2, [], 0)


def test_comments_and_blank_lines_are_passed_over():
    assert fields(b"# a b\n\n  \t #c d e f\n   \na b c\n") == [b"a", b"b", b"c"]


def test_a_hash_elsewhere_is_text():
    assert fields(b"a #b c#\n") == [b"a", b"#b", b"c#"]


def test_lines_may_end_as_on_windows():
    text = b"a b c\r\n\r\n# d\r\ne f g \r\n"
    assert fields(text) == [b"a", b"b", b"c", b"e", b"f", b"g"]
    assert list(split(text)[2]) == [1, 4]


@pytest.mark.parametrize("text", [b"a b\rc\n", b"a b c\r\r\n", b"\ra b c\n", b"# a\rb\n", b"\r \n", b"a b c\r \n"])
def test_a_carriage_return_within_a_line_is_a_fault(text):
    assert faults(text) == [(1, CONTROL, 13, b"")]


@pytest.mark.parametrize("byte", [*range(9), 11, 12, *range(14, 32)])
def test_control_characters_are_faults(byte):
    for line in [b"a b%cc d\n", b"%ca b c\n", b"# %c\n", b"%c\n", b" %c \r\n", b"\xff%c\n"]:
        assert faults(b"a b c\n" + line % byte) == [(2, CONTROL, byte, b"")]


def test_the_first_control_character_of_a_line_is_named():
    assert faults(b"a\x02b\x01 c\n\x00\x1f\n") == [(1, CONTROL, 2, b""), (2, CONTROL, 0, b"")]


def test_delete_is_no_control_character():
    assert fields(b"\x7f b c\n") == [b"\x7f", b"b", b"c"]


@pytest.mark.parametrize(
    "bad", [b"\xff", b"\xc3", b"\xa9", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82"]
)
def test_text_that_is_not_utf8_is_a_fault(bad):
    assert faults(b"a b " + bad + b"\n# " + bad + b"\n" + bad + b"\r\n") == [
        (1, NOT_UTF8, 0, b""),
        (2, NOT_UTF8, 0, b""),
        (3, NOT_UTF8, 0, b""),
    ]


def test_a_character_does_not_go_on_in_the_next_line():
    assert faults(b"a b \xc3\n\xa9 b c\n") == [(1, NOT_UTF8, 0, b""), (2, NOT_UTF8, 0, b"")]


def test_characters_beyond_ascii_do_not_separate():
    # no-break space, line separator, ideographic space, next line
    text = "é\u00a0\u2028 \u3000 \u0085\U0001f600\n".encode()
    assert fields(text) == ["é\u00a0\u2028".encode(), "\u3000".encode(), "\u0085\U0001f600".encode()]


def test_the_number_of_fields():
    text = b"a b c\na b\n\na b c d\n# a\na\n"
    assert faults(text) == [(2, WIDTH, 2, b""), (4, WIDTH, 4, b""), (6, WIDTH, 1, b"")]
    assert fields(text) == [b"a", b"b", b"c"]


def test_with_an_open_end_more_fields_are_passed_over():
    text = b"a b c\na b\na b c d e\n"
    assert faults(text, open_end=True) == [(2, WIDTH, 2, b"")]
    assert fields(text, open_end=True) == [b"a", b"b", b"c", b"a", b"b", b"c"]


def test_the_first_faults_are_given_and_all_counted():
    *_, line_count, first, total = split(b"a b c\n" + b"\x01\na\n" * 15)
    assert (line_count, total) == (31, 30)
    assert first == [(line, *((CONTROL, 1) if line % 2 == 0 else (WIDTH, 1)), b"") for line in range(2, 22)]


# Numbers


def test_decimal_numbers():
    tokens = [b"1", b"-2", b"+3", b".5", b"5.", b"-.25", b"1e3", b"1E-2", b"2.5e+1", b"007", b"1.e1", b"0e9999999999"]
    assert decimals(*tokens) == [1, -2, 3, 0.5, 5, -0.25, 1000, 0.01, 25, 7, 10, 0]


@pytest.mark.parametrize(
    "token",
    [b"", b".", b"+", b"-", b"e5", b".e5", b"1e", b"1e+", b"--1", b"+-1", b"1-", b"1.2.3", b"1e5.0", b"1,5", b"0x10",
     b"1_0", b"nan", b"NaN", b"inf", b"-Infinity", b"1e400", b"-1e309", b"1.7976931348623159e308", b" 1", b"1 ", b"1\n",
     b"1\x00", "١".encode(), "１".encode(), b"1f", b"9" * 400, b"1" * 1_000_000 + b"x"],
)  # fmt: skip
def test_what_is_no_finite_decimal_number(token):
    assert math.isnan(decimals(token)[0])


@pytest.mark.parametrize(
    "token, value",
    [
        (b"9007199254740993", 2.0**53),  # halfway, to even
        (b"9007199254740993.0000000000000000000000001", 2.0**53 + 2),
        (b"9007199254740995", 2.0**53 + 4),  # halfway, to even
        (b"0.1", 3602879701896397 / 2**55),
        (b"0.1000000000000000055511151231257827021181583404541015625", 3602879701896397 / 2**55),
        (b"1" + b"0" * 308, 1e308),
        (b"0." + b"0" * 400 + b"1e401", 1.0),
        (b"1" + b"0" * 400 + b"e-400", 1.0),
        (b"1.7976931348623158e308", (2 - 2.0**-52) * 2.0**1023),  # rounds to the largest
        (b"4.9e-324", 2.0**-1074),
        (b"2.5e-324", 2.0**-1074),  # above half of the smallest
        (b"2.4e-324", 0.0),
        (b"2.2250738585072011e-308", 2.0**-1022 - 2.0**-1074),  # the largest subnormal
        (b"1e-400", 0.0),
    ],
)
def test_numbers_are_correctly_rounded(token, value):
    assert decimals(token, b"-" + token) == [value, -value]


def test_minus_zero_keeps_its_sign():
    assert math.copysign(1, decimals(b"-0")[0]) == -1
    assert math.copysign(1, decimals(b"-1e-999")[0]) == -1


def test_a_number_that_cannot_be_read_is_a_fault_of_a_row():
    batch = batch_of(b"q d 1\n\nq e nan\nq f \n" + b"q g " + b"7" * 300 + b"e1x\n")
    assert batch.faults == [(3, NUMBER, 0, b"nan"), (4, WIDTH, 2, b""), (5, NUMBER, 0, b"7" * 256)]
    assert (batch.rows, batch.lines, batch.fault_total) == (3, 5, 3)


def test_ranks_become_scores():
    text = b"q a 1\nq b +20\nq c 007\nq d 999999999999999999\n"
    assert batch_of(text, RANKS).fault_total == 0
    lists = rows.group([batch_of(text, RANKS)])
    ranked = lists.rank(0, 1, (), -1, -1, rows.TREC_EVAL, rows.ERROR)
    assert list(ranked.scores) == [-1, -7, -20, -1e18]


@pytest.mark.parametrize(
    "token",
    [b"0", b"-0", b"-1", b"1.0", b"1e3", b"1000000000000000000", b"0" * 18 + b"1", b"x", b"+", b"1_0", "١".encode()],
)
def test_what_is_no_rank(token):
    assert batch_of(b"q a " + token + b"\n", RANKS).faults == [(1, NUMBER, 0, token)]


def test_grades_may_be_fractions_of_a_limited_size():
    assert batch_of(b"q a 1.8\nq b -127\nq c 127.0\nq d 1e2\n", GRADES).fault_total == 0
    for token in (b"127.1", b"-128", b"nan", b"high"):
        assert batch_of(b"q a " + token + b"\n", GRADES).faults == [(1, NUMBER, 0, token)]


# Blocks and batches


@pytest.mark.parametrize(
    "text, start",
    [
        (b"", 0),
        (b"# a\n\n", 0),
        (b"a\n", 0),
        (b"a 1\na 2\n", 0),
        (b"a 1\nb 2\n", 4),
        (b"a 1\n# c\nb 2\n\nb 3\n # d\n", 8),
        (b"a 1\nb 2\na 3\n", 8),
        (b"a 1\r\nab 2\r\n", 5),
    ],
)
def test_where_the_last_block_begins(text, start):
    buffer = b"zz\n" + padded(text)
    assert rows.block_start(buffer, 3, 3 + len(text), 0) == 3 + start


def test_a_line_with_too_few_fields_is_a_block():
    assert rows.block_start(padded(b"1 a\n2\n3\n"), 0, 8, 1) == 6
    assert rows.block_start(padded(b"1 a\n2\n3 a\n"), 0, 10, 1) == 6


def test_a_batch_counts():
    batch = batch_of(b"# x\na d 1\na e 2\nb d 3\n\n")
    assert (batch.rows, batch.queries, batch.lines, batch.in_blocks) == (3, 2, 5, True)
    assert not batch_of(b"a d 1\nb d 1\na e 1\n").in_blocks
    empty = batch_of(b"")
    assert (empty.rows, empty.queries, empty.lines, empty.in_blocks) == (0, 0, 0, True)


def test_batches_are_grouped_as_one_file():
    lists = rows.group([batch_of(b"b d 1\n"), batch_of(b""), batch_of(b"a e 2\nb f 3\n"), batch_of(b"a g 9\n")])
    assert (lists.queries, lists.rows) == (2, 4)
    assert unpacked(*lists.query_ids()) == [b"b", b"a"]
    both = lists.rank(0, 2, (), -1, -1, rows.TREC_EVAL, rows.ERROR)
    assert unpacked(both.docs_text, both.docs_bounds) == [b"f", b"d", b"g", b"e"]
    assert list(both.scores) == [3, 1, 9, 2]
    second = lists.rank(1, 2, (), -1, -1, rows.TREC_EVAL, rows.ERROR)
    assert unpacked(second.docs_text, second.docs_bounds) == [b"g", b"e"]
    none = lists.rank(1, 1, (), -1, -1, rows.TREC_EVAL, rows.ERROR)
    assert (list(none.lengths), bytes(none.tied), list(none.docs_bounds)) == ([], b"", [0])


def test_no_batches():
    lists = rows.group([])
    assert (lists.queries, lists.rows) == (0, 0)
    assert unpacked(*lists.query_ids()) == []


def test_rows_from_columns():
    batch = rows.columns_batch(
        *column([b"q", b"q", b"r"]), *column([b"d", b"", b"a b"]), array("d", [0.5, 7.0, math.nan])
    )
    assert (batch.rows, batch.queries, batch.lines, batch.in_blocks) == (3, 2, 3, True)
    assert (batch.faults, batch.fault_total) == ([], 0)
    ranked = rows.group([batch]).rank(0, 2, (), -1, -1, rows.FILE, rows.ERROR)
    assert unpacked(ranked.docs_text, ranked.docs_bounds) == [b"", b"d", b"a b"]
