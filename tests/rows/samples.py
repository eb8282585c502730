"""Texts for tests of rows: hypothesis strategies, a fast seeded generator of lines, and columns of ids."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Context, Decimal
from itertools import accumulate, pairwise
from math import inf, nextafter

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

PADDING = 64
TREC = (6, True, 0, 2, 4, 0)
TREC_RANKS = (6, True, 0, 2, 3, 1)
SHORT = (3, False, 0, 1, 2, 0)
SHORT_RANKS = (3, False, 0, 1, 2, 1)
SHORT_GRADES = (3, False, 0, 1, 2, 2)

# Some are the beginnings of others, at and around a length of 8 bytes.
IDS = [
    b"a", b"b", b"ab", b"ba", b"7", b"abcdefg", b"abcdefgh", b"abcdefghi", b"abcdefgh" * 2, b"abcdefgh" * 2 + b"a",
    b"abcdefgh" * 40, b"abcdefgh" * 40 + b"b", "é".encode(), "\U0001f600".encode(), b"\x7f", b"#b", b"~",
]  # fmt: skip
TIED = [
    b"1", b"1.0", b"1e0", b"0.1E1", b"+1", b"1.00000001", b"0", b"-0.0", b"-1", b"2", b"1e300", b"1e39", b"-1e39",
    b"16777216", b"16777217", b"3.4028235e38", b"3.4028236e38", b"1e-46",
]  # fmt: skip
NOT_NUMBERS = [
    b".", b"+", b"-", b"e5", b".e5", b"1e", b"1e+", b"--1", b"1.2.3", b"1e5.", b"1,5", b"0x1p3", b"1_0", b"nan", b"inf",
    b"-Infinity", b"1e400", b"-1e309", b"1f", "١".encode(), "１".encode(), b"1" * 300 + b"x", b"9" * 400,
]  # fmt: skip
EDGE_NUMBERS = [
    b"0e99999999999999999999", b"1e-99999999999999999999", b"-1e-400", b"5.", b".5", b"00000000000000000001",
    b"0." + b"0" * 400 + b"1e401", b"1" + b"0" * 400 + b"e-400", b"1.7976931348623157e308", b"1.7976931348623158e308",
    b"1.7976931348623159e308", b"2.2250738585072011e-308", b"4.9e-324", b"2.5e-324", b"2.4703282292062327e-324",
    b"2.4703282292062328e-324", b"9007199254740993", b"9007199254740993e22", b"9223372036854775808",
    b"18446744073709551616", b"1e22", b"1e23", b"8.5e-23", b"123456789012345678e-40",
    b"9007199254740993" + b"0" * 60 + b"1e-61",
]  # fmt: skip
RANKS = [
    b"1", b"2", b"3", b"10", b"+4", b"007", b"0", b"-0", b"-1", b"1.0", b"12345678", b"123456789", b"9007199254740993",
    b"999999999999999999", b"1000000000000000000", b"0" * 17 + b"5", b"x",
]  # fmt: skip
SEPARATORS = [b" ", b"\t", b"  ", b"\t \t", b" " * 9]
LINE_ENDS = [b"\n", b"\r\n", b" \n", b"\t\r\n"]
BAD_BYTES = [
    *(bytes([byte]) for byte in (0, 1, 8, 11, 12, 13, 14, 27, 28, 31, 128, 255)),
    b"\xc3", b"\xa9", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82", b"\xf0\x9f\x98",
]  # fmt: skip
GOOD_BYTES = [b" ", b"\t", b"#", b"\x7f", "é".encode(), "\u00a0".encode(), "\u2028".encode(), b"a"]
PASSED_OVER = [b"\n", b"\r\n", b" \t\n", b"#\n", b"# a b c\n", b" \t# a b c d e f\r\n", b"#a b c\n"]


def column(ids: Sequence[bytes], *, padding: bytes = bytes(PADDING)) -> tuple[bytes, NDArray[np.int64]]:
    """Ids as one text with padding behind it, and their bounds."""
    return b"".join(ids) + padding, np.array([0, *accumulate(map(len, ids))], dtype=np.int64)


def unpacked(text: bytes, bounds: Sequence[int]) -> list[bytes]:
    """The ids of a text that has eight zeros before and at least eight behind."""
    behind = text[8 + bounds[-1] :]
    assert text[:8] == bytes(8)
    assert len(behind) >= 8
    assert not any(behind)
    return [text[8 + start : 8 + end] for start, end in pairwise(bounds)]


_EXACT = Context(prec=1200)


def halfway(value: float, digits: int) -> bytes:
    """The number in the middle between a float and the next, to so many digits; with 800 it is exact."""
    following = nextafter(value, inf)
    total = _EXACT.add(Decimal(value), Decimal(following if following < inf else value))
    return str(Context(prec=digits).plus(_EXACT.divide(total, Decimal(2)))).encode()


def spelled(sign: str, digits: str, dot: int, exponent: str) -> bytes:
    """A decimal number with a dot before one of its digits, behind them, or (-1) without one."""
    text = digits if dot < 0 else f"{digits[:dot]}.{digits[dot:]}"
    return f"{sign}{text}{exponent}".encode()


# Strategies

_digits = st.text("0123456789", min_size=1, max_size=40)
_signs = st.sampled_from(["", "+", "-"])
_exponents = st.just("") | st.builds("{}{}{}".format, st.sampled_from("eE"), _signs, st.integers(0, 400))
_finite = st.floats(allow_nan=False, allow_infinity=False)
decimals = st.one_of(
    st.builds(spelled, _signs, _digits, st.integers(-1, 40), _exponents),
    st.builds(lambda value: repr(value).encode(), _finite),
    st.builds(lambda value, digits: b"%.*e" % (digits, value), _finite, st.integers(0, 30)),
    st.builds(halfway, _finite, st.sampled_from([17, 19, 20, 40, 800])),
    st.sampled_from(EDGE_NUMBERS),
)
tokens = st.one_of(
    st.sampled_from(TIED), decimals, st.sampled_from(NOT_NUMBERS), st.text("0159.e+-_", max_size=8).map(str.encode)
)
ids = st.sampled_from(IDS)
few_ids = st.sampled_from(IDS[:2] * 2 + IDS[6:8])
_separators = st.sampled_from(SEPARATORS)
_numbers = st.sampled_from(TIED) | decimals | st.sampled_from(NOT_NUMBERS) | st.sampled_from(RANKS)


@st.composite
def _fields(draw: st.DrawFn, widths: st.SearchStrategy[int]) -> bytes:
    """A line of a run: that of a TREC run cut at a width, or one of three fields."""
    width = draw(widths)
    fields = [draw(ids), b"Q0", draw(ids), draw(st.sampled_from(RANKS)), draw(_numbers), b"tag", b"more", b"#"]
    if width == 3:
        fields = [fields[0], fields[2], draw(st.sampled_from(TIED) | _numbers)]
    between = draw(_separators)
    return draw(st.sampled_from([b"", b"", b" "])) + between.join(fields[:width]) + draw(st.sampled_from(LINE_ENDS))


def _with_bytes(line: bytes, place: int, junk: bytes) -> bytes:
    place %= len(line)
    return line[:place] + junk + line[place:]


def lines(width: int) -> st.SearchStrategy[bytes]:
    """Lines that should have so many fields."""
    good = _fields(st.just(width))
    passed_over = st.sampled_from(PASSED_OVER)
    junk = st.sampled_from(BAD_BYTES + GOOD_BYTES)
    pieces = st.lists(st.sampled_from(IDS + SEPARATORS) | junk, max_size=8)
    return st.one_of(
        good,
        good,
        _fields(st.integers(1, 8)),
        passed_over,
        st.builds(_with_bytes, good | passed_over, st.integers(0, 400), junk),
        pieces.map(lambda some: b"".join(some) + b"\n"),
        st.builds(lambda line, size: line.replace(b"a", b"a" * size), good, st.integers(100, 5000)),
    )


def texts(width: int, *, max_lines: int = 25) -> st.SearchStrategy[list[bytes]]:
    """Texts as lists of lines: lines of any kind, or rows of few ids and scores, so that ties and duplicates happen."""
    scores = st.sampled_from([*TIED, b"x"])
    if width == 3:
        rows = st.builds(b"%s %s %s\n".__mod__, st.tuples(few_ids, few_ids, scores | st.sampled_from(RANKS)))
    else:
        rows = st.builds(b"%s Q0 %s %s %s t\n".__mod__, st.tuples(few_ids, few_ids, st.sampled_from(RANKS), scores))
    return st.lists(lines(width), max_size=max_lines) | st.lists(rows, max_size=max_lines)


# Many lines from a seed


def random_numbers(rng: np.random.Generator, count: int) -> list[bytes]:
    """Decimal numbers of all spellings: up to 40 digits, exponents, halfway cases, subnormal and huge ones."""
    digits = rng.integers(48, 58, count * 40, dtype=np.uint8).tobytes().decode()
    ranges = [(1, 41), (-12, 41), (-345, 330), (0, 12)]
    sizes, dots, exponents, kinds = (rng.integers(low, high, count).tolist() for low, high in ranges)
    values = rng.integers(0, 0x7FF0_0000_0000_0000, count, dtype=np.int64).view(np.float64).tolist()
    made = []
    for place, (size, dot, exponent, kind) in enumerate(zip(sizes, dots, exponents, kinds, strict=True)):
        if kind < 7:
            power = "" if kind < 4 else f"{'eE'[kind % 2]}{exponent}"
            some = digits[40 * place : 40 * place + size]
            made.append(spelled("-+   "[kind % 5].strip(), some, max(min(dot, size), -1), power))
        elif kind < 9:
            made.append(b"%.*e" % (dot % 25, values[place]))
        elif kind < 11:
            made.append(b"%.6f" % (values[place] % 100 if values[place] < 1e300 else exponent / 7))
        else:
            value = values[place] if exponent < 0 else 1 + size / 7  # far from 1, exact digits are many
            made.append(halfway(value, (17, 18, 19, 20, 25, 40, 800)[dot % 7]))
    return made


def _bad_lines(rng: np.random.Generator, good: Sequence[bytes]) -> list[bytes]:
    """Lines that are passed over or wrong, made of some good ones."""
    junk = BAD_BYTES + GOOD_BYTES
    places = rng.integers(0, 1 << 30, (len(good), 2)).tolist()
    changed = [
        _with_bytes(line, place, junk[which % len(junk)]) for line, (place, which) in zip(good, places, strict=True)
    ]
    widths = [b" ".join([*line.split(), b"#", b"t"][: place % 9]) + b"\n" for place, line in enumerate(good[:18])]
    long = [b"q Q0 " + b"d" * 70_000 + b" 1 2 t\n", b"q Q0 d 1 2 t" + b" t" * 35_000 + b"\n", b"#" * 70_000 + b"\n"]
    return [*changed, *widths, *PASSED_OVER * 3, long[places[0][0] % 3]]


def random_lines(rng: np.random.Generator, count: int) -> bytes:
    """Lines of a TREC run, most of them good; how wild they are differs from call to call.

    The queries are in blocks or mixed, the scores few or many, in order or not, the lines all good or some of them bad.
    """

    def some(pool: Sequence[bytes], size: int = count) -> list[bytes]:
        return [pool[place] for place in rng.integers(0, len(pool), size).tolist()]

    def style(share: float) -> bool:
        return bool(rng.random() < share)

    docs = IDS if style(0.3) else [b"doc%d" % number for number in range(int(rng.integers(1, 4 * count + 2)))]
    numbers = random_numbers(rng, count // 8 + 20)
    if style(0.5):
        numbers = [b"%.*f" % (int(rng.integers(0, 8)), value) for value in np.sort(rng.normal(0, 9, count))[::-1]]
    scores = numbers if len(numbers) == count and style(0.5) else some(TIED if style(0.3) else numbers)
    queries = some([b"q%d" % number for number in range(int(rng.integers(1, 60)))] + IDS)
    if style(0.6):
        queries.sort()
    regular = style(0.5)
    between = some([b" "] if regular else SEPARATORS)
    ends = some([b" t\n"] if regular else [b"\tt" + end for end in LINE_ENDS])
    ranks = some(RANKS if style(0.3) else [b"%d" % rank for rank in range(1, 1001)])
    fixed = [b" Q0 "] * count
    blank = [b" "] * count
    made = list(map(b"".join, zip(queries, fixed, some(docs), between, ranks, blank, scores, ends, strict=True)))
    if style(0.5):
        bad = _bad_lines(rng, some(made, 100)) + [b"q Q0 d 1 %s t\n" % token for token in NOT_NUMBERS]
        for place, line in zip(rng.integers(0, count, count // 50 + 1).tolist(), some(bad), strict=False):
            made[place] = line
    return b"".join(made)
