"""Resolution by test: the smallest difference of two runs that each significance test finds with these queries."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff.boards.resolution import MOST_QUERIES, needed_queries, needed_votes, resolution, smallest_share
from runoff.errors import UsageError
from runoff.significance import SIGNIFICANCE_TESTS, whole_differences
from runoff.significance.rank_sum import u_variance

TESTS: Final = tuple(test.name for test in SIGNIFICANCE_TESTS)
"""In the order in which they are shown."""
TESTS_OF_MEANS: Final = ("t", "randomization", "bootstrap")
"""These look at the mean difference, and with many queries they see the same."""

MOST_STRENGTH: Final = 20.0
"""tanh of it is 1 in float64."""


@dataclass(frozen=True, kw_only=True)
class ResolutionByTestResult:
    """What each test could have shown with these queries.

    observed    the difference of the means
    difference  the one that `needed` is for: the observed one unless another was asked for
    size        the mean of the differences without their signs: no difference of means is larger
    smallest    per test the smallest true difference that it finds with probability `power`; None if it finds none
    needed      per test the queries for which `difference` would be the smallest; None if it is 0 or no scores differ
    """

    n: int
    observed: float
    difference: float
    size: float
    level: float
    power: float
    smallest: Mapping[str, float | None]
    needed: Mapping[str, int | None]


def resolution_by_test(
    champion: ArrayLike,
    challenger: ArrayLike,
    *,
    difference: float | None = None,
    tests: Sequence[str] = TESTS,
    level: float = 0.05,
    power: float = 0.8,
) -> ResolutionByTestResult:
    """The smallest difference of two runs' means that each test detects with these queries.

    The tests of means (t, randomization, bootstrap) have what `resolution` says of the t test. The others look at ranks
    or signs, so it matters how a difference comes about. Here the two scores of a query are dealt out with a lead of
    the better run that grows with the root of their difference d: scores stay those of the data, and ties stay ties.

        P(the challenger has the better score) = (1 + x) / 2,  x = tanh(c sqrt |d|);  difference = mean of x |d|
        sign         wins are binomial with the mean share (1 + x) / 2
        signed_rank  R the ranks of |d|
        rank_sum     R the rank of the query's better score minus that of its worse one, among all 2 n
        c such that  sum x R = 2 z(1 - level / 2) sd(sum if runs are the same) + z(power) sqrt(sum (1 - x^2) R^2)

    That sd is the test's own: rank_sum takes the two runs for independent, and so needs more. Between a lead that is
    the same for all queries and one in proportion to |d|, the root is what pairs of TREC runs look like
    (docs/method/significance.md).

    Noether 1987, Sample size determination for some common nonparametric tests,
    https://doi.org/10.1080/01621459.1987.10478478

    >>> found = resolution_by_test([0.2, 0.5, 0.1, 0.4] * 25, [0.3, 0.5, 0.2, 0.3] * 25, tests=("t", "sign"))
    >>> {name: round(value, 4) for name, value in found.smallest.items()}, dict(found.needed)
    ({'t': 0.0236, 'sign': 0.0248}, {'t': 90, 'sign': 96})
    """
    unknown = [name for name in tests if name not in TESTS]
    if unknown:
        raise UsageError(f"no test is called '{unknown[0]}'; expected some of {', '.join(TESTS)}; choose of these")
    means = resolution(champion, challenger, level=level, power=power)
    first, second = (np.asarray(values, dtype=np.float64) for values in (champion, challenger))
    # Ties are those of the measure, as in the tests: rounding noise is no difference, and breaks no tie of sizes.
    sizes = np.where(whole_differences(first, second) == 0, 0.0, np.abs(second - first))
    size = float(sizes.mean())
    wanted = abs(means.difference if difference is None else difference)
    smallest: dict[str, float | None] = {}
    needed: dict[str, int | None] = {}
    for name in tests:
        if not size:
            smallest[name] = needed[name] = None
        elif name in TESTS_OF_MEANS:
            smallest[name] = means.smallest
            varies = wanted and means.deviation
            needed[name] = needed_queries(wanted / means.deviation, level, power) if varies else None
        else:
            found = _Votes.of(sizes) if name == "sign" else _Ranks.of(name, first, second)
            strength = found.strength(level, power)
            smallest[name] = None if strength is None else float(leads(sizes, strength) @ sizes) / means.n
            needed[name] = found.needed(_strength_of(sizes, wanted), level, power) if wanted else None
    return ResolutionByTestResult(
        n=means.n,
        observed=means.difference,
        difference=wanted,
        size=size,
        level=level,
        power=power,
        smallest=smallest,
        needed=needed,
    )


def leads(sizes: NDArray[np.float64], strength: float) -> NDArray[np.float64]:
    """Per query, the chance that the better run has the better score minus the chance that it has the worse one."""
    found: NDArray[np.float64] = np.tanh(strength * np.sqrt(sizes))
    return found


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


def mid_ranks(
    ordered: NDArray[np.float64] | NDArray[np.int64], values: NDArray[np.float64] | NDArray[np.int64]
) -> NDArray[np.float64]:
    """The ranks of values in a sorted array that holds them; equal ones share the mean of their places.

    >>> mid_ranks(np.array([0.1, 0.5, 0.5]), np.array([0.5, 0.1])).tolist()
    [2.5, 1.0]
    """
    below, upto = np.searchsorted(ordered, values, "left"), np.searchsorted(ordered, values, "right")
    ranks: NDArray[np.float64] = (below + upto + 1) / 2
    return ranks
