"""Whether a significance test says the same of two runs on the other half of the queries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runoff.boards._redraws import HALF_SPLITS
from runoff.errors import UsageError
from runoff.significance import (
    LEAST_QUERIES,
    AllPairsResult,
    half_pairs,
    on_grid,
    rank_sum_all_pairs,
    sign_all_pairs,
    signed_rank_all_pairs,
    t_all_pairs,
)
from runoff.tables.scores import Scores

Aggregate: TypeAlias = Literal["mean", "median"]
Progress: TypeAlias = Callable[[int, int], object]
Halves: TypeAlias = tuple[NDArray[np.intp], NDArray[np.intp]]

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
    scores: Scores, *, level: float, splits: int = 100, seed: int = 0, progress: Progress | None = None
) -> ReliabilityResult:
    """Split the queries at random in two halves, again and again, and see whether the halves say the same.

    scores    at least two runs over at least two queries
    level     a p below it is significant; nothing is decided by it here, but what is counted is defined through it
    splits    random halves; of an odd number n of queries, the first half has n // 2 and the second n - n // 2
    seed      split s has random words of its own: the same halves on any machine
    progress  called with the splits done, and all

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
    counted = _counts_of_many if n // 2 >= LEAST_QUERIES else _counts_of_few
    shares = counted(scores.values, list(_halves(n, splits, seed)), level, progress) / (pairs * splits)
    return ReliabilityResult(
        measure=scores.measure,
        queries=n,
        runs=runs,
        pairs=pairs,
        splits=int(splits),
        level=float(level),
        seed=int(seed),
        tests=tuple(
            RepeatShares(test=test, aggregate=aggregate, agree=agree, partial=partial, disagree=disagree,
                         significant=significant, different=different, tied=tied)
            for (test, aggregate), (agree, partial, disagree, significant, different, tied)
            in zip(COMBINATIONS, shares.tolist(), strict=True)
        ),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Half:
    """What one half says of some pairs: per test whether it is significant, per aggregate who is better (1, 0, -1)."""

    significant: dict[str, NDArray[np.bool_]]
    better: dict[Aggregate, NDArray[np.int8]]


def _counts_of_few(
    values: NDArray[np.float64], halves: Sequence[Halves], level: float, progress: Progress | None
) -> NDArray[np.int64]:
    """The counts of all splits, test by test on each half; p of the signed rank test may be exact."""
    first, second = np.triu_indices(values.shape[1], 1)
    sums = _sums(values, halves)
    counts = np.zeros((len(COMBINATIONS), 6), dtype=np.int64)
    for split, both in enumerate(halves):
        said = []
        for number, half in enumerate(both):
            significant = {test: kernel(values[half]).p[first, second] < level for test, kernel in KERNELS.items()}
            better = {name: one.better(number, split, first, second) for name, one in sums.items()}
            said.append(_Half(significant, better))
        counts += _compare_halves(*said)
        if progress is not None:
            progress(split + 1, len(halves))
    return counts


def _counts_of_many(
    values: NDArray[np.float64], halves: Sequence[Halves], level: float, progress: Progress | None
) -> NDArray[np.int64]:
    """The counts of all splits, pair by pair on all halves at once."""
    n, runs = values.shape
    in_first = np.zeros((len(halves), n), dtype=np.bool_)
    for split, (first, _) in enumerate(halves):
        in_first[split, first] = True
    sums = _sums(values, halves)
    counts = np.zeros((len(COMBINATIONS), 6), dtype=np.int64)
    done = 0
    for found in half_pairs(values, in_first):
        others = np.arange(found.run + 1, runs)
        said = [
            _Half(
                {test: found.p[test][number] < level for test in KERNELS},
                {name: one.better(number, slice(None), found.run, others) for name, one in sums.items()},
            )
            for number in range(2)
        ]
        counts += _compare_halves(*said)
        done += len(others)
        if progress is not None:
            progress(len(halves) * done // (runs * (runs - 1) // 2), len(halves))
    return counts


@dataclass(frozen=True, eq=False)
class _Sums:
    """Sums of whole numbers, 2 halves x splits x runs, of so many terms each.

    Whole numbers add up exactly. Each is off by half a unit at most, so equal sums differ by a unit per term.
    """

    totals: NDArray[np.float64]
    terms: tuple[int, int]

    def better(self, half: int, split: Any, run: Any, other: Any) -> NDArray[np.int8]:
        """Whether the other run is better, 1, or the run, -1, or neither, 0, in one half of some splits."""
        totals = self.totals[half, split]
        run = [run] if isinstance(run, int) else run
        difference = totals[..., other] - totals[..., run]
        return np.where(np.abs(difference) > self.terms[half], np.sign(difference), 0.0).astype(np.int8)


def _sums(values: NDArray[np.float64], halves: Sequence[Halves]) -> dict[Aggregate, _Sums]:
    """What decides by the mean and by the median: the sums of all, and of the two in the middle."""
    n, runs = values.shape
    whole, _ = on_grid(values, n)
    columns = np.ascontiguousarray(whole.T)
    means, medians = np.empty((2, len(halves), runs)), np.empty((2, len(halves), runs))
    for split, both in enumerate(halves):
        for number, half in enumerate(both):
            drawn = columns[:, half]
            middle = [(len(half) - 1) // 2, len(half) // 2]
            means[number, split] = drawn.sum(axis=1)
            medians[number, split] = np.partition(drawn, middle, axis=1)[:, middle].sum(axis=1)
    return {"mean": _Sums(means, (n // 2, n - n // 2)), "median": _Sums(medians, (2, 2))}


def _compare_halves(one: _Half, other: _Half) -> NDArray[np.int64]:
    """Counts of pairs, a row per combination: agree, partial, disagree, significant, different, tied."""
    rows = []
    for test, aggregate in COMBINATIONS:
        both = one.significant[test] & other.significant[test]
        some = one.significant[test] | other.significant[test]
        same = one.better[aggregate] == other.better[aggregate]
        tied = (one.better[aggregate] == 0) | (other.better[aggregate] == 0)
        agree, disagree = same & (both | ~some), ~same & some
        rows.append([agree.sum(), (~agree & ~disagree).sum(), disagree.sum(), some.sum(), (~same).sum(), tied.sum()])
    return np.array(rows, dtype=np.int64)


def _halves(n: int, splits: int, seed: int) -> Iterator[Halves]:
    """The queries of both halves, ascending, of each split: the first half has the smaller random words."""
    for split in range(splits):
        words = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(HALF_SPLITS, split))).random_raw(n)
        order = np.argsort(words, kind="stable")
        yield np.sort(order[: n // 2]), np.sort(order[n // 2 :])


def _check(scores: Scores, level: object, splits: object, seed: object) -> None:
    queries, runs = scores.values.shape
    if queries < 2 or runs < 2:
        raise UsageError(
            f"{runs:,} runs over {queries:,} queries; expected at least two of each, to compare runs on two halves; "
            "give more"
        )
    if not np.isfinite(scores.values).all():
        raise UsageError(
            f"{int((~np.isfinite(scores.values)).sum()):,} scores of {scores.measure} are undefined or infinite; "
            "expected finite numbers; leave those queries out or take another measure"
        )
    if not isinstance(level, float) or not 0.0 < level < 1.0:
        raise UsageError(f"level={level!r} cannot be used; expected a level between 0 and 1; write 0.05")
    for what, value, least in (("splits", splits, 1), ("seed", seed, 0)):
        if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or int(value) < least:
            raise UsageError(f"{what}={value!r} cannot be used; expected a whole number of {least} or more")
