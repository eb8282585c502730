"""Order agreement: whether a run ranks the documents of judged pairs as judges prefer them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runoff.preferences.impact import judged_items, reciprocal_ranks
from runoff.preferences.pairs import count_pairs
from runoff.significance import binomial_intervals
from runoff.tables.ids import Rows
from runoff.tables.preferences import Preferences
from runoff.tables.run import Run


@dataclass(frozen=True, kw_only=True)
class OrderShare:
    """Pairs that a run ranks as judges prefer.

    pairs, queries  the decided pairs, and the queries that they are of
    agree           those in which the preferred document is ranked higher
    share, ci95     agree / pairs, and its 95% interval, which allows for pairs of one query being alike; NaN and 0 to 1
                    without pairs
    """

    pairs: int
    queries: int
    agree: int
    share: float
    ci95: tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class RunOrder:
    """One run: pairs of which it ranks both documents, and pairs of which it ranks one at least."""

    run: str
    both: OrderShare
    any: OrderShare


def order_agreement(table: Preferences, runs: Sequence[Run], *, depth: int = 10) -> tuple[RunOrder, ...]:
    r"""For each run, in how many judged pairs it ranks the preferred document higher.

    Pairs count by the majority of their judgments; even splits are left out. A document below the depth is not ranked,
    and lower than one that is.

    Arabzadeh et al. 2021, section 4.1, https://arxiv.org/abs/2109.00062: both in the top 10, 63.07% for the best run.

    >>> from runoff.files import read_run
    >>> run = read_run(b"q Q0 a 1 2 t\nq Q0 b 2 1 t\n", name="run")
    >>> votes = [("q", "a", "b", "a"), ("q", "b", "c", "c"), ("q", "c", "d", "c")]
    >>> (found,) = order_agreement(Preferences.of(votes), [run])
    >>> found.both.share, (found.any.agree, found.any.pairs)
    (1.0, (1, 2))
    """
    counts = count_pairs(table)
    items = judged_items(table, counts)
    decided = np.flatnonzero(counts.majority)
    preferred = counts.majority[decided] > 0
    better = np.where(preferred, counts.first[decided], counts.second[decided])
    worse = np.where(preferred, counts.second[decided], counts.first[decided])
    query = counts.pair_query[decided]
    rows = []
    for run in runs:
        height = reciprocal_ranks(run, items, depth)
        agrees, ranked = height[better] > height[worse], height > 0
        both, any_ = ranked[better] & ranked[worse], ranked[better] | ranked[worse]
        rows.append(
            RunOrder(run=run.name, both=_share(agrees[both], query[both]), any=_share(agrees[any_], query[any_]))
        )
    return tuple(rows)


def _share(agrees: NDArray[np.bool_], query: Rows) -> OrderShare:
    """The share and its interval: the exact one of as many independent pairs as these are worth.

        worth  =  (z / t)^2 x min(pairs, share (1 - share) / variance)

    with the variance of a mean by groups, the queries, and the 97.5% quantiles of the normal law and of Student's for
    queries - 1. Where all pairs agree, or none, they are worth one per query.

    Korn & Graubard 1998, Confidence intervals for proportions with small expected number of positive counts estimated
    from survey data, Survey Methodology 24, 193-201.
    """
    from scipy.special import ndtri, stdtrit

    pairs, agree = len(agrees), int(agrees.sum())
    _, group = np.unique(query, return_inverse=True)
    queries = int(group.max(initial=-1)) + 1
    if not pairs:
        return OrderShare(pairs=0, queries=0, agree=0, share=float("nan"), ci95=(0.0, 1.0))
    share = agree / pairs
    worth = float(queries)
    if 0 < agree < pairs and queries > 1:
        sums = np.bincount(group, weights=agrees - share)
        variance = queries / (queries - 1) * float(sums @ sums) / pairs**2
        worth = min(share * (1 - share) / variance, pairs) if variance > 0 else float(pairs)
    worth *= (ndtri(0.975) / stdtrit(queries - 1, 0.975)) ** 2 if queries > 1 else 1.0
    low, high = binomial_intervals(share * worth, worth)
    return OrderShare(pairs=pairs, queries=queries, agree=agree, share=share, ci95=(float(low), float(high)))
