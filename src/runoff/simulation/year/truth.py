"""The truth about the runs of the simulated year: what they would score on infinitely many queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from runoff.simulation._streams import YEAR, generator
from runoff.simulation.year.cast import Plan
from runoff.simulation.year.questions import CANDIDATES, HARDNESS, Floats, draw_label, seen

TRUTH_QUERIES: Final = 40_000
_BLOCK: Final = 1000
_CUTOFF: Final = 10


@dataclass(frozen=True, kw_only=True)
class RunTruth:
    """What a run truly is.

    rr          expected RR@10 under sparse labels
    error       its standard error: the expectation is a mean over fresh queries
    best_first  chance that its first document is the best one there is
    """

    rr: float
    error: float
    best_first: float


def true_scores(plans: Sequence[Plan], *, queries: int = TRUTH_QUERIES) -> dict[str, RunTruth]:
    """The truth about each run, by name; it is the same for every seed of a year.

    It depends on reach, eye and taste alone, so what is planted in the noise of the public queries has no part in it.
    All runs are looked at with the same fresh queries and noise, which makes their differences more exact than each
    alone; runs of equal reach, eye and taste are exactly equal.
    """
    kinds = tuple(dict.fromkeys((plan.reach, plan.eye, plan.taste) for plan in plans))
    by_kind = dict(zip(kinds, _expected(kinds, queries), strict=True))
    return {plan.name: by_kind[plan.reach, plan.eye, plan.taste] for plan in plans}


@lru_cache(maxsize=4)
def _expected(kinds: tuple[tuple[float, float, float], ...], queries: int) -> tuple[RunTruth, ...]:
    tables = [_rr_by_rivals(reach) for reach, _, _ in kinds]
    sums = np.zeros((3, len(kinds)))
    rng = generator(0, YEAR, 0)
    for first in range(0, queries, _BLOCK):
        count = min(_BLOCK, queries - first)
        value, fashion, noise = rng.standard_normal((3, count, CANDIDATES), dtype=np.float32)
        noise *= np.exp(HARDNESS * rng.standard_normal((count, 1), dtype=np.float32))
        is_found = rng.random((count, CANDIDATES), dtype=np.float32)
        rows, label, best = np.arange(count), draw_label(value, fashion, rng), value.argmax(axis=1)
        looks = {taste: seen(value, fashion, taste) for _, _, taste in kinds}
        for place, (reach, eye, taste) in enumerate(kinds):
            belief = np.float32(eye) * looks[taste] + noise
            rivals = (belief > belief[rows, label][:, None]).sum(axis=1)
            scores = tables[place][rivals]
            belief[is_found > reach] = -np.inf
            sums[:, place] += scores.sum(), (scores**2).sum(), (belief.argmax(axis=1) == best).sum()
    means = sums / queries
    errors = np.sqrt((means[1] - means[0] ** 2) / queries)
    return tuple(
        RunTruth(rr=float(rr), error=float(error), best_first=float(best))
        for rr, error, best in zip(means[0], errors, means[2], strict=True)
    )


def _rr_by_rivals(reach: float) -> Floats:
    """E(RR@10) of a document that `rivals` others look better than, each of which is found with the same chance.

    The rank is 1 + Binomial(rivals, reach) where the document itself is found: exact, so that finding adds no noise.
    """
    table = np.zeros(CANDIDATES)
    chances = np.zeros(CANDIDATES + 1)
    chances[0] = 1.0
    gains = np.zeros(CANDIDATES + 1)
    gains[:_CUTOFF] = 1.0 / np.arange(1, _CUTOFF + 1)
    for rivals in range(CANDIDATES):
        table[rivals] = reach * (chances * gains).sum()
        chances[1:] = chances[1:] * (1.0 - reach) + chances[:-1] * reach
        chances[0] *= 1.0 - reach
    return table
