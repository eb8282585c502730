"""How far the non-separable queries of IPSO could move the vote of the others."""

from __future__ import annotations

from runoff.significance import binomial_p


def vote_p_range(ns: int, ni: int, nonseparable: int) -> tuple[float, float]:
    """The lower and the higher of the two p when all non-separable queries vote ns, or all vote ni.

    p is that of the sign test of |ns| = |ni|. A measure may also split these queries. No split gives a p below the
    lower one, but where the queries can balance the vote some split gives a p above the higher one: `highest_vote_p`.

    Moffat & Mackenzie 2024, section 3.5, https://doi.org/10.1002/asi.24874

    >>> [float(f"{p:.2g}") for p in vote_p_range(81, 109, 36)]
    [2.5e-05, 0.64]
    """
    one, other = binomial_p([ns + nonseparable, ns], [ni, ni + nonseparable]).tolist()
    return min(one, other), max(one, other)


def highest_vote_p(ns: int, ni: int, nonseparable: int) -> float:
    """The highest p that any measure could reach when it orders every non-separable query one way or the other.

    >>> highest_vote_p(81, 109, 36), round(highest_vote_p(81, 109, 10), 3)
    (1.0, 0.229)
    """
    votes = ns + ni + nonseparable
    most_even = min(max(votes // 2, ns), ns + nonseparable)
    return float(binomial_p(most_even, votes - most_even))
