"""A caller's mistakes are errors in every implementation of rows, never a crash."""

from __future__ import annotations

import numpy as np
import pytest

from tests.rows.implementations import IMPLEMENTATIONS, assert_refused, compiled, judged_of, needs_compiled, parsed
from tests.rows.samples import SHORT, column

TEXT = b"q d 1\n"
PADDED = TEXT + bytes(64)
BOUNDS = np.array([0, 1], dtype=np.int64)
PLACES = np.zeros(1, dtype=np.int64)
SCORES = np.zeros(1)


def int64(*numbers):
    return np.array(numbers, dtype=np.int64)


@pytest.mark.parametrize(
    "buffer, begin, end",
    [
        (TEXT, 0, 6),
        (PADDED[:-1], 0, 6),
        (PADDED, 0, 7),
        (PADDED, 0, 5),
        (PADDED, 4, 3),
        (PADDED, -1, 6),
        (PADDED, 0, "6"),
        (PADDED.decode(), 0, 6),
        (None, 0, 6),
    ],
)
def test_text_without_padding_or_beyond_the_buffer(buffer, begin, end):
    assert_refused(lambda module: module.split_fields(buffer, begin, end, 3, False))
    assert_refused(lambda module: module.block_start(buffer, begin, end, 0))
    assert_refused(lambda module: module.parse_rows(buffer, begin, end, SHORT, True))


@pytest.mark.parametrize("width", [0, -1])
def test_no_width(width):
    assert_refused(lambda module: module.split_fields(PADDED, 0, 6, width, False))


@pytest.mark.parametrize(
    "layout", [(3, 0, 3, 1, 2, 0), (3, 0, 0, -1, 2, 0), (3, 0, 0, 1, 9, 0), (0, 0, 0, 0, 0, 0), (3, 0, 0, 1, 2), None]
)
def test_columns_beyond_the_width(layout):
    assert_refused(lambda module: module.parse_rows(PADDED, 0, 6, layout, True))


@pytest.mark.parametrize(
    "starts, lengths",
    [
        (int64(0), int64(70)),
        (int64(0), int64(71)),
        (int64(-1), int64(1)),
        (int64(2), int64(-1)),
        (int64(1 << 62), int64(1 << 62)),
        (int64(0, 1), int64(1)),
        (b"1234567", int64(1)),
        (None, int64(1)),
    ],
)
def test_tokens_outside_of_the_buffer(starts, lengths):
    assert_refused(lambda module: module.parse_decimals(PADDED, starts, lengths))


BAD_BOUNDS = [int64(), int64(-1, 1), int64(1, 0), int64(0, 100), int64(0, 1 << 62), b"1234567", None]


@pytest.mark.parametrize("bounds", BAD_BOUNDS)
def test_bounds_that_do_not_fit(bounds):
    assert_refused(lambda module: module.columns_batch(PADDED, bounds, PADDED, BOUNDS, SCORES))
    assert_refused(lambda module: module.columns_batch(PADDED, BOUNDS, PADDED, bounds, SCORES))
    assert_refused(lambda module: module.Judged(PADDED, bounds, PLACES, PADDED, BOUNDS))
    assert_refused(lambda module: module.Judged(PADDED, BOUNDS, PLACES, PADDED, bounds))
    assert_refused(lambda module: judged_of(module, ([b"q"], [])).find(PLACES, PADDED, bounds))


@pytest.mark.parametrize("dtype", [np.int16, np.int32, np.float32, np.complex128])
def test_numbers_that_are_not_eight_bytes_each(dtype):
    """The bytes of four int32 are those of two int64: what is right by length alone is refused too."""
    two, one = (np.zeros(8 * count // np.dtype(dtype).itemsize, dtype=dtype) for count in (2, 1))
    assert_refused(lambda module: module.columns_batch(PADDED, two, PADDED, BOUNDS, SCORES))
    assert_refused(lambda module: module.columns_batch(PADDED, BOUNDS, PADDED, BOUNDS, one))
    assert_refused(lambda module: module.Judged(PADDED, BOUNDS, one, PADDED, BOUNDS))
    assert_refused(lambda module: judged_of(module, ([b"q"], [])).find(one, PADDED, BOUNDS))
    assert_refused(lambda module: module.parse_decimals(PADDED, one, PLACES))
    assert_refused(lambda module: module.parse_decimals(PADDED, PLACES, one))


@needs_compiled
def test_numbers_at_a_place_where_none_can_be_read():
    odd = memoryview(bytes(33))
    two, one = odd[1:17], odd[1:9]
    for call in (
        lambda: compiled.columns_batch(PADDED, two, PADDED, BOUNDS, SCORES),
        lambda: compiled.columns_batch(PADDED, BOUNDS, PADDED, BOUNDS, one),
        lambda: compiled.Judged(PADDED, BOUNDS, one, PADDED, BOUNDS),
        lambda: judged_of(compiled, ([b"q"], [])).find(one, PADDED, BOUNDS),
        lambda: compiled.parse_decimals(PADDED, one, PLACES),
    ):
        with pytest.raises(ValueError, match="expected"):
            call()


def test_rank_takes_no_names():
    lists = [module.group([parsed(module, TEXT, SHORT)]) for module in IMPLEMENTATIONS]
    for one in lists:
        with pytest.raises(TypeError):
            one.rank(0, 1, (), -1, -1, 0, 0, other=1)


def test_columns_of_different_lengths():
    assert_refused(lambda module: module.columns_batch(*column([b"a", b"b"]), PADDED, BOUNDS, SCORES))
    assert_refused(lambda module: module.columns_batch(PADDED, BOUNDS, PADDED, BOUNDS, np.zeros(2)))
    assert_refused(lambda module: module.columns_batch(TEXT, BOUNDS, PADDED, BOUNDS, SCORES))
    assert_refused(lambda module: module.Judged(PADDED, BOUNDS, int64(0, 0), PADDED, BOUNDS))
    assert_refused(lambda module: judged_of(module, ([b"q"], [])).find(int64(0, 0), PADDED, BOUNDS))


@pytest.mark.parametrize("place", [-2, 1, 1 << 62])
def test_places_out_of_range(place):
    assert_refused(lambda module: module.Judged(PADDED, BOUNDS, int64(place), PADDED, BOUNDS))
    assert_refused(lambda module: judged_of(module, ([b"q"], [(0, b"d")])).find(int64(place), PADDED, BOUNDS))


def test_a_judgment_needs_a_query():
    assert_refused(lambda module: module.Judged(PADDED, BOUNDS, int64(-1), PADDED, BOUNDS))


def test_what_is_not_a_batch():
    assert_refused(lambda module: module.group([None]))
    assert_refused(lambda module: module.group(None))
    assert_refused(lambda module: module.group([parsed(module, TEXT, SHORT), TEXT]))


@pytest.mark.parametrize(
    "arguments",
    [
        (-1, 1, (), -1, -1, 0, 0),
        (0, 2, (), -1, -1, 0, 0),
        (1, 0, (), -1, -1, 0, 0),
        (0, 1, (None,), -1, -1, 0, 0),
        (0, 1, None, -1, -1, 0, 0),
        (0, 1, (), -2, -1, 0, 0),
        (0, 1, (), -1, -2, 0, 0),
        (0, 1, (), -1, -1, 99, 0),
        (0, 1, (), -1, -1, -1, 0),
        (0, 1, (), -1, -1, 0, 99),
        (0, 1, (), "5", -1, 0, 0),
    ],
)
def test_rankings_that_cannot_be_made(arguments):
    assert_refused(lambda module: module.group([parsed(module, TEXT, SHORT)]).rank(*arguments))
