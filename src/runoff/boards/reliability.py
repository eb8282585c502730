"""Whether a significance test says the same of two runs on the other half of the queries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runoff.boards._half_splits import BlockCounts, HalfTiles, Halves, halves, middle_places, sums_of_halves
from runoff.boards._spread import Progress, Spread, here
from runoff.errors import UsageError
from runoff.phrases import counted
from runoff.significance import (
    LEAST_QUERIES,
    AllPairsResult,
    HalfPairsResult,
    half_pairs,
    half_pairs_of_counts,
    on_grid,
    rank_sum_all_pairs,
    score_table,
    sign_all_pairs,
    signed_rank_all_pairs,
    t_all_pairs,
)
from runoff.tables.scores import Scores, slabs

Aggregate: TypeAlias = Literal["mean", "median"]

AT_ONCE: Final = 1 << 14
"""Queries; a board with more is split by blocks of them, in less memory and time."""

KERNELS: Final[dict[str, Callable[[NDArray[np.float64]], AllPairsResult]]] = {
    "sign": sign_all_pairs,
    "rank_sum": rank_sum_all_pairs,
    "signed_rank": signed_rank_all_pairs,
    "t": t_all_pairs,
}
COMBINATIONS: Final[tuple[tuple[str, Aggregate], ...]] = (
    *((test, "mean") for test in KERNELS),
    *((test, "median") for test in KERNELS if test != "t"),  # t is about means
)
"""Test and aggregate, in the order of the columns of the paper's Table 4."""


@dataclass(frozen=True, kw_only=True)
class RepeatShares:
    """How one test with one aggregate repeats: shares of all (split, pair); agree + partial + disagree = 1.

    agree        both halves name the same better run, and both or neither are significant
    partial      the same run and exactly one half is significant, or different runs and neither half is
    disagree     different runs, and at least one half is significant
    significant  at least one half is significant
    different    the halves do not name the same run, significant or not; the same for every test of an aggregate
    tied         in at least one half neither run is better
    """

    test: str
    aggregate: Aggregate
    agree: float
    partial: float
    disagree: float
    significant: float
    different: float
    tied: float


@dataclass(frozen=True, kw_only=True)
class ReliabilityResult:
    """How often each test repeats on the other half; `pairs` counts pairs of runs, `tests` has an entry per column."""

    measure: str
    queries: int
    runs: int
    pairs: int
    splits: int
    level: float
    seed: int
    tests: tuple[RepeatShares, ...]


def reliability(
    scores: Scores,
    *,
    level: float,
    splits: int = 100,
    seed: int = 0,
    progress: Progress | None = None,
    spread: Spread | None = None,
) -> ReliabilityResult:
    """Split the queries at random in two halves, again and again, and see whether the halves say the same.

    scores    at least two runs over at least two queries
    level     a p below it is significant; nothing is decided by it here, but what is counted is defined through it
    splits    random halves; of an odd number n of queries, the first half has n // 2 and the second n - n // 2
    seed      split s has random words of its own: the same halves on any machine
    progress  called with the splits done, and all
    spread    does the work, on a cluster for one, with the same result to the last bit: by blocks of queries where
              scores have few values, as those of RR and P have; else by pairs of runs, since ranks need all queries

    The run with the higher mean, or median, is better. Where they are equal the half names neither run; two halves that
    both name neither say the same, one that names neither and one that names a run do not. Craswell et al. do not say
    what they do then. For means it hardly happens; medians of RR are often equal, and `tied` says how often.

    Craswell et al. 2021, section 4.3 and Table 4, https://doi.org/10.1145/3404835.3462804

    >>> values = np.array([[0.1, 0.3], [0.2, 0.4], [0.1, 0.2], [0.3, 0.6]])
    >>> scores = Scores(measure="AP", query_ids=("1", "2", "3", "4"), runs=("low", "high"), values=values)
    >>> [(line.test, line.agree) for line in reliability(scores, level=0.05).tests][:2]
    [('sign', 1.0), ('rank_sum', 1.0)]
    """
    _check(scores, level, splits, seed)
    n, runs = scores.values.shape
    pairs = runs * (runs - 1) // 2
    counts = _counts(scores.values, level, int(splits), int(seed), progress, spread)
    shares = counts / (pairs * splits)
    return ReliabilityResult(
        measure=scores.measure,
        queries=n,
        runs=runs,
        pairs=pairs,
        splits=int(splits),
        level=float(level),
        seed=int(seed),
        tests=tuple(
            RepeatShares(
                test=test,
                aggregate=aggregate,
                agree=agree,
                partial=partial,
                disagree=disagree,
                significant=significant,
                different=different,
                tied=tied,
            )
            for (test, aggregate), (agree, partial, disagree, significant, different, tied) in zip(
                COMBINATIONS, shares.tolist(), strict=True
            )
        ),
    )


@dataclass(frozen=True, eq=False)
class _Half:
    """What one half says of some pairs: per test whether it is significant, per aggregate who is better (1, 0, -1)."""

    significant: dict[str, NDArray[np.bool_]]
    better: dict[Aggregate, NDArray[np.int8]]


def _counts(
    values: NDArray[np.float64],
    level: float,
    splits: int,
    seed: int,
    progress: Progress | None,
    spread: Spread | None,
) -> NDArray[np.int64]:
    """The counts of all splits, a row per combination."""
    n, runs = values.shape
    if n // 2 < LEAST_QUERIES:
        return _counts_of_few(values, list(halves(n, splits, seed)), level, progress)
    table = score_table(values)
    if table is None:
        tiles = HalfTiles(values, splits=splits, seed=seed, spread=spread or here)
        return _counts_of_many(tiles.pairs(), _Sums.of(tiles.middles(), n), runs, level, progress)
    if spread is not None or n > AT_ONCE:
        counted = BlockCounts(values, table, splits=splits, seed=seed, spread=spread or here)
        scores = counted.scores()
        return _counts_of_many(
            half_pairs_of_counts(counted, scores), _sums_of_counts(table.values, scores, n), runs, level, progress
        )
    in_first = _first_halves(list(halves(n, splits, seed)), n)
    return _counts_of_many(half_pairs(values, in_first), _sums(values, in_first), runs, level, progress)


def _first_halves(both: Sequence[Halves], queries: int) -> NDArray[np.bool_]:
    """Whether each query is in the first half of each split: splits x queries."""
    in_first = np.zeros((len(both), queries), dtype=np.bool_)
    for split, (first, _) in enumerate(both):
        in_first[split, first] = True
    return in_first


def _counts_of_few(
    values: NDArray[np.float64], both: Sequence[Halves], level: float, progress: Progress | None
) -> NDArray[np.int64]:
    """Test by test on each half; p of the signed rank test may be exact."""
    first, second = np.triu_indices(values.shape[1], 1)
    sums = _sums(values, _first_halves(both, len(values)))
    counts = np.zeros((len(COMBINATIONS), 6), dtype=np.int64)
    for split, two in enumerate(both):
        halves = []
        for number, half in enumerate(two):
            significant = {test: kernel(values[half]).p[first, second] < level for test, kernel in KERNELS.items()}
            better = {name: aggregate.better(number, split, first, second) for name, aggregate in sums.items()}
            halves.append(_Half(significant, better))
        counts += _compare_halves(*halves)
        if progress is not None:
            progress(split + 1, len(both))
    return counts


def _counts_of_many(
    results: Iterable[HalfPairsResult],
    sums: dict[Aggregate, _Sums],
    runs: int,
    level: float,
    progress: Progress | None,
) -> NDArray[np.int64]:
    """Some pairs in some splits at once."""
    splits = sums["mean"].totals.shape[1]
    counts = np.zeros((len(COMBINATIONS), 6), dtype=np.int64)
    done = 0
    for result in results:
        halves = [
            _Half(
                {test: result.p[test][number] < level for test in KERNELS},
                {name: each.better(number, result.splits, result.first, result.second) for name, each in sums.items()},
            )
            for number in range(2)
        ]
        counts += _compare_halves(*halves)
        done += result.p["t"][0].size
        if progress is not None:
            progress(done // (runs * (runs - 1) // 2), splits)
    return counts


@dataclass(frozen=True, eq=False)
class _Sums:
    """Sums of whole numbers, 2 halves x splits x runs, each of the given number of terms.

    Whole numbers add up exactly. Each is off by half a unit at most, so equal sums differ by a unit per term.
    """

    totals: NDArray[np.float64]
    terms: tuple[int, int]

    @staticmethod
    def of(sums: NDArray[np.float64], queries: int) -> dict[Aggregate, _Sums]:
        """What decides by the mean and by the median, from `sums_of_halves`."""
        means, medians = sums
        return {"mean": _Sums(means, (queries // 2, queries - queries // 2)), "median": _Sums(medians, (2, 2))}

    def better(self, half: int, split: Any, run: Any, other: Any) -> NDArray[np.int8]:
        """Whether the other run is better, 1, or the run, -1, or neither, 0, in one half of some splits."""
        totals = self.totals[half, split]
        difference = totals[..., other] - totals[..., run]
        return np.where(np.abs(difference) > self.terms[half], np.sign(difference), 0.0).astype(np.int8)


def _sums(values: NDArray[np.float64], in_first: NDArray[np.bool_]) -> dict[Aggregate, _Sums]:
    """The sums of all, and of the two in the middle."""
    whole, _ = on_grid(values, len(values))
    return _Sums.of(sums_of_halves(np.ascontiguousarray(whole.T), in_first), len(values))


def _sums_of_counts(values: NDArray[np.float64], counts: NDArray[np.int64], n: int) -> dict[Aggregate, _Sums]:
    """The same from how often each run has each value, runs x (splits + 1) x values; see `HalfCounts`."""
    whole, _ = on_grid(values, n)
    first = counts[:, :-1]
    means, medians = [], []
    for half, size in ((first, n // 2), (counts[:, -1:] - first, n - n // 2)):
        upto = np.cumsum(half, axis=2)
        places = [(upto <= rank).sum(axis=2) for rank in middle_places(size)]
        means.append(np.einsum("rsk,k->sr", half.astype(np.float64), whole))
        medians.append(sum(whole[place].T for place in places))
    return _Sums.of(np.stack([means, medians]), n)


def _compare_halves(first: _Half, second: _Half) -> NDArray[np.int64]:
    """Counts of pairs, a row per combination: agree, partial, disagree, significant, different, tied."""
    rows = []
    for test, aggregate in COMBINATIONS:
        both = first.significant[test] & second.significant[test]
        some = first.significant[test] | second.significant[test]
        same = first.better[aggregate] == second.better[aggregate]
        tied = (first.better[aggregate] == 0) | (second.better[aggregate] == 0)
        agree, disagree = same & (both | ~some), ~same & some
        rows.append([agree.sum(), (~agree & ~disagree).sum(), disagree.sum(), some.sum(), (~same).sum(), tied.sum()])
    return np.array(rows, dtype=np.int64)


def _check(scores: Scores, level: object, splits: object, seed: object) -> None:
    queries, runs = scores.values.shape
    if queries < 2 or runs < 2:
        raise UsageError(
            f"{counted(runs, 'run')} over {counted(queries, 'query', 'queries')}; expected at least two of each, "
            "to compare runs on two halves; give more"
        )
    bad = sum(int((~np.isfinite(slab)).sum()) for slab in slabs(scores.values))
    if bad:
        raise UsageError(
            f"{bad:,} scores of {scores.measure} are undefined or infinite; "
            "expected finite numbers; leave those queries out or take another measure"
        )
    if not isinstance(level, float) or not 0.0 < level < 1.0:
        raise UsageError(f"level={level!r} cannot be used; expected a level between 0 and 1; write 0.05")
    for name, value, least in (("splits", splits, 1), ("seed", seed, 0)):
        if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or int(value) < least:
            raise UsageError(f"{name}={value!r} cannot be used; expected a whole number of {least} or more")
