"""Files that are damaged, or made to take long: a table or a sentence that explains, in time in line with the size."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import time
import tracemalloc
from importlib import import_module

import numpy as np
import pytest

from runoff import rows
from runoff.errors import InputError
from runoff.files import read_qrels, read_run, streams
from tests.files.samples import chunks_of, problems_of

zstd = import_module(streams._ZSTD)
FORMS = {"plain": bytes, "gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zst": zstd.compress}
RUN = b"".join(b"q%d Q0 doc%d %d %.3f tag\n" % (row // 20, row * 7919 % 1000, row, 50 - row / 7) for row in range(100))
QRELS = b"".join(b"q%d 0 doc%d %d\n" % (row // 20, row, row % 3) for row in range(100))
GIGABYTE = 1 << 30

forms = pytest.mark.parametrize("compress", FORMS.values(), ids=FORMS)


def seconds(work):
    """CPU time of this process, the best of two."""
    times = []
    for _ in range(2):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


# Damaged files


def assert_explained(read, data):
    """A table, or an InputError of sentences; anything else goes through and fails the test."""
    try:
        assert len(read(data).query_ids) > 0
    except InputError as error:
        assert all(len(problem.split()) > 4 for problem in error.problems)  # noqa: PT017  # either is right
        assert error.problems  # noqa: PT017


def damaged(data, rng):
    """Some bits turned over, a piece lost or doubled, or the end cut off."""
    changed = bytearray(data)
    for _ in range(rng.choice([0, 1, 1, 2, 20])):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    start = rng.randrange(len(changed))
    piece = changed[start : start + rng.randrange(1, 64)]
    kind = rng.randrange(4)
    if kind == 0:
        del changed[rng.randrange(1, len(changed)) :]
    elif kind == 1:
        del changed[start : start + len(piece)]
    elif kind == 2:
        changed[start:start] = piece
    return bytes(changed)


def check_damaged(compress, count, seed):
    rng = random.Random(seed)
    for read, data in ((read_run, compress(RUN)), (read_qrels, compress(QRELS))):
        assert_explained(read, data)
        for _ in range(count):
            assert_explained(read, damaged(data, rng))


@forms
def test_damaged_files(compress):
    check_damaged(compress, 100, seed=1)


@pytest.mark.proof
@forms
def test_many_damaged_files(compress):
    check_damaged(compress, 5_000, seed=2)


@forms
def test_every_truncation(compress):
    data = compress(RUN[:200])
    for size in range(len(data)):
        assert_explained(read_run, data[:size])


@pytest.mark.proof
@forms
def test_every_bit(compress):
    data = compress(RUN[:200])
    for place in range(8 * len(data)):
        changed = bytearray(data)
        changed[place // 8] ^= 1 << place % 8
        assert_explained(read_run, bytes(changed))


# Long lines and ids


class Repeated(io.RawIOBase):
    """A stream of some bytes, then one byte again and again, that is never in memory as a whole."""

    def __init__(self, head: bytes, byte: bytes, size: int) -> None:
        self._head, self._byte, self._left = head, byte, size

    def readable(self):
        return True

    def readinto(self, buffer):
        count = min(len(buffer), self._left)
        if self._head:
            count = min(count, len(self._head))
            buffer[:count], self._head = self._head[:count], self._head[count:]
        else:
            buffer[:count] = self._byte * count
        self._left -= count
        return count


def peak_of(work):
    """The most memory that Python and numpy held meanwhile."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


HEADS = [b"", b"q1 Q0 d", RUN, b"#", RUN + b"#"]
LONG = "a line is longer than 1,048,576 bytes"


@pytest.mark.parametrize("head", HEADS)
def test_a_line_of_two_megabytes(head):
    for read in (read_run, read_qrels):
        (problem,) = problems_of(read, head + b"x" * 2_000_000)
        assert LONG in problem


@pytest.mark.proof
@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("byte", [b"x", b" ", b"\0", b"\xff"])
def test_a_line_of_a_gigabyte(head, byte):
    def read():
        (problem,) = problems_of(read_run, Repeated(head, byte, GIGABYTE))
        assert LONG in problem

    assert peak_of(read) < 64 << 20


@pytest.mark.proof
def test_a_compressed_line_of_a_gigabyte():
    data = gzip.compress(bytes(GIGABYTE), 1)
    assert peak_of(lambda: problems_of(read_run, data)) < 64 << 20


@pytest.mark.proof
@pytest.mark.parametrize("line", [b"\n", b"# a comment\n"])
def test_a_gigabyte_without_content(line):
    data = gzip.compress(line * (GIGABYTE // len(line)), 1)

    def read():
        for reader in (read_run, read_qrels):
            (problem,) = problems_of(reader, data)
            assert "are blank lines and comments; expected" in problem

    assert peak_of(read) < 512 << 20


@pytest.mark.proof
def test_an_id_of_a_gigabyte():
    """No file has such a line, but the reader of rows has no limit below 4 GB."""
    head, tail = b"q ", b" 1\n"
    text = np.full(len(head) + GIGABYTE + len(tail) + rows.PADDING, ord("x"), dtype=np.uint8)
    end = len(text) - rows.PADDING
    text[: len(head)] = np.frombuffer(head, dtype=np.uint8)
    text[end - len(tail) : end] = np.frombuffer(tail, dtype=np.uint8)
    batch = rows.parse_rows(text, 0, end, (3, False, 0, 1, 2, rows.SCORE), False)
    ranked = rows.group([batch]).rank(0, 1, (), -1, -1, 0, 0)
    assert np.frombuffer(ranked.docs_bounds, dtype=np.int64).tolist() == [0, GIGABYTE]


@pytest.mark.parametrize("chunk", [streams.CHUNK_BYTES, 1_000_000])
def test_ids_of_one_byte_to_900_kilobytes(chunk, monkeypatch):
    chunks_of(monkeypatch, chunk)
    sizes = [1, 2, 7, 8, 9, 63, 64, 65, 255, 256, 257, 8191, 8192, 8193, 65_536, 900_000]
    ids = [letter * size for size in sizes for letter in "ab"]
    lines = [f"{query} Q0 {doc} 1 1 t" for query in ("q" * 900_000, "q") for doc in ids if len(query + doc) < 1_000_000]
    run = read_run("\n".join(lines).encode())
    same = {(query, doc) for query, doc, _ in run} == {tuple(line.split()[::2][:2]) for line in lines}
    assert same  # to show megabytes of ids would take long
    assert len(run) == len(lines)


# Large and tied lists


def tied(size):
    return b"".join(b"q Q0 d%d 1 0.5 t\n" % (row * 7919 % size) for row in range(size))


def one_query(size):
    return b"".join(b"q Q0 d%d 1 %d t\n" % (row, row * 7919 % size) for row in range(size))


def shuffled_queries(size):
    return b"".join(b"q%d Q0 d 1 1 t\n" % (row * 7919 % size) for row in range(size))


def scattered(size):
    """Every query has ten rows, far from each other."""
    return b"".join(b"q%d Q0 d%d 1 1 t\n" % (row % (size // 10), row) for row in range(size))


def prefixed(size):
    """Tied documents whose first 200 bytes are the same."""
    return b"".join(b"q Q0 %s%d 1 1 t\n" % (b"x" * 200, row * 7919 % size) for row in range(size))


def falling_query(size):
    """A block that grows beyond every chunk, whose lists are out of order."""
    return b"".join(b"q Q0 %s%d 1 %d t\n" % (b"y" * 100, row, row) for row in range(size))


SHAPES = {
    "all tied": (tied, 200_000),
    "one query": (one_query, 300_000),
    "queries in any order": (shuffled_queries, 100_000),
    "scattered rows": (scattered, 200_000),
    "long prefixes": (prefixed, 40_000),
    "larger than a chunk": (falling_query, 120_000),
}


@pytest.mark.parametrize("make, size", SHAPES.values(), ids=SHAPES)
def test_time_grows_with_the_size(make, size):
    large, small = make(size), make(size // 4)
    assert len(read_run(large)) == size
    assert seconds(lambda: read_run(large)) < 8 * seconds(lambda: read_run(small)) + 0.1


def test_a_query_beyond_the_largest_block(monkeypatch):
    """The lists are the same whether a query fits into a chunk, is read on to its end, or is cut into pieces."""
    data = falling_query(20_000) + b"r Q0 d 1 1 t\n" + one_query(20_000).replace(b"q ", b"s ")
    expected = list(read_run(data))
    for chunk, block in ((100_000, 64 << 20), (100_000, 1_000_000), (50_000, 50_000)):
        chunks_of(monkeypatch, chunk)
        monkeypatch.setattr(streams, "LARGEST_BLOCK", block)
        assert list(read_run(data)) == expected


def test_a_million_faults():
    problems = problems_of(read_run, RUN + b"q Q0 d 1 x t\n" * 300_000)
    assert len(problems) == 21
    assert problems[-1] == "... and 599,979 more problems"
