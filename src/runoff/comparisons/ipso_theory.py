"""How often two random SERPs are equal, separable or non-separable: exact, at any depth."""

from __future__ import annotations

import math
from dataclasses import dataclass

from runoff.comparisons._inputs import is_count
from runoff.errors import UsageError


@dataclass(frozen=True, kw_only=True)
class IpsoTheoryResult:
    """The probabilities of the three relations between two random SERPs; they add to 1.

    equal         the same at every rank
    separable     one is non-inferior to the other, and they are not equal
    nonseparable  each is ahead somewhere
    """

    depth: int
    equal: float
    separable: float
    nonseparable: float

    @property
    def non_inferior(self) -> float:
        """The probability that the first is never behind, equality included."""
        return self.separable / 2 + self.equal


def ipso_theory(depth: int) -> IpsoTheoryResult:
    """The relations of two SERPs in which every rank is relevant or not with probability 1/2, independently.

        P(equal) = 2^-k,  P(non-inferior, equal included) = C(2k + 1, k) / 4^k

    The running difference of two such SERPs, read as steps of one half, is a simple random walk of 2k steps looked at
    every second step; C(2k + 1, k) of its 4^k paths are never below zero then. Whole numbers are divided only at the
    end, so that no depth overflows; a probability below the smallest float is 0.

    Moffat & Mackenzie 2024, Table 2, https://doi.org/10.1002/asi.24874, where k of 20 and more are sampled.

    >>> result = ipso_theory(5)
    >>> result.equal, result.separable, result.nonseparable
    (0.03125, 0.83984375, 0.12890625)
    """
    if not is_count(depth):
        raise UsageError(f"depth {depth!r} cannot be used; expected a whole number of 1 or more; write --depth 20")
    pairs = 4**depth
    equal = 2**depth
    non_inferior = math.comb(2 * depth + 1, depth)
    separable = 2 * (non_inferior - equal)
    return IpsoTheoryResult(
        depth=depth,
        equal=equal / pairs,
        separable=separable / pairs,
        nonseparable=(pairs - separable - equal) / pairs,
    )
