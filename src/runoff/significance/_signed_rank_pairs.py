"""Signed rank sums of all pairs of runs, counted instead of sorted where scores have few distinct values."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from runoff.significance._input import in_units, whole_differences
from runoff.significance.signed_rank import (
    MOST_EXACT_TIED,
    RankSums,
    SignedRank,
    exact_p,
    normal_p,
    rank_sums,
)

MOST_DISTINCT = 512  # distinct scores; the table of their differences has this number squared of cells
MOST_SIZES = 4  # distinct sizes of differences per query; with more of them, sorting is as fast as counting

Sums = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]


def pair_sums(matrix: NDArray[np.float64], codes: NDArray[np.unsignedinteger], distinct: NDArray[np.float64]) -> Sums:
    """W+, differences that are not 0, and sum of t^3 - t over ties; runs x runs each."""
    runs = matrix.shape[1]
    plus, m, ties = (np.zeros((runs, runs)) for _ in range(3))
    for i, j, first, left, term in _pairs(matrix, codes, distinct):
        plus[i, j], plus[j, i] = first, left * (left + 1) / 2 - first
        m[i, j] = m[j, i] = left
        ties[i, j] = ties[j, i] = term
    return plus, m, ties


def small_sample_pairs(matrix: NDArray[np.float64]) -> Sums:
    """W+, differences that are not 0, and p, for so few queries that p may be exact: all pairs of a run at once."""
    n, runs = matrix.shape
    sums, left, p = np.zeros((runs, runs)), np.zeros((runs, runs)), np.ones((runs, runs))
    columns = np.ascontiguousarray(matrix.T)
    for i in range(runs - 1):
        others = columns[i + 1 :]
        plus, m, ties = _row_sums(np.stack([whole_differences(columns[i], other) for other in others]))
        row = normal_p(plus, m, ties)
        plain = (m == n) & (ties == 0.0)
        for value in np.unique(plus[plain]):
            row[plain & (plus == value)] = exact_p(RankSums(float(value), n, np.ones(n, dtype=np.int64)))
        if n <= MOST_EXACT_TIED:
            for j in np.flatnonzero(~plain):
                row[j] = SignedRank().compare(columns[i], others[j]).p
        sums[i, i + 1 :], sums[i + 1 :, i] = plus, m * (m + 1.0) / 2 - plus
        left[i, i + 1 :] = left[i + 1 :, i] = m
        p[i, i + 1 :] = p[i + 1 :, i] = row
    return sums, left, p


def _row_sums(differences: NDArray[np.int64]) -> Sums:
    """W+, differences that are not 0, and sum of t^3 - t over ties, of every row."""
    n = differences.shape[1]
    sizes = np.abs(differences)
    order = np.argsort(sizes, axis=1)
    ordered, wins = np.take_along_axis(sizes, order, axis=1), np.take_along_axis(differences, order, axis=1) > 0
    is_new = np.ones((len(ordered), n + 1), dtype=np.bool_)
    is_new[:, 1:n] = ordered[:, 1:] != ordered[:, :-1]
    edges = np.arange(n + 1)
    begin = np.maximum.accumulate(np.where(is_new, edges, 0), axis=1)[:, :n]
    end = np.minimum.accumulate(np.where(is_new, edges, n)[:, ::-1], axis=1)[:, ::-1][:, 1:]
    zeros = np.count_nonzero(sizes == 0, axis=1)
    # A mean rank is (values below + values up to it + 1) / 2; the zeros come first and have no rank.
    doubled = np.where(wins, begin + end + 1 - 2 * zeros[:, None], 0).sum(axis=1)
    tied = np.where(ordered > 0, (end - begin).astype(np.float64), 1.0)
    return doubled / 2, (n - zeros).astype(np.float64), (tied * tied - 1.0).sum(axis=1)


def _pairs(
    matrix: NDArray[np.float64], codes: NDArray[np.unsignedinteger], distinct: NDArray[np.float64]
) -> Iterator[tuple[int, int, float, int, float]]:
    if len(distinct) <= MOST_DISTINCT:
        # In whole numbers: 1/2 - 1/3 and 1/3 - 1/6 are the same, and float64 does not know it.
        differences = in_units(distinct[None, :] - distinct[:, None], float(np.abs(distinct).max()))
        sizes, places = np.unique(np.abs(differences), return_inverse=True)
        if len(sizes) <= MOST_SIZES * len(matrix):
            places = places.reshape(differences.shape)
            # 0 is a tie, 1..s a win, s + 1..2 s a loss by the same sizes.
            table = np.where(differences >= 0, places, len(sizes) - 1 + places)
            return _counted(codes, table, len(sizes) - 1)
    return _sorted(np.ascontiguousarray(matrix.T))


def _counted(
    codes: NDArray[np.unsignedinteger], table: NDArray[np.intp], sizes: int
) -> Iterator[tuple[int, int, float, int, float]]:
    """By the histogram of the differences of each pair, looked up from the codes of both scores."""
    runs, n = codes.shape
    columns, cells = codes.astype(np.intp), table.ravel()
    for i in range(runs):
        rows = columns[i] * len(table)
        for j in range(i + 1, runs):
            counts = np.bincount(cells[rows + columns[j]], minlength=2 * sizes + 1)
            wins, tied = counts[1 : sizes + 1], counts[1 : sizes + 1] + counts[sizes + 1 :]
            # A mean rank is (values below + values up to it + 1) / 2; whole numbers until here.
            doubled = int(wins @ (2 * np.cumsum(tied) - tied + 1))
            yield i, j, doubled / 2, n - int(counts[0]), float(_cubes(tied))


def _cubes(tied: NDArray[np.intp]) -> float:
    counts = tied[tied > 1].astype(np.float64)
    return float((counts * (counts * counts - 1.0)).sum())


def _sorted(columns: NDArray[np.float64]) -> Iterator[tuple[int, int, float, int, float]]:
    """By sorting the differences of each pair."""
    for i in range(len(columns)):
        for j in range(i + 1, len(columns)):
            sums = rank_sums(whole_differences(columns[i], columns[j]))
            yield i, j, sums.plus, sums.m, sums.tie_term
