"""Sampling: judging the pools of some queries only, and whether these keep the order of the board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runoff.boards.kendall import tau_b
from runoff.errors import UsageError
from runoff.preferences.left_out import ranks_by_mean
from runoff.preferences.pools import Pools
from runoff.tables.scores import Scores


@dataclass(frozen=True, eq=False, kw_only=True)
class SampleCheckResult:
    """The board on all queries beside the board on a sample of them; arrays are in the order of `runs`.

    means, sample_means  float64, runs: mean scores on all queries and on the sample
    ranks, sample_ranks  float64, runs: the ranks by them, from 1; runs that tie share the mean of their places
    tau                  Kendall's tau-b between the two orders; the sample is part of all queries, so there is nothing
                         to compare it with
    """

    measure: str
    runs: tuple[str, ...]
    queries: int
    sample: int
    means: NDArray[np.float64]
    sample_means: NDArray[np.float64]
    ranks: NDArray[np.float64]
    sample_ranks: NDArray[np.float64]
    tau: float

    @property
    def is_same_order(self) -> bool:
        """Whether every run has the same rank on the sample."""
        return bool((self.ranks == self.sample_ranks).all())


def sample_queries(pools: Pools, size: int, *, seed: int = 0) -> tuple[str, ...]:
    """Some queries drawn at random among those whose pool has two documents or more, in the order of the pools.

    Arabzadeh et al. 2021, section 4.1, https://arxiv.org/abs/2109.00062, drew 500.
    """
    able = np.flatnonzero(pools.sizes >= 2)
    if not 1 <= size <= len(able):
        raise UsageError(
            f"a sample of {size:,} queries cannot be drawn; expected 1 to {len(able):,}, the queries whose pool has "
            "two documents or more; ask for fewer"
        )
    rng = np.random.default_rng([seed, 3])
    chosen = np.sort(rng.choice(able, size, replace=False))
    return tuple(pools.query_ids[place] for place in chosen.tolist())


def check_sample(scores: Scores, sample: Sequence[str]) -> SampleCheckResult:
    """Whether a sample of the queries keeps the order of the runs: the paper's Figure 5.

    >>> values = np.array([[1, 0.5, 0], [1, 0.5, 0.5], [0.5, 0, 0], [1, 1, 0]])
    >>> scores = Scores(measure="RR@10", query_ids=tuple("abcd"), runs=("x", "y", "z"), values=values)
    >>> found = check_sample(scores, ["a", "d"])
    >>> round(found.tau, 2), found.is_same_order
    (1.0, True)
    """
    place_of = {query_id: place for place, query_id in enumerate(scores.query_ids)}
    rows = [place_of[query_id] for query_id in sample]
    part = Scores(measure=scores.measure, query_ids=tuple(sample), runs=scores.runs, values=scores.values[rows].copy())
    ranks, sample_ranks = (ranks_by_mean(one.means) for one in (scores, part))
    return SampleCheckResult(
        measure=scores.measure,
        runs=scores.runs,
        queries=len(scores.query_ids),
        sample=len(rows),
        means=scores.means,
        sample_means=part.means,
        ranks=ranks,
        sample_ranks=sample_ranks,
        tau=float(tau_b(*((2 * one[None]).astype(np.int32) for one in (ranks, sample_ranks)))[0]),
    )
