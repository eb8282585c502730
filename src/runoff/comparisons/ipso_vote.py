"""How far the non-separable queries of IPSO could move the vote of the others."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.significance import binomial_p


@dataclass(frozen=True, kw_only=True)
class VoteEnd:
    """One end of the vote's range: the queries that vote for each side, and the p of their sign test."""

    ns: int
    ni: int
    p: float


def vote_ends(ns: int, ni: int, nonseparable: int) -> tuple[VoteEnd, VoteEnd]:
    """The vote when all non-separable queries vote ns, and when all vote ni; the lower p first.

    Moffat & Mackenzie 2024, section 3.5, https://doi.org/10.1002/asi.24874

    >>> [(end.ns, end.ni, float(f"{end.p:.2g}")) for end in vote_ends(81, 109, 36)]
    [(81, 145, 2.5e-05), (117, 109, 0.64)]
    """
    votes = (ns, ni + nonseparable), (ns + nonseparable, ni)
    all_p = binomial_p(*map(list, zip(*votes, strict=True))).tolist()
    ends = [VoteEnd(ns=one, ni=other, p=p) for (one, other), p in zip(votes, all_p, strict=True)]
    low, high = sorted(ends, key=lambda end: end.p)
    return low, high


def vote_p_range(ns: int, ni: int, nonseparable: int) -> tuple[float, float]:
    """The lower and the higher of the two p when all non-separable queries vote ns, or all vote ni.

    p is that of the sign test of |ns| = |ni|. A measure may also split these queries. No split gives a p below the
    lower one, but where the queries can balance the vote some split gives a p above the higher one: `highest_vote_p`.

    Moffat & Mackenzie 2024, section 3.5, https://doi.org/10.1002/asi.24874

    >>> [float(f"{p:.2g}") for p in vote_p_range(81, 109, 36)]
    [2.5e-05, 0.64]
    """
    low, high = vote_ends(ns, ni, nonseparable)
    return low.p, high.p


def highest_vote_p(ns: int, ni: int, nonseparable: int) -> float:
    """The highest p that any measure could reach when it orders every non-separable query one way or the other.

    >>> highest_vote_p(81, 109, 36), round(highest_vote_p(81, 109, 10), 3)
    (1.0, 0.229)
    """
    votes = ns + ni + nonseparable
    most_even = min(max(votes // 2, ns), ns + nonseparable)
    return float(binomial_p(most_even, votes - most_even))
