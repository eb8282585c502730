"""Resolution: the smallest difference that a query set can detect, and the queries that a difference needs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from runoff.errors import UsageError

MOST_EXACT: Final = 100_000
"""Votes from which on the normal law is taken for the binomial one."""
MOST_NONCENTRAL: Final = 100_000
"""Queries from which on the normal limit is taken for the noncentral t; at level 0.05 they agree to 1e-10 there."""
MOST_CRITICAL: Final = 1e4
"""Critical t from which on only the spread counts, not the mean's own error: 2 queries at a level below 1e-4."""
MOST_QUERIES: Final = 10**12
"""More than anybody will ever have: what needs more is said to need so many."""
SAME: Final = 1e-9
"""Rounding of a smallest difference, as a share: so that it needs just the queries that it is the smallest of."""
MOST_VOTES: Final = 1e12
"""More than anybody will ever have: such a difference is none."""


@dataclass(frozen=True, kw_only=True)
class ResolutionResult:
    """What these queries could have shown.

    deviation  the standard deviation of the differences over queries
    smallest   the smallest true difference that a t test at `level` finds with probability `power`
    needed     the fewest queries with which it finds the observed difference so; None if that is 0 or never varies
    """

    n: int
    difference: float
    deviation: float
    level: float
    power: float
    smallest: float
    needed: int | None


def resolution(
    champion: ArrayLike, challenger: ArrayLike, *, level: float = 0.05, power: float = 0.8
) -> ResolutionResult:
    """The smallest difference of two runs' means that these queries detect.

        smallest = f sd(differences) / sqrt(n);  P(T > t(1 - level / 2, n - 1)) = power
        T of the noncentral t law with n - 1 degrees of freedom and noncentrality f (`student_factor`)

    For the true spread being the observed one. For other tests: `resolution_by_test`.

    Cohen 1988, Statistical power analysis for the behavioral sciences, ISBN 978-0-8058-0283-2; for retrieval: Webber,
    Moffat & Zobel 2008, https://doi.org/10.1145/1458082.1458158

    >>> result = resolution([0.2, 0.5, 0.1, 0.4] * 25, [0.3, 0.5, 0.2, 0.3] * 25)
    >>> round(result.difference, 3), round(result.smallest, 4), result.needed
    (0.025, 0.0236, 90)
    """
    first, second = (np.asarray(values, dtype=np.float64) for values in (champion, challenger))
    if first.ndim != 1 or first.shape != second.shape or len(first) < 2:
        raise UsageError(
            f"scores of shapes {first.shape} and {second.shape}; expected those of two runs for the same queries, two "
            "at least; score both runs on the same query set"
        )
    differences = second - first
    mean, deviation = float(differences.mean()), float(differences.std(ddof=1))
    factor = student_factor(len(differences), level, power)
    return ResolutionResult(
        n=len(differences),
        difference=mean,
        deviation=deviation,
        level=level,
        power=power,
        smallest=factor * deviation / math.sqrt(len(differences)),
        needed=needed_queries(abs(mean) / deviation, level, power) if mean and deviation else None,
    )


@dataclass(frozen=True, kw_only=True)
class VoteResolutionResult:
    """The same for votes: the *only* cases of outcomes, or the queries that IPSO orders.

    votes     queries that vote
    share     the larger side's share of them
    smallest  the smallest true share of the larger side that a sign test finds with probability `power`; None if even
              1 would not do
    needed    votes for which the observed share would be the smallest; None if it is one half
    """

    votes: int
    share: float
    level: float
    power: float
    smallest: float | None
    needed: int | None


def vote_resolution(wins: int, losses: int, *, level: float = 0.05, power: float = 0.8) -> VoteResolutionResult:
    """The smallest share of votes that a two-sided sign test detects, exactly.

    >>> vote_resolution(60, 40).needed, round(vote_resolution(60, 40).smallest, 3)
    (203, 0.645)
    """
    _check_level(level, power)
    if min(wins, losses) < 0:
        raise UsageError(f"{wins} wins and {losses} losses cannot be used; expected counts of 0 or more")
    votes, most = wins + losses, max(wins, losses)
    share = most / votes if votes else 0.5
    return VoteResolutionResult(
        votes=votes,
        share=share,
        level=level,
        power=power,
        smallest=smallest_share(votes, level, power),
        needed=needed_votes(share, level, power),
    )


@lru_cache(maxsize=4096)
def student_factor(n: int, level: float, power: float) -> float:
    """How many standard errors a difference must be for a t test of n queries to find it.

        f such that P(T > t) = power, T noncentral t with v = n - 1 degrees of freedom and noncentrality f
        t = the 1 - level / 2 quantile of Student's t with v degrees of freedom
        from 100,000 queries on: f = t (1 - 1 / (4 v)) + z(power) sqrt(1 + t^2 / (2 v))

    To find is to be significant in the right direction. The other tail, which a two-sided power counts too, is below
    1e-6 at level 0.05 with 80% power, for any n.

    Johnson, Kotz & Balakrishnan 1995, Continuous univariate distributions 2, ch. 31, ISBN 978-0-471-58494-0; the limit:
    Abramowitz & Stegun 1964, Handbook of mathematical functions, 26.7.10, ISBN 978-0-486-61272-0

    >>> [round(student_factor(n, 0.05, 0.8), 4) for n in (5, 25, 50, 1000, 10**9)]
    [3.7611, 2.9201, 2.858, 2.8043, 2.8016]
    """
    from scipy.optimize import brentq
    from scipy.special import chdtri, nctdtr, ndtri, stdtrit

    _check_level(level, power)
    if power <= level / 2:
        return 0.0  # no difference is found as often by chance
    freedom, missed = n - 1, 1.0 - power
    critical = -float(stdtrit(freedom, level / 2))
    if n > MOST_NONCENTRAL:
        spread = math.sqrt(1.0 + critical * critical / (2.0 * freedom))
        return max(critical * (1.0 - 0.25 / freedom) + float(ndtri(power)) * spread, 0.0)
    if critical > MOST_CRITICAL:
        return critical * math.sqrt(float(chdtri(freedom, missed)) / freedom)
    # Half of what may be missed for a spread beyond its quantile, half for a mean below its own: enough for certain.
    enough = critical * math.sqrt(float(chdtri(freedom, missed / 2)) / freedom) - float(ndtri(missed / 2))
    return float(brentq(lambda factor: float(nctdtr(freedom, factor, critical)) - missed, 0.0, enough, xtol=1e-12))


def needed_queries(ratio: float, level: float, power: float) -> int:
    """The fewest queries, two at least, with which a t test finds a difference of `ratio` standard deviations.

        the smallest n with ratio sqrt(n) >= student_factor(n);  the left side rises with n and the right side falls

    >>> needed_queries(0.5, 0.05, 0.8), needed_queries(0.01, 0.05, 0.8)
    (34, 78491)
    """

    def is_enough(n: int) -> bool:
        return ratio * math.sqrt(n) * (1.0 + SAME) >= student_factor(n, level, power)

    if ratio * math.sqrt(MOST_QUERIES) <= power_factor(level, power):
        return MOST_QUERIES
    # Few queries need up to a handful more than by the normal law.
    high = max(math.ceil((max(power_factor(level, power), 0.0) / ratio) ** 2), 2)
    low, step = high - 1, 4
    if low < 2 or is_enough(low):
        low = 1
    while not is_enough(high):
        low, high, step = high, high + step, 2 * step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


def power_factor(level: float, power: float) -> float:
    """z(1 - level / 2) + z(power): how many standard errors a difference must be where the queries are many.

    >>> round(power_factor(0.05, 0.8), 4)
    2.8016
    """
    from scipy.special import ndtri

    _check_level(level, power)
    return float(ndtri(power) - ndtri(level / 2))


def sign_power(votes: int, share: float, level: float) -> float:
    """The probability that a two-sided sign test of so many votes is significant for the larger side."""
    from scipy.special import bdtrc

    bar = _bar(votes, level)
    return 0.0 if bar is None else 1.0 if bar == 0 else float(bdtrc(bar - 1, votes, share))


def _bar(votes: int, level: float) -> int | None:
    """The fewest wins that are significant; None if no number is."""
    from scipy.special import bdtrc, ndtri

    def is_significant(wins: int) -> bool:
        return wins > votes / 2 and 2.0 * float(bdtrc(wins - 1, votes, 0.5)) < level

    bar = min(max(math.ceil(votes / 2 - float(ndtri(level / 2)) * math.sqrt(votes) / 2), 1), votes)
    while bar > 1 and is_significant(bar - 1):
        bar -= 1
    while bar <= votes and not is_significant(bar):
        bar += 1
    return bar if bar <= votes else None


def smallest_share(votes: int, level: float, power: float) -> float | None:
    """The smallest true share of the larger side that a sign test of so many votes finds; None if 1 will not do."""
    if not votes or _bar(votes, level) is None:
        return None
    low, high = 0.5, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if sign_power(votes, middle, level) >= power else (middle, high)
    return high


def needed_votes(share: float, level: float, power: float) -> int | None:
    """The fewest votes from which on the power is always reached, to within the steps of whole numbers.

    From 100,000 votes on by the normal law, which is within half a percent there.
    """
    from scipy.special import ndtri

    if share <= 0.5:
        return None
    spread = -float(ndtri(level / 2)) / 2 + float(ndtri(power)) * math.sqrt(share * (1.0 - share))
    about = (spread / (share - 0.5)) ** 2
    if about > MOST_EXACT:
        return math.ceil(about) if about < MOST_VOTES else None
    high = 1
    while sign_power(high, share, level) < power or sign_power(high + 1, share, level) < power:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if sign_power(middle, share, level) >= power else (middle, high)
    return high


def _check_level(level: float, power: float) -> None:
    if not (0.0 < level < 1.0 and 0.0 < power < 1.0):
        raise UsageError(f"level={level} and power={power} cannot be used; expected numbers between 0 and 1")
