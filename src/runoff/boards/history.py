"""History of a board: its records in order of date, which pairs to compare, and the test of a new record."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import groupby
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff.errors import UsageError
from runoff.significance import check_sampling, flip_sums, on_grid
from runoff.tables.board import BoardRun

EQUAL: Final = 1e-9
"""Means that differ by less are the same: sums in another order differ by rounding."""


@dataclass(frozen=True, kw_only=True)
class Record:
    """A run that was the best of the board on its date.

    displaced  the record before it; None for the first
    rivals     how many runs, this one included, were submitted on its date: it was picked as the best of them
    tied       other runs of its date with exactly its mean; the first in the order of the board has the record
    """

    date: date
    name: str
    team: str
    mean: float
    displaced: str | None
    rivals: int
    tied: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class HistoryResult:
    """The records of a board in order of date.

    baseline  the baseline that the first record had to beat, the best of those there on its date, and its mean; None
              if there was none
    runs      how many dated runs, baselines left out, were looked at
    undated   runs that were left out because they have no date
    unscored  runs that were left out because they have no mean
    """

    records: tuple[Record, ...]
    baseline: tuple[str, float] | None
    best_is_low: bool
    runs: int
    undated: tuple[str, ...]
    unscored: tuple[str, ...]

    @property
    def against_first(self) -> tuple[tuple[str, str], ...]:
        """(champion, challenger): the first record and each later one, as in Lin et al.'s Tables 1 and 2."""
        return tuple((self.records[0].name, record.name) for record in self.records[1:])

    @property
    def against_displaced(self) -> tuple[tuple[str, str], ...]:
        """(champion, challenger): each record and the one that displaced it."""
        return tuple((record.displaced, record.name) for record in self.records if record.displaced is not None)

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """All pairs to compare, each once: the second record's champion is both the first and the displaced."""
        return tuple(dict.fromkeys((*self.against_first, *self.against_displaced)))


def history(runs: Sequence[BoardRun], means: Mapping[str, float], *, best_is_low: bool = False) -> HistoryResult:
    """The records of a board: each run that was strictly better than everything before it.

    The first record is the first run that beats all baselines of its date or earlier; a baseline without a date was
    there from the beginning. A baseline is never a record, but a later record has to beat it too. Of the runs of one
    date only the best can be a record, because nobody knows their order within the day.

    means        the mean score of each run, by name
    best_is_low  whether a lower mean is better, as with ESL

    Lin et al. 2021, section 3, https://doi.org/10.48550/arXiv.2102.12887

    >>> runs = [BoardRun(name="bm25", baseline=True)]
    >>> runs += [BoardRun(name=name, date=date(2021, 1, day)) for day, name in enumerate("abcd", start=1)]
    >>> found = history(runs, {"bm25": 0.3, "a": 0.2, "b": 0.4, "c": 0.4, "d": 0.5})
    >>> [(record.name, record.displaced) for record in found.records], found.pairs
    ([('b', None), ('d', 'b')], (('b', 'd'),))
    """
    _check(runs, means)
    sign = -1.0 if best_is_low else 1.0
    scored = [run for run in runs if run.name in means]
    baselines = [run for run in scored if run.baseline]
    dated = sorted((run for run in scored if run.date and not run.baseline), key=lambda run: run.date or date.min)
    records: list[Record] = []
    first_bar: tuple[str, float] | None = None
    for day, group in groupby(dated, key=lambda run: run.date or date.min):
        rivals = list(group)
        best = max(rivals, key=lambda run: sign * means[run.name])
        bars = [run for run in baselines if run.date is None or run.date <= day]
        bar = max(bars, key=lambda run: sign * means[run.name], default=None)
        to_beat = [means[bar.name]] if bar else []
        to_beat += [records[-1].mean] if records else []
        mean = means[best.name]
        if any(sign * (mean - other) <= EQUAL * max(abs(other), 1.0) for other in to_beat):
            continue
        if not records and bar:
            first_bar = bar.name, means[bar.name]
        records.append(
            Record(
                date=day,
                name=best.name,
                team=best.team,
                mean=mean,
                displaced=records[-1].name if records else None,
                rivals=len(rivals),
                tied=tuple(run.name for run in rivals if run is not best and means[run.name] == mean),
            )
        )
    return HistoryResult(
        records=tuple(records),
        baseline=first_bar,
        best_is_low=best_is_low,
        runs=len(dated),
        undated=tuple(run.name for run in scored if run.date is None and not run.baseline),
        unscored=tuple(run.name for run in runs if run.name not in means),
    )


def _check(runs: Sequence[BoardRun], means: Mapping[str, float]) -> None:
    names = [run.name for run in runs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"run '{twice}' is listed twice; expected every run once; rename one")
    for name in names:
        if not math.isfinite(means.get(name, 0.0)):
            raise UsageError(f"the mean of run '{name}' is {means[name]}; expected a finite number; leave the run out")


Method = Literal["auto", "exact", "sampled", "normal"]
MOST_CELLS: Final = 1 << 23
"""Distinct differences times lattice points of an exact distribution: about a tenth of a second."""
SMALLEST_EXACT: Final = 1e-12
"""Below it the rounding of the Fourier transform is as large as the tail: no smaller p is given."""
_SIMPLE: Final = 10**6


@dataclass(frozen=True, kw_only=True)
class RecordTestResult:
    """How surprising a record is.

    difference  the record's mean minus that of the run it displaced, above 0
    plain_p     P(D* >= D), one-sided and not conditional: what a test says that does not know of the selection
    looks       how many runs of the same date the record was picked from
    p           P(D* >= D) / P(D* > 0), times the looks, at most 1
    method      exact, sampled or normal
    trials      sign flips drawn; None unless sampled
    """

    n: int
    difference: float
    plain_p: float
    looks: int
    p: float
    method: str
    trials: int | None = None
    seed: int | None = None


def record_test(
    champion: ArrayLike,
    challenger: ArrayLike,
    *,
    looks: int = 1,
    method: Method = "auto",
    trials: int = 10_000,
    seed: int = 0,
) -> RecordTestResult:
    """Test a record against the run that it displaced, conditional on being higher.

        p = P(D* >= D) / P(D* > 0),  D the sum of differences, D* the same with signs flipped at random

    A record is looked at only because its mean is higher, so half of the sign flips could never have been seen. Without
    the denominator a run that is just as good as the champion would be called better in 2 alpha of the records that
    it sets. Several runs of one date are one look at the best of them: p times their number (Bonferroni).

    The level is exact for two equal runs, and holds whatever other runs there were. A champion that was the best of
    several equal runs was lucky itself, which the test does not use: then p is below 0.05 for 1 to 3% of the records.

    champion, challenger  scores per query, higher is better; the challenger's mean must be higher
    method                auto: exact where the differences are few and simple numbers or there are at most log2(trials)
                          of them, else sampled; normal: for very many queries

    Fisher 1935, The design of experiments, section 21 (sign flips); Fithian, Sun & Taylor 2014 (conditioning on the
    selection), https://doi.org/10.48550/arXiv.1410.2597

    Two gains and no loss are the only way to be ahead by two queries, so a record says nothing more:

    >>> result = record_test([0, 0, 1, 0], [1, 1, 1, 0])
    >>> result.p, result.plain_p, result.method
    (1.0, 0.25, 'exact')
    """
    first, second = (np.asarray(values, dtype=np.float64) for values in (champion, challenger))
    _check_record(first, second, looks, method)
    check_sampling(seed, trials)
    differences = second - first
    left = differences[differences != 0.0]
    above, positive, how = _chances(left, method, trials, seed)
    return RecordTestResult(
        n=len(differences),
        difference=float(differences.mean()),
        plain_p=above,
        looks=int(looks),
        p=min(1.0, looks * above / positive),
        method=how,
        trials=trials if how == "sampled" else None,
        seed=seed if how == "sampled" else None,
    )


def _chances(left: NDArray[np.float64], method: Method, trials: int, seed: int) -> tuple[float, float, str]:
    """P(D* >= D), P(D* > 0), and how they were found."""
    if method in ("auto", "exact"):
        lattice = _lattice(left)
        if lattice is not None:
            return *_exact(*lattice), "exact"
        if 2 ** min(len(left), 64) <= trials:
            return *_flipped(left, 2 ** len(left), None), "exact"
        if method == "exact":
            raise UsageError(
                f"the {len(left):,} differences have too many distinct values for an exact record test; expected few; "
                "take method='sampled'"
            )
    if method == "normal":
        from scipy.special import ndtr

        above = float(ndtr(-left.sum() / math.sqrt(float(left @ left))))
        return max(above, np.finfo(np.float64).tiny), 0.5, "normal"
    return *_flipped(left, trials, seed), "sampled"


def _lattice(left: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64], int] | None:
    """Distinct sizes as whole numbers, how often each occurs, and D; None if they are not simple enough."""
    # Differences of equal fractions, 1 - 1/3 and 2/3, say, are equal up to rounding only.
    sizes, counts = np.unique(np.round(np.abs(left), 12), return_counts=True)
    if len(sizes) > 1000:
        return None
    fractions = [Fraction(float(size)).limit_denominator(_SIMPLE) for size in sizes]
    if any(abs(float(fraction) - size) > 1e-9 * size for fraction, size in zip(fractions, sizes.tolist(), strict=True)):
        return None
    unit = math.lcm(*(fraction.denominator for fraction in fractions))
    whole = [int(fraction * unit) for fraction in fractions]
    if sum(size * count for size, count in zip(whole, counts.tolist(), strict=True)) * len(sizes) > MOST_CELLS:
        return None
    observed = round(float(left.sum()) * unit)
    return np.array(whole, dtype=np.int64), counts.astype(np.int64), observed


def _exact(whole: NDArray[np.int64], counts: NDArray[np.int64], observed: int) -> tuple[float, float]:
    """P(D* >= D) and P(D* > 0) from the whole distribution of D*, by its characteristic function.

    D* = L - 2 T, T the sum of the sizes whose sign is flipped, from 0 to L.
    """
    total = int(whole @ counts)
    length = 1 << max(total + 1, 2).bit_length()
    angles = np.arange(length // 2 + 1) * (math.pi / length)
    transform = np.exp(-1j * angles * total)
    for size, count in zip(whole.tolist(), counts.tolist(), strict=True):
        transform *= np.cos(angles * size) ** count
    chances = np.maximum(np.fft.irfft(transform, n=length)[: total + 1], 0.0)
    above = float(chances[: (total - observed) // 2 + 1].sum())
    even = float(chances[total // 2]) if total % 2 == 0 else 0.0
    return max(above, SMALLEST_EXACT), (1.0 - even) / 2


def _flipped(left: NDArray[np.float64], trials: int, seed: int | None) -> tuple[float, float]:
    """The same from sign flips: all of them, or sampled, where the observed signs count as one more trial."""
    whole, _ = on_grid(left, len(left))
    observed, tolerance = float(whole.sum()), len(left)
    above = positive = 0
    for sums in flip_sums(whole, trials=trials, seed=seed):
        above += int((sums >= observed - tolerance).sum())
        positive += int((sums > tolerance).sum())
    more = 0 if seed is None else 1
    # The ratio of the two is (above + 1) / (positive + 1), which no selection makes too small.
    return (above + more) / (trials + more), (positive + more) / (trials + more)


def _check_record(first: NDArray[np.float64], second: NDArray[np.float64], looks: int, method: str) -> None:
    if first.ndim != 1 or first.shape != second.shape or not first.size:
        raise UsageError(
            f"the champion's scores have shape {first.shape} and the challenger's {second.shape}; expected one score "
            "per query from each; score both runs on the same query set"
        )
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise UsageError("some scores are undefined or infinite; expected finite numbers; leave those queries out")
    if method not in get_args(Method):
        raise UsageError(f"method={method!r} is unknown; expected one of {', '.join(get_args(Method))}; choose one")
    if looks < 1:
        raise UsageError(
            f"looks={looks!r} cannot be used; expected how many runs the record was picked from, 1 or more"
        )
    whole, _ = on_grid(second - first, len(first)) if (second != first).any() else (np.zeros(1), 0)
    if float(whole.sum()) <= len(first) * float((second != first).any()):
        raise UsageError(
            f"the challenger's mean {second.mean():.6g} is not above the champion's {first.mean():.6g}; expected a "
            "record, which is higher; swap them, or compare the runs"
        )
