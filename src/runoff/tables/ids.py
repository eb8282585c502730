"""Ids as bytes: long frozen columns of query or document ids, hashed and compared many at a time.

A column of seven million Python strings costs half a gigabyte and seconds to build. Here the ids are end to end in one
byte buffer, and eight bytes of every id are loaded as one machine word, so that hashing and comparing are array work.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import DTypeLike, NDArray

from runoff.rows import PADDING
from runoff.tables.read_only import ReadOnlyArrays

Bytes = NDArray[np.uint8]
Rows = NDArray[np.int64]
Words = NDArray[np.uint64]

WORD = 8
_KEEP: Words = np.array([(1 << 8 * n) - 1 for n in range(WORD + 1)], dtype=np.uint64)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio, odd: multiplying by it permutes the words
_FOLD = np.uint64(0xD6E8FEB86659FD93)
_HALF = np.uint64(32)
_ROWS_AT_A_TIME = 1 << 16


def numbers_of(values: NDArray[np.generic], dtype: DTypeLike = np.int64) -> NDArray[Any]:
    """Numbers as `runoff.rows` takes them: an array that came from another process may be at an odd address."""
    return np.require(values, dtype=dtype, requirements=("C", "A"))


@dataclass(frozen=True, eq=False)
class Text(ReadOnlyArrays):
    """Bytes with zeros before and behind them, so that more can be loaded at once than there is.

    padded  uint8: a word of zeros, the bytes, PADDING zeros
    """

    padded: Bytes

    def __reduce__(self) -> tuple[object, ...]:
        """How it travels between processes: without the views, which would become copies."""
        return Text, (self.padded,)

    @classmethod
    def of(cls, data: bytes | bytearray | Bytes) -> Text:
        """A copy of some bytes."""
        padded = np.zeros(WORD + len(data) + PADDING, dtype=np.uint8)
        padded[WORD:-PADDING] = np.frombuffer(data, dtype=np.uint8)
        return cls(padded)

    @cached_property
    def bytes(self) -> Bytes:
        """The bytes themselves."""
        return self.padded[WORD:-PADDING]

    @cached_property
    def words_at(self) -> Words:
        """A view whose element i is the little-endian word that starts at byte i; costs nothing."""
        view: Words = np.lib.stride_tricks.as_strided(
            self.padded[WORD : 2 * WORD].view("<u8"), (len(self.padded) - 2 * WORD + 1,), (1,), writeable=False
        )
        return view

    @property
    def padded_bytes(self) -> Bytes:
        """The bytes with the zeros behind them, as `runoff.rows` takes them."""
        return self.padded[WORD:]


def mixed(words: Words) -> Words:
    """Each word scrambled so that all its bits matter; a permutation of the 64-bit words."""
    shifted = words >> _HALF
    mixing = words ^ shifted
    mixing *= _SPREAD
    mixing ^= np.right_shift(mixing, _HALF, out=shifted)
    mixing *= _FOLD
    mixing ^= np.right_shift(mixing, _HALF, out=shifted)
    return mixing


def _kept(words: Words, lengths: Rows) -> Words:
    """The first `lengths` bytes of each word (all eight for more), zeros behind; alters `words`."""
    words &= _KEEP.take(lengths, mode="clip")
    return words


def hash_tokens(text: Text, starts: Rows, lengths: Rows, *, seed: int = 0) -> Words:
    """A 64-bit hash of each token of a text; tokens of at most eight bytes never collide with one another.

    Hashes only narrow a search down: equal hashes are always checked byte by byte before anything is concluded.
    """
    view = text.words_at
    hashes = mixed(_kept(view[starts], lengths) ^ np.uint64(seed))
    longer = np.flatnonzero(lengths > WORD)
    offset = WORD
    while longer.size:
        rest = lengths[longer] - offset
        word = _kept(view[starts[longer] + offset], rest)
        hashes[longer] = mixed(hashes[longer] * _SPREAD + word)
        longer = longer[rest > WORD]
        offset += WORD
    return hashes


def equal_tokens(
    text: Text, starts: Rows, lengths: Rows, other_text: Text, other_starts: Rows, other_lengths: Rows
) -> NDArray[np.bool_]:
    """Whether each token is, byte for byte, the token at the same place of the other columns."""
    view, other_view = text.words_at, other_text.words_at
    equal: NDArray[np.bool_] = lengths == other_lengths
    open_rows = np.flatnonzero(equal)
    offset = 0
    while open_rows.size:
        rest = lengths[open_rows] - offset
        word = _kept(view[starts[open_rows] + offset], rest)
        same = word == _kept(other_view[other_starts[open_rows] + offset], rest)
        equal[open_rows[~same]] = False
        open_rows = open_rows[same & (rest > WORD)]
        offset += WORD
    return equal


def starts_of_blocks(text: Text, starts: Rows, lengths: Rows) -> Rows:
    """The rows whose token differs from the token of the row before; row 0 is always one of them."""
    if not starts.size:
        return np.zeros(0, dtype=np.int64)
    first_words = _kept(text.words_at[starts], lengths)
    differs = first_words[1:] != first_words[:-1]
    unsure = np.flatnonzero(~differs & ((lengths[1:] > WORD) | (lengths[:-1] > WORD)))
    if unsure.size:
        before, here = (starts[unsure], lengths[unsure]), (starts[unsure + 1], lengths[unsure + 1])
        differs[unsure] = ~equal_tokens(text, *before, text, *here)
    return np.concatenate([np.zeros(1, dtype=np.int64), np.flatnonzero(differs) + 1])


@dataclass(frozen=True, eq=False)
class Ids(ReadOnlyArrays, Sequence[str]):
    """A frozen column of ids.

    text    the ids' UTF-8 bytes end to end
    bounds  int64, ids + 1: id i is text.bytes[bounds[i]:bounds[i + 1]]

    >>> ids = Ids.of(["D7", "D12"])
    >>> ids[1], list(ids.take(np.array([1, 0])))
    ('D12', ['D12', 'D7'])
    """

    text: Text
    bounds: Rows

    def __reduce__(self) -> tuple[object, ...]:
        """How it travels between processes."""
        return Ids, (self.text, self.bounds)

    @classmethod
    def of(cls, ids: Iterable[str]) -> Ids:
        """The column of some Python strings."""
        tokens = list(ids)
        text = "".join(tokens)
        encoded: Sequence[str | bytes] = tokens if text.isascii() else [token.encode() for token in tokens]
        bounds = np.zeros(len(tokens) + 1, dtype=np.int64)
        np.cumsum(np.fromiter(map(len, encoded), dtype=np.int64, count=len(tokens)), out=bounds[1:])
        return cls(Text.of(text.encode()), bounds)

    @classmethod
    def packed(cls, padded: object, bounds: object) -> Ids:
        """The column that `runoff.rows` gives as two buffers."""
        return cls(Text(np.frombuffer(padded, dtype=np.uint8)), np.frombuffer(bounds, dtype=np.int64))  # type: ignore[call-overload]

    @classmethod
    def cut(cls, text: Text, starts: Rows, lengths: Rows) -> Ids:
        """The column of some tokens of a text, copied out of it."""
        bounds = np.zeros(len(starts) + 1, dtype=np.int64)
        np.cumsum(lengths, out=bounds[1:])
        packed = np.zeros(WORD + int(bounds[-1]) + PADDING, dtype=np.uint8)
        for first in range(0, len(starts), _ROWS_AT_A_TIME):
            some = slice(first, first + _ROWS_AT_A_TIME)
            begin, end = int(bounds[first]), int(bounds[min(first + _ROWS_AT_A_TIME, len(starts))])
            places = np.arange(begin, end)
            places += np.repeat(starts[some] - bounds[:-1][some], lengths[some])
            packed[WORD + begin : WORD + end] = text.bytes[places]
        return cls(Text(packed), bounds)

    @classmethod
    def joined(cls, columns: Sequence[Ids]) -> Ids:
        """Several columns, one behind the other."""
        offsets = np.cumsum([0, *(len(column.text.bytes) for column in columns)])
        bounds = [column.bounds[:-1] + offset for column, offset in zip(columns, offsets, strict=False)]
        before, behind = np.zeros(WORD, dtype=np.uint8), np.zeros(PADDING, dtype=np.uint8)
        padded = np.concatenate([before, *(column.text.bytes for column in columns), behind])
        return cls(Text(padded), np.concatenate([*bounds, offsets[-1:]]).astype(np.int64))

    @property
    def starts(self) -> Rows:
        """Where each id begins."""
        return self.bounds[:-1]

    @cached_property
    def lengths(self) -> Rows:
        """How many bytes each id has."""
        return np.diff(self.bounds)

    def __len__(self) -> int:
        return len(self.bounds) - 1

    @overload
    def __getitem__(self, row: int) -> str: ...

    @overload
    def __getitem__(self, row: slice) -> Ids: ...

    def __getitem__(self, row: int | slice) -> str | Ids:
        if isinstance(row, slice):
            return self.take(np.arange(*row.indices(len(self))))
        if not -len(self) <= row < len(self):
            raise IndexError(row)
        row %= len(self)
        return self.text.bytes[self.bounds[row] : self.bounds[row + 1]].tobytes().decode()

    def __iter__(self) -> Iterator[str]:
        text, bounds = self.text.bytes.tobytes(), self.bounds.tolist()
        return (text[start:end].decode() for start, end in itertools.pairwise(bounds))

    def take(self, rows: Rows) -> Ids:
        """The ids at some rows, in that order."""
        return Ids.cut(self.text, self.starts[rows], self.lengths[rows])

    def hashes(self, *, seed: int = 0) -> Words:
        """A 64-bit hash of each id (see `hash_tokens`)."""
        return hash_tokens(self.text, self.starts, self.lengths, seed=seed)

    def equals(self, rows: Rows, other: Ids, other_rows: Rows) -> NDArray[np.bool_]:
        """Whether the ids at `rows` are, one by one, the other column's ids at `other_rows`."""
        return equal_tokens(
            self.text,
            self.starts[rows],
            self.lengths[rows],
            other.text,
            other.starts[other_rows],
            other.lengths[other_rows],
        )


def intern_tokens(text: Text, starts: Rows, lengths: Rows) -> tuple[Rows, Rows]:
    """The row where each distinct token stands first, in that order, and for every row its place among them.

    Hashes find tokens that may be equal; the bytes decide, and where two tokens share a hash another seed parts them.
    """
    seed = 0
    while True:
        hashes = hash_tokens(text, starts, lengths, seed=seed)
        distinct, places = np.unique(hashes, return_inverse=True)
        firsts = np.empty(len(distinct), dtype=np.int64)
        firsts[places[::-1]] = np.arange(len(starts))[::-1]  # of several rows the one written last, the first, stays
        here = firsts[places]
        if equal_tokens(text, starts, lengths, text, starts[here], lengths[here]).all():
            order = np.argsort(firsts)
            rank = np.empty_like(order)
            rank[order] = np.arange(len(order))
            return firsts[order], rank[places]
        seed += 1


def intern_ids(columns: Sequence[Ids]) -> tuple[Ids, tuple[Rows, ...]]:
    """The distinct ids of some columns, in order of appearance, and for each column the places of its ids among them.

    >>> ids, (first, second) = intern_ids([Ids.of(["b", "a"]), Ids.of(["a", "c", "b"])])
    >>> list(ids), first.tolist(), second.tolist()
    (['b', 'a', 'c'], [0, 1], [1, 2, 0])
    """
    joined = Ids.joined(columns)
    rows, places = intern_tokens(joined.text, joined.starts, joined.lengths)
    ends = np.cumsum([len(column) for column in columns])[:-1]
    return joined.take(rows), tuple(np.split(places, ends))
