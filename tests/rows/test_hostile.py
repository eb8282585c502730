"""Rows that are meant to be slow or to be read wrongly: the answers are those of the reference, in linear time."""

from __future__ import annotations

import time

import numpy as np
import pytest

from tests.rows.implementations import assert_same, batch_outcome, compiled, decimals_outcome, needs_compiled, parsed
from tests.rows.samples import PADDING, SHORT, TREC

pytestmark = needs_compiled


def seconds(work):
    """CPU time of this process, the best of three."""
    times = []
    for _ in range(3):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def test_exponents_as_large_as_the_digits_are_many():
    zeros = b"0" * 10_000_000
    assert_same(lambda module: decimals_outcome(module, [b"0." + zeros + b"1e10000001", b"1" + zeros + b"e-10000000"]))


@pytest.mark.parametrize("digits", [19, 800, 100_000])
def test_exponents_beyond_every_number(digits):
    tokens = [sign + b"1" * digits + b"e" + power + b"9" * 30 for sign in (b"", b"-") for power in (b"", b"-")]
    assert_same(lambda module: decimals_outcome(module, tokens))


def test_one_document_again_and_again_in_many_batches():
    text = b"q Q0 d 1 1 t\n" * 500

    def rank(count):
        lists = compiled.group([parsed(compiled, text, TREC)] * count)
        ranked = lists.rank(0, 1, (), -1, 0, compiled.TREC_EVAL, compiled.ERROR)
        assert ranked.repeated_total == 500 * count - 1
        assert [row[:4] for row in ranked.repeated] == [(0, line, 0, 1) for line in range(2, 22)]

    assert seconds(lambda: rank(2_000)) < 8 * seconds(lambda: rank(500)) + 0.05


def test_the_first_repeated_documents_of_all_queries():
    """The second query's are before those of the first, of which there are more than are described."""
    batches = [b"a d 1\nb d 1\n", b"b d 1\n" * 3 + b"a d 1\n" * 50, b"b d 1\n" * 40]

    def outcome(module):
        ranked = module.group([parsed(module, text, SHORT) for text in batches]).rank(0, 2, (), -1, 0, 0, 0)
        return {"repeated": ranked.repeated, "total": ranked.repeated_total}

    assert_same(outcome)


def test_wide_lines_and_long_ids():
    text = b"".join(
        [
            b"q d 1\n",
            b"x " * 400_000 + b"\n",
            b"q " + b"y" * 900_000 + b" 1\n",
            b" " * 900_000 + b"q e 2\n",
            b"#" * 900_000,
        ]
    )
    assert_same(lambda module: batch_outcome(parsed(module, text + b"\n", SHORT)))


@pytest.mark.proof
def test_the_largest_text():
    """Positions have 32 bits: the last rows of a text of almost 4 GB are right, and a larger text is refused."""
    most, last = 0xFFFFFF00, b"q last 2\nr d 1\n"
    text = np.full(most + 1 + PADDING, ord("x"), dtype=np.uint8)
    text[: 1 << 27 : 64] = ord(" ")  # fields of a comment
    text[0 : most : 1 << 28] = ord("#")
    text[(1 << 28) - 1 : most : 1 << 28] = 10
    text[most - len(last) - 1] = 10
    text[most - len(last) : most] = np.frombuffer(last, dtype=np.uint8)
    text[most] = 10
    assert compiled.block_start(text, 0, most, 0) == most - 6
    starts, ends, lines, line_count, _, total = compiled.split_fields(text, 0, most, 3, False)
    expected = [most - len(last) + place for place in (0, 2, 7, 9, 11, 13)]
    assert np.frombuffer(starts, dtype=np.int64).tolist() == expected
    assert np.frombuffer(ends, dtype=np.int64)[-1] == most - 1
    assert (np.frombuffer(lines, dtype=np.int64).tolist(), line_count, total) == ([17, 18], 18, 0)
    batch = compiled.parse_rows(text, 0, most, SHORT, False)
    ranked = compiled.group([batch]).rank(0, 2, (), -1, -1, 0, 0)
    assert bytes(ranked.docs_text).strip(b"\0") == b"lastd"
    with pytest.raises(ValueError, match="expected fewer than 4 GB"):
        compiled.parse_rows(text, 0, most + 1, SHORT, False)
