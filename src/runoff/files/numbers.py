"""Numbers in text into arrays, exactly as a careful reader would read them one by one.

Eight digits are turned into an integer with a handful of word operations, for all rows at once. A decimal whose digits
fit into 2^53 and whose fraction has at most 22 digits is that integer divided by an exactly known power of ten, so one
correctly rounded division gives the nearest float64 (Clinger 1990, doi:10.1145/93542.93557). All other spellings,
exponents among them, go through Python's own `float`.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.tables.ids import WORD, Bytes, Rows, Text, Words

_HIGH: Words = np.array([((1 << 8 * n) - 1) << 8 * (WORD - n) for n in range(WORD + 1)], dtype=np.uint64)
_ZEROS: Words = np.array([0x3030303030303030 & ((1 << 8 * (WORD - n)) - 1) for n in range(WORD + 1)], dtype=np.uint64)
_TENS: NDArray[np.float64] = np.array([float(10**n) for n in range(23)])
_INT_TENS: NDArray[np.int64] = np.array([10**n for n in range(WORD + 1)], dtype=np.int64)
_EXACT: Final = 1 << 53
_DECIMAL = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_INTEGER = re.compile(rb"[+-]?\d{1,18}")
_MINUS, _DOT = 45, 46


def _u(value: int) -> np.uint64:
    return np.uint64(value)


def _digits_before(before: Words, ends: Rows, lengths: Rows) -> Words:
    """The last `lengths` bytes before `ends`, at most eight, with digits 0 in front of them; the last is on top."""
    word = before[ends]
    word &= _HIGH.take(lengths, mode="clip")
    word |= _ZEROS.take(lengths, mode="clip")
    return word


def _spelled(word: Words) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The integers that words of eight digits spell, and which words are digits only; alters `word`."""
    # a byte above 9 reaches the high bit in the sum, one below 0 in the difference
    high = word + _u(0x4646464646464646)
    high |= word - _u(0x3030303030303030)
    high &= _u(0x8080808080808080)
    is_digits = high == 0
    word &= _u(0x0F0F0F0F0F0F0F0F)
    word *= _u(2561)
    word >>= _u(8)
    word &= _u(0x00FF00FF00FF00FF)
    word *= _u(6553601)
    word >>= _u(16)
    word &= _u(0x0000FFFF0000FFFF)
    word *= _u(42949672960001)
    word >>= _u(32)
    return word.view(np.int64), is_digits


def _dots(buffer: Bytes, starts: Rows, ends: Rows) -> Rows:
    """Where each token's first dot is; the token's end if it has none."""
    fraction = int(ends[0]) - _first_dot(buffer, int(starts[0]), int(ends[0]))
    guess = ends - fraction
    if fraction and (guess >= starts).all() and (buffer[guess] == _DOT).all():
        return guess  # the common case: all scores have the same number of decimals
    dots = np.flatnonzero(buffer == _DOT)
    if not dots.size:
        return ends
    nearest = dots[np.minimum(np.searchsorted(dots, starts), dots.size - 1)]
    return np.where((nearest >= starts) & (nearest < ends), nearest, ends)


def _first_dot(buffer: Bytes, start: int, end: int) -> int:
    found = np.flatnonzero(buffer[start:end] == _DOT)
    return start + int(found[0]) if found.size else end


def parse_decimal(token: bytes) -> float:
    """The finite number that one token spells; NaN if it spells none."""
    number = float(token) if _DECIMAL.fullmatch(token) else np.nan
    return number if abs(number) < np.inf else np.nan


def parse_decimals(text: Text, starts: Rows, lengths: Rows) -> tuple[NDArray[np.float64], Rows]:
    """The numbers spelled by some tokens, and the rows of those that are not finite numbers (their value is NaN)."""
    if not starts.size:
        return np.zeros(0), np.zeros(0, dtype=np.int64)
    buffer = text.bytes
    ends = starts + lengths
    dots = _dots(buffer, starts, ends)
    negative = buffer[starts] == _MINUS
    whole = dots - starts
    if negative.any():
        whole -= negative
    fraction = np.maximum(ends - dots - 1, 0)
    decimals = int(fraction[0])
    if (fraction == decimals).all() and int(whole.max()) + decimals <= WORD and int(whole.min()) >= 0:
        mantissa, fine = _short_decimals(text.words_before, dots, whole, ends, decimals)
    else:
        mantissa, fine = _long_decimals(text.words_before, dots, whole, ends, fraction)
    fine &= (whole + fraction) > 0
    values = mantissa / (_TENS.take(fraction, mode="clip"))
    np.negative(values, out=values, where=negative)
    return _rest_one_by_one(buffer, starts, ends, values, np.flatnonzero(~fine))


def _short_decimals(
    before: Words, dots: Rows, whole: Rows, ends: Rows, decimals: int
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """All digits as integers where they fit into one word and all fractions have the same length."""
    word = _digits_before(before, dots, whole)
    if decimals:
        word >>= _u(8 * decimals)
        tail = before[ends]
        tail &= _HIGH[decimals]
        word |= tail
    return _spelled(word)


def _long_decimals(
    before: Words, dots: Rows, whole: Rows, ends: Rows, fraction: Rows
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """All digits as integers: at most 8 before the dot, at most 16 behind it, together below 2^53."""
    mantissa, fine = _spelled(_digits_before(before, dots, whole))
    fine &= (whole >= 0) & (whole <= WORD) & (fraction <= 2 * WORD)
    first = np.minimum(fraction, WORD)
    digits, is_digits = _spelled(_digits_before(before, np.minimum(dots + 1 + first, ends), first))
    fine &= is_digits
    mantissa = mantissa * _INT_TENS[first] + digits
    if fraction.max() > WORD:
        second = np.clip(fraction - WORD, 0, WORD)
        digits, is_digits = _spelled(_digits_before(before, ends, second))
        # beyond 2^53 digits would be lost; such rows are read one by one, and what overflows here is not used
        fine &= is_digits & (mantissa < _EXACT // _INT_TENS[second])
        mantissa = mantissa * _INT_TENS[second] + digits
    fine &= mantissa < _EXACT
    return mantissa, fine


def _rest_one_by_one(
    buffer: Bytes, starts: Rows, ends: Rows, values: NDArray[np.float64], rows: Rows
) -> tuple[NDArray[np.float64], Rows]:
    bad = []
    spans = zip(rows.tolist(), starts[rows].tolist(), ends[rows].tolist(), strict=True)
    text = memoryview(buffer)  # type: ignore[arg-type]
    for row, start, end in spans:
        values[row] = parse_decimal(bytes(text[start:end]))
        if np.isnan(values[row]):
            bad.append(row)
    return values, np.array(bad, dtype=np.int64)


def parse_integers(text: Text, starts: Rows, lengths: Rows) -> tuple[NDArray[np.int64], Rows]:
    """The integers spelled by some tokens, and the rows of those that are not integers (their value is 0)."""
    if not starts.size:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    buffer = text.bytes
    negative = buffer[starts] == _MINUS
    digit_lengths = lengths - negative
    words = _digits_before(text.words_before, starts + lengths, digit_lengths)
    values, fine = _spelled(words)
    fine &= (digit_lengths > 0) & (digit_lengths <= WORD)
    values = np.where(negative, -values, values)
    bad = []
    for row in np.flatnonzero(~fine).tolist():
        token = buffer[starts[row] : starts[row] + lengths[row]].tobytes()
        if _INTEGER.fullmatch(token):
            values[row] = int(token)
        else:
            bad.append(row)
            values[row] = 0
    return values, np.array(bad, dtype=np.int64)
