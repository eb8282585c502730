"""Sums and counts over both halves of many splits of the queries: by codes of few values, else sorted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.significance._base import in_units, whole_differences
from runoff.significance._intervals import mean_and_error
from runoff.significance.all_pairs import CANCELLED, MOST_DISTINCT, MOST_SIZES
from runoff.significance.paired_t import student_statistic
from runoff.tables.memory import keep_freed_memory

LOOK_CELLS: Final = 1 << 20  # scores looked at at once


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoreTable:
    """The distinct scores of a board, ascending, and the sizes of their differences without 0, ascending.

    differences  code of values[j] - values[i] at [i x values + j]: 0 is a tie, 1..s a win by the s sizes, s + 1..2 s a
                 loss

    Differences are the same if they are so in whole numbers of 1e-10 of the largest score: 1/2 - 1/3 and 1/3 - 1/6.
    """

    values: NDArray[np.float64]
    differences: NDArray[np.intp]
    sizes: NDArray[np.float64]

    @property
    def width(self) -> int:
        """How many codes differences have."""
        return 2 * len(self.sizes) + 1

    def codes(self, scores: NDArray[np.float64]) -> NDArray[np.unsignedinteger]:
        """Scores (queries, runs) as places in the list of values: (runs, queries), of the smallest type."""
        places = np.searchsorted(self.values, scores.T)
        return places.astype(np.min_scalar_type(len(self.values)))

    def pair(self, codes: NDArray[np.unsignedinteger], others: NDArray[np.unsignedinteger]) -> NDArray[np.intp]:
        """The codes of what other scores are higher by."""
        places = codes.astype(np.intp)
        places *= len(self.values)
        places += others
        return self.differences[places]


def score_table(scores: NDArray[np.float64]) -> ScoreTable | None:
    """The table of the scores of a board, queries x runs; None if they have too many values, so that sorting is better.

    >>> table = score_table(np.array([[1.0, 0.5], [0.0, 0.5]] * 4))
    >>> table.values.tolist(), table.sizes.tolist(), table.differences.reshape(3, 3).tolist()
    ([0.0, 0.5, 1.0], [0.5, 1.0], [[0, 1, 2], [3, 0, 1], [4, 3, 0]])
    """
    values = np.zeros(0)
    rows = max(1, LOOK_CELLS // scores.shape[1])
    for low in range(0, len(scores), rows):
        values = np.union1d(values, scores[low : low + rows])
        if len(values) > MOST_DISTINCT:
            return None
    differences, sizes = coded((values[None, :] - values[:, None]).ravel(), float(np.abs(values).max()))
    if len(sizes) > MOST_SIZES * len(scores):
        return None
    return ScoreTable(values=values, differences=differences, sizes=sizes)


def coded(differences: NDArray[np.float64], size: float) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Differences as codes, see `ScoreTable`, and their sizes without 0; `size` is the largest score."""
    whole = np.append(in_units(differences, size), 0)  # with 0, which comes first
    sizes, first, places = np.unique(np.abs(whole), return_index=True, return_inverse=True)
    return np.where(whole >= 0, places, len(sizes) - 1 + places)[:-1], np.abs(differences)[first[1:]]


EXACT_BITS: Final = 53  # whole numbers below 2^53 are exact in float64


@dataclass(frozen=True, eq=False)
class PackedSplits:
    """Splits of some queries.

    packed  float64, packs x queries: the 0 and 1 of `fields` splits, each in `bits` bits of its own
    """

    splits: int
    packed: NDArray[np.float64]
    bits: int
    fields: int

    @classmethod
    def of(cls, in_first: NDArray[np.bool_]) -> PackedSplits:
        """From bool, splits x queries: whether a query is in the first half."""
        bits = max(int(in_first.sum(axis=1).max()).bit_length(), 1)
        fields = EXACT_BITS // bits
        packs = -(-len(in_first) // fields)
        filled = np.zeros((packs * fields, in_first.shape[1]))
        filled[: len(in_first)] = in_first
        places = np.ldexp(1.0, bits * np.arange(fields))
        packed = (filled.reshape(packs, fields, -1) * places[:, None]).sum(axis=1)
        return cls(len(in_first), packed, bits, fields)

    def counts(self, codes: NDArray[np.intp], width: int) -> NDArray[np.int64]:
        """How many queries of the first half have each code below `width`: splits x codes.

        >>> in_first = np.array([[True, True, False], [False, True, True]])
        >>> PackedSplits.of(in_first).counts(np.array([1, 1, 0]), 2).tolist()
        [[0, 2], [1, 1]]
        """
        held = np.stack([np.bincount(codes, pack, minlength=width) for pack in self.packed]).astype(np.int64)
        mask = (1 << self.bits) - 1
        split = np.stack([(held >> self.bits * field) & mask for field in range(self.fields)], axis=1)
        return split.reshape(-1, width)[: self.splits]

    def parts(self, cells: int) -> Iterator[tuple[slice, PackedSplits]]:
        """The splits in parts of about `cells`, and which they are."""
        packs = max(1, cells // self.fields)
        for low in range(0, len(self.packed), packs):
            some = slice(low * self.fields, min((low + packs) * self.fields, self.splits))
            packed = self.packed[low : low + packs]
            yield some, PackedSplits(some.stop - some.start, packed, self.bits, self.fields)


STRETCH: Final = 1 << 13  # values looked at at once, in all splits, so that they stay in the cache


def half_sums(
    champion: NDArray[np.float64], challenger: NDArray[np.float64], in_first: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """What the tests of two runs need of both halves of each split: 7 x 2 halves x splits.

    in_first  bool, splits x queries: whether a query is in the first half

    The rows: queries on which the challenger is higher; and lower; sum of the ranks of the former among all sizes of
    differences but 0; sum of t^3 - t over sizes that t queries share; Student's t; Mann and Whitney's U of the
    challenger; sum of t^3 - t over the scores of both runs that t queries share.

    >>> in_first = np.array([[True, True, False, False]])
    >>> sums = half_sums(np.array([0.1, 0.5, 0.2, 0.3]), np.array([0.4, 0.3, 0.2, 0.9]), in_first)
    >>> sums[[0, 1, 2, 5], :, 0].tolist()
    [[1.0, 1.0], [1.0, 0.0], [2.0, 1.0], [2.0, 2.5]]
    """
    keep_freed_memory()
    differences = challenger - champion
    whole = whole_differences(champion, challenger)
    of_sizes, of_both = _along_sizes(whole, in_first), _along_scores(champion, challenger, in_first)
    return np.stack(
        [
            of_sizes.marked,
            of_sizes.kept - of_sizes.marked,
            (of_sizes.crossed + of_sizes.marked) / 2,  # the mean rank of a tie is (below + up to it + 1) / 2
            of_sizes.cubes - of_sizes.kept,
            _student(differences, in_first),
            (of_both.crossed - of_both.marked**2) / 2,  # without the challenger's own scores below or equal
            of_both.cubes - of_both.kept,
        ]
    )


def _along_sizes(differences: NDArray[np.int64], in_first: NDArray[np.bool_]) -> _Counts:
    """Along the sizes of differences but 0; those above 0 are marked."""
    queries = np.flatnonzero(differences)
    sizes = np.abs(differences[queries])
    order = np.argsort(sizes, kind="stable")
    queries = queries[order]
    return _counted(in_first, queries, differences[queries] > 0, np.cumsum(tie_sizes(sizes[order])))


def _along_scores(
    champion: NDArray[np.float64], challenger: NDArray[np.float64], in_first: NDArray[np.bool_]
) -> _Counts:
    """Along the scores of both runs; the challenger's are marked."""
    both = np.concatenate([champion, challenger])
    order = np.argsort(both, kind="stable")
    ends = np.cumsum(tie_sizes(both[order]))
    is_challenger = order >= len(champion)
    order[is_challenger] -= len(champion)
    return _counted(in_first, order, is_challenger, ends)


@dataclass(frozen=True, eq=False)
class _Counts:
    """What is counted in each half along some values in order, 2 x splits each.

    kept     values of its queries
    marked   those of them that are marked
    crossed  sum over the marked of the values below, and of those below or equal
    cubes    sum of t^3 over the values that t share
    """

    kept: NDArray[np.float64]
    marked: NDArray[np.float64]
    crossed: NDArray[np.float64]
    cubes: NDArray[np.float64]


def _counted(
    in_first: NDArray[np.bool_], queries: NDArray[np.intp], is_marked: NDArray[np.bool_], ends: NDArray[np.int64]
) -> _Counts:
    """Along values in order: whose they are, whether they are marked, and where each group of equal ones ends."""
    counts, marked, crossed = (np.zeros((2, len(in_first)), dtype=np.int64) for _ in range(3))
    cubes = np.zeros((2, len(in_first)))
    for some, last in _stretches(ends):
        upto, marked_upto, all_marked = _upto(in_first, queries[some], is_marked[some], last)
        for half in range(2):
            if half == 1:  # the rest of each group
                upto, marked_upto = last + 1 - upto, all_marked - marked_upto
            equal = _steps(upto)
            crossed[half] += ((2 * (upto + counts[half][:, None]) - equal) * _steps(marked_upto)).sum(axis=1)
            counts[half] += upto[:, -1]
            marked[half] += marked_upto[:, -1]
            shared = equal.astype(np.float64)
            cubes[half] += (shared * shared * shared).sum(axis=1)
    return _Counts(counts.astype(np.float64), marked.astype(np.float64), crossed.astype(np.float64), cubes)


def _upto(
    in_first: NDArray[np.bool_], queries: NDArray[np.intp], is_marked: NDArray[np.bool_], last: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Up to the last value of each group: those of first halves, the marked of them, splits x groups; all marked."""
    if len(last) == 1:  # such as all queries that score 0: too many to be looked at at once
        counts, marked = np.zeros((2, len(in_first), 1), dtype=np.int64)
        for low in range(0, len(queries), STRETCH):
            first = np.take(in_first, queries[low : low + STRETCH], axis=1)
            counts[:, 0] += first.sum(axis=1)
            marked[:, 0] += (first & is_marked[low : low + STRETCH]).sum(axis=1)
        return counts, marked, np.array([is_marked.sum()])
    first = np.take(in_first, queries, axis=1)
    counts, marked = (
        np.take(np.cumsum(mask, axis=1, dtype=np.int64), last, axis=1) for mask in (first, first & is_marked)
    )
    return counts, marked, np.cumsum(is_marked, dtype=np.int64)[last]


def _stretches(ends: NDArray[np.int64]) -> Iterator[tuple[slice, NDArray[np.int64]]]:
    """Some values at a time, whole groups of equal ones: which values, and which of them are the last of their group.

    ends  where each group ends
    """
    group, value = 0, 0
    while group < len(ends):
        behind = max(group + 1, int(np.searchsorted(ends, value + STRETCH, side="right")))
        some = ends[group:behind]
        yield slice(value, int(some[-1])), some - value - 1
        group, value = behind, int(some[-1])


def _steps(upto: NDArray[np.int64]) -> NDArray[np.int64]:
    """What each group adds, splits x groups."""
    steps = upto.copy()
    steps[:, 1:] -= upto[:, :-1]
    return steps


def _student(differences: NDArray[np.float64], in_first: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Student's t of both halves of each split; from the differences themselves where sums lose digits."""
    largest = np.abs(differences).max()
    if largest == 0.0:
        return np.zeros((2, len(in_first)))
    scaled = np.ldexp(differences, -int(np.frexp(largest)[1]))  # squares neither overflow nor vanish
    statistics = np.zeros((2, len(in_first)))
    for split, first in enumerate(in_first):
        for half, half_scores in enumerate((scaled[first], scaled[~first])):
            n, total, squares = len(half_scores), half_scores.sum(), (half_scores * half_scores).sum()
            left = squares - total * total / n
            if left > CANCELLED * squares:
                mean, error = total / n, np.sqrt(left / ((n - 1) * n))
            else:
                mean, error = mean_and_error(half_scores)
            statistics[half, split] = student_statistic(mean, error, n)
    return statistics


def tie_sizes(ordered: NDArray[np.float64] | NDArray[np.int64]) -> NDArray[np.int64]:
    """How many values are equal, for each distinct value of a sorted array.

    >>> tie_sizes(np.array([0.1, 0.1, 0.5, 0.7, 0.7])).tolist()
    [2, 1, 2]
    """
    if not len(ordered):
        return np.zeros(0, dtype=np.int64)
    edges = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    return np.diff(edges, prepend=0, append=len(ordered))
