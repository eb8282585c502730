"""Power: the smallest difference that each significance test detects, and the queries that a difference needs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff.errors import UsageError
from runoff.significance._base import whole_differences
from runoff.significance.rank_sum import mid_ranks, u_variance

POWER: Final = 0.8
"""The probability of finding a true difference that everything shown is for."""
TESTS_OF_MEANS: Final = ("t", "randomization", "bootstrap")
"""These look at the mean difference; with many queries they detect the same."""
TESTS: Final = ("t", "signed_rank", "rank_sum", "sign", "randomization", "bootstrap")
"""Tests with a formula for their power, in the order of display; a test may have none."""

MOST_EXACT: Final = 100_000
"""Votes above which the normal law replaces the binomial one."""
MOST_NONCENTRAL: Final = 100_000
"""Queries above which the normal limit replaces the noncentral t; at level 0.05 they agree to 1e-10 there."""
MOST_CRITICAL: Final = 1e4
"""Critical t above which only the spread counts, not the mean's own error: 2 queries at a level below 1e-4."""
MOST_QUERIES: Final = 10**12
"""More than anybody will ever have: the answer for whatever needs more."""
SAME: Final = 1e-9
"""Rounding of a smallest difference, as a share, so that it needs exactly the queries that it is the smallest of."""
MOST_VOTES: Final = 1e12
"""More than anybody will ever have: such a difference is none."""
MOST_STRENGTH: Final = 20.0
"""tanh of it is 1 in float64."""


@dataclass(frozen=True, kw_only=True)
class Power:
    """What one test can detect with these queries.

    kind        difference: of two means; share: of the votes
    n           the queries, or votes, that it rests on
    observed    the difference of the means, or the larger side's share
    difference  what `needed` is for: the size of the observed value unless another was asked for
    smallest    the smallest true value that the test at `level` finds with probability `power`; None if it finds none
    needed      the queries, or votes, for which `difference` would be the smallest; None if it is no difference
    varies      whether any query differs, or votes; else nothing is known
    """

    test: str
    kind: Literal["difference", "share"]
    n: int
    observed: float
    difference: float
    smallest: float | None
    needed: int | None
    level: float
    power: float
    varies: bool


def score_powers(
    champion: ArrayLike,
    challenger: ArrayLike,
    *,
    difference: float | None = None,
    tests: Sequence[str] = TESTS,
    level: float = 0.05,
    power: float = POWER,
) -> dict[str, Power]:
    """The smallest difference of two runs' means that each test detects with these queries.

    The tests of means (t, randomization, bootstrap) by the t test, with the observed spread as the true one:

        smallest = f sd(differences) / sqrt(n);  P(T > t(1 - level / 2, n - 1)) = power
        T of the noncentral t law with n - 1 degrees of freedom and noncentrality f (`student_factor`)

    The others look at ranks or signs, so it matters how a difference comes about. Here the two scores of a query are
    dealt out with a lead of the better run that grows with the square root of their difference d: scores stay those of
    the data, and ties stay ties.

        P(the challenger has the better score) = (1 + x) / 2,  x = tanh(c sqrt |d|);  difference = mean of x |d|
        sign         wins are binomial with the mean share (1 + x) / 2
        signed_rank  R the ranks of |d|
        rank_sum     R the rank of the query's better score minus that of its worse one, among all 2 n
        c such that  sum x R = 2 z(1 - level / 2) sd(sum if runs are the same) + z(power) sqrt(sum (1 - x^2) R^2)

    That sd is the test's own: rank_sum takes the two runs for independent, and so needs more. Between a lead that is
    the same for all queries and one in proportion to |d|, the root is what pairs of TREC runs look like
    (docs/method/significance.md).

    Cohen 1988, Statistical power analysis for the behavioral sciences, ISBN 978-0-8058-0283-2; for retrieval: Webber,
    Moffat & Zobel 2008, https://doi.org/10.1145/1458082.1458158; ranks: Noether 1987, Sample size determination for
    some common nonparametric tests, https://doi.org/10.1080/01621459.1987.10478478

    >>> powers = score_powers([0.2, 0.5, 0.1, 0.4] * 25, [0.3, 0.5, 0.2, 0.3] * 25, tests=("t", "sign"))
    >>> {name: (round(power.smallest, 4), power.needed) for name, power in powers.items()}
    {'t': (0.0236, 90), 'sign': (0.0248, 96)}
    """
    unknown = [name for name in tests if name not in TESTS]
    if unknown:
        raise UsageError(f"no test is called '{unknown[0]}'; expected some of {', '.join(TESTS)}; choose from these")
    first, second = (np.asarray(values, dtype=np.float64) for values in (champion, challenger))
    if first.ndim != 1 or first.shape != second.shape or len(first) < 2:
        raise UsageError(
            f"scores of shapes {first.shape} and {second.shape}; expected those of two runs for the same queries, two "
            "at least; score both runs on the same query set"
        )
    n, differences = len(first), second - first
    mean, deviation = float(differences.mean()), float(differences.std(ddof=1))
    # Ties are those of the measure, as in the tests: rounding noise is no difference, and breaks no tie of sizes.
    sizes = np.where(whole_differences(first, second) == 0, 0.0, np.abs(differences))
    varies = bool(sizes.any())
    wanted = abs(mean if difference is None else difference)
    factor = student_factor(n, level, power)
    powers = {}
    for name in tests:
        smallest: float | None = None
        needed: int | None = None
        if varies and name in TESTS_OF_MEANS:
            smallest = factor * deviation / math.sqrt(n)
            needed = needed_queries(wanted / deviation, level, power) if wanted and deviation else None
        elif varies:
            test = _Votes.of(sizes) if name == "sign" else _Ranks.of(name, first, second)
            strength = test.strength(level, power)
            smallest = None if strength is None else float(leads(sizes, strength) @ sizes) / n
            needed = test.needed(_strength_of(sizes, wanted), level, power) if wanted else None
        powers[name] = Power(
            test=name,
            kind="difference",
            n=n,
            observed=mean,
            difference=wanted,
            smallest=smallest,
            needed=needed,
            level=level,
            power=power,
            varies=varies,
        )
    return powers


def vote_power(wins: int, losses: int, *, level: float = 0.05, power: float = POWER) -> Power:
    """The smallest share of votes that a two-sided sign test detects, exactly.

    The votes are the queries on which one run finds more, or those that IPSO orders.

    >>> vote_power(60, 40).needed, round(vote_power(60, 40).smallest, 3)
    (203, 0.645)
    """
    _check_level(level, power)
    if min(wins, losses) < 0:
        raise UsageError(f"{wins} wins and {losses} losses cannot be used; expected counts of 0 or more")
    votes, most = wins + losses, max(wins, losses)
    share = most / votes if votes else 0.5
    return Power(
        test="sign",
        kind="share",
        n=votes,
        observed=share,
        difference=share,
        smallest=smallest_share(votes, level, power),
        needed=needed_votes(share, level, power),
        level=level,
        power=power,
        varies=votes > 0,
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
    """The probability that a two-sided sign test of n votes is significant for the larger side."""
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
    """The smallest true share of the larger side that a sign test of n votes finds; None if 1 will not do."""
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


def leads(sizes: NDArray[np.float64], strength: float) -> NDArray[np.float64]:
    """Per query, the chance that the better run has the better score minus the chance that it has the worse one."""
    lead: NDArray[np.float64] = np.tanh(strength * np.sqrt(sizes))
    return lead


def _strength_of(sizes: NDArray[np.float64], difference: float) -> float:
    """The strength of leads that make a difference; the largest one where no strength makes so large a difference."""
    return _root(lambda strength: float(leads(sizes, strength) @ sizes) / len(sizes) - difference, sizes)


def _root(rises: Callable[[float], float], sizes: NDArray[np.float64]) -> float:
    """Where a function of the strength becomes 0; the strength at which every lead is 1 if it does not."""
    from scipy.optimize import brentq

    if rises(0.0) >= 0.0:
        return 0.0  # a power that chance has
    most = MOST_STRENGTH / math.sqrt(float(sizes[sizes > 0.0].min()))
    return float(brentq(rises, 0.0, most, xtol=1e-12, rtol=1e-10)) if rises(most) > 0.0 else most


@dataclass(frozen=True, eq=False, kw_only=True)
class _Votes:
    """The sign test."""

    n: int
    sizes: NDArray[np.float64]

    @classmethod
    def of(cls, sizes: NDArray[np.float64]) -> _Votes:
        return cls(n=len(sizes), sizes=sizes[sizes > 0.0])

    def strength(self, level: float, power: float) -> float | None:
        share = smallest_share(len(self.sizes), level, power)
        if share is None:
            return None
        return _root(lambda strength: float(leads(self.sizes, strength).mean()) - (2.0 * share - 1.0), self.sizes)

    def needed(self, strength: float, level: float, power: float) -> int | None:
        votes = needed_votes((1.0 + float(leads(self.sizes, strength).mean())) / 2, level, power)
        return None if votes is None else math.ceil(votes * self.n / len(self.sizes))


@dataclass(frozen=True, eq=False, kw_only=True)
class _Ranks:
    """A sum of ranks; `null` is its standard deviation where the runs are the same, as the test takes it, times two."""

    n: int
    null: float
    sizes: NDArray[np.float64]
    ranks: NDArray[np.float64]

    @classmethod
    def of(cls, name: str, first: NDArray[np.float64], second: NDArray[np.float64]) -> _Ranks:
        n, sizes, whole = len(first), np.abs(second - first), np.abs(whole_differences(first, second))
        differ = whole > 0
        if name == "signed_rank":
            ranks = mid_ranks(np.sort(whole[differ]), whole[differ])
            return cls(n=n, null=math.sqrt(float(ranks @ ranks)), sizes=sizes[differ], ranks=ranks)
        pool = np.sort(np.concatenate([first, second]))
        ranks = np.abs(mid_ranks(pool, second[differ]) - mid_ranks(pool, first[differ]))
        ties = np.unique(pool, return_counts=True)[1].astype(np.float64)
        null = 2.0 * math.sqrt(float(u_variance((ties**3 - ties).sum(), n)))
        return cls(n=n, null=null, sizes=sizes[differ], ranks=ranks)

    def strength(self, level: float, power: float) -> float | None:
        if self._excess(math.inf, level, power) <= 0.0:
            return None
        return _root(lambda strength: self._excess(strength, level, power), self.sizes)

    def needed(self, strength: float, level: float, power: float) -> int:
        """The sum grows with the square of the queries, its deviations with the power 3/2."""
        total, bar = self._sides(strength, level, power)
        most = total * math.sqrt(MOST_QUERIES / self.n)
        return MOST_QUERIES if bar >= most else math.ceil(self.n * (bar / total) ** 2)

    def _excess(self, strength: float, level: float, power: float) -> float:
        total, bar = self._sides(strength, level, power)
        return total - bar

    def _sides(self, strength: float, level: float, power: float) -> tuple[float, float]:
        from scipy.special import ndtri

        lead = leads(self.sizes, strength)
        own = math.sqrt(max(float((self.ranks * self.ranks) @ (1.0 - lead * lead)), 0.0))
        return float(lead @ self.ranks), -float(ndtri(level / 2)) * self.null + float(ndtri(power)) * own
