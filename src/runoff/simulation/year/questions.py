"""Queries of the simulated year: the true value of every document, its label, what runs retrieve and truly score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.simulation._streams import YEAR, generator
from runoff.simulation.year.cast import LABEL_TASTE, Plan

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

CANDIDATES: Final = 60
"""Documents per query that any run could retrieve; no two queries share one."""
LABEL_EYE: Final = 2.2
"""How strongly the labeller goes by the perceived value; the rest is chance."""
HARDNESS: Final = 0.4
"""How far the noise of all runs differs between queries."""
GRADES: Final = (0.8, 1.5, 2.2)
"""The true value from which on a document has grade 1, 2 and 3."""

_QUERY_NUMBERS: Final = (100_000, 1_000_000)
_FIRST_DOCUMENT: Final = 1_000_000
_DOCUMENTS: Final = 8_999_993  # a prime, so that multiples of a stride visit every document once


@dataclass(frozen=True, eq=False, kw_only=True)
class Questions:
    """Queries in the order of their ids; arrays have a row per query.

    numbers    int64: the query ids, all of six digits
    value      float64, queries x candidates: how good each document truly is, standard normal
    fashion    float64, queries x candidates: what was in fashion when labels were made, standard normal
    noise      float64, queries: how loud the noise of every run is
    label      int64: the candidate that is labelled relevant
    documents  int64, queries x candidates: the number behind each document id, of seven digits
    """

    numbers: Places
    value: Floats
    fashion: Floats
    noise: Floats
    label: Places
    documents: Places

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def query_ids(self) -> tuple[str, ...]:
        """The ids of the queries."""
        return tuple(map(str, self.numbers.tolist()))

    @property
    def best(self) -> Places:
        """The candidate of each query that is truly best."""
        best: Places = self.value.argmax(axis=1)
        return best

    def grades(self, rows: Places) -> NDArray[np.int64]:
        """The true grades of some queries' candidates, from 0 to 3."""
        return np.searchsorted(np.array(GRADES), self.value[rows], side="right").astype(np.int64)

    def perceived(self, taste: float) -> Floats:
        """What the documents look like to somebody of that taste."""
        return seen(self.value, self.fashion, taste)


def seen(value: Floats, fashion: Floats, taste: float) -> Floats:
    """How good documents look: value x cos(taste) + fashion x sin(taste), which is standard normal again."""
    look: Floats = np.cos(taste) * value + np.sin(taste) * fashion
    return look


def draw_label(value: Floats, fashion: Floats, rng: np.random.Generator) -> Places:
    """The label of each query: one document, chosen with probability proportional to exp(2.2 x perceived value)."""
    chance = rng.gumbel(size=value.shape)
    label: Places = (LABEL_EYE * seen(value, fashion, LABEL_TASTE) + chance).argmax(axis=1)
    return label


def draw_questions(count: int, rng: np.random.Generator) -> Questions:
    """Draw queries, their documents and labels."""
    numbers = np.sort(rng.choice(np.arange(*_QUERY_NUMBERS), size=count, replace=False))
    value, fashion = rng.standard_normal((2, count, CANDIDATES))
    stride = int(rng.integers(1, _DOCUMENTS))
    documents = np.arange(count * CANDIDATES).reshape(count, CANDIDATES) * stride % _DOCUMENTS + _FIRST_DOCUMENT
    return Questions(
        numbers=numbers,
        value=value,
        fashion=fashion,
        noise=np.exp(HARDNESS * rng.standard_normal(count)),
        label=draw_label(value, fashion, rng),
        documents=documents,
    )


SHARES: Final = (0.25, 0.45, 0.30)
"""How much of a run's noise it shares with all runs, with those of its team, and with none."""
NOT_FOUND: Final = 1000.0
"""What a document loses that the first stage does not find: such documents only fill the end of a short list."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Noise:
    """Two standard normals for each query and candidate: one blurs the ranking, one decides what is found."""

    ranking: Floats
    finding: Floats

    @classmethod
    def draw(cls, shape: tuple[int, ...], rng: np.random.Generator) -> Noise:
        """New noise."""
        ranking, finding = rng.standard_normal((2, *shape))
        return cls(ranking=ranking, finding=finding)

    def mixed(self, team: Noise, own: Noise) -> Noise:
        """The noise of a run: this one, which all runs share, its team's and its own."""
        parts = [np.sqrt(share) for share in SHARES]
        return Noise(
            ranking=parts[0] * self.ranking + parts[1] * team.ranking + parts[2] * own.ranking,
            finding=parts[0] * self.finding + parts[1] * team.finding + parts[2] * own.finding,
        )


def believed(plan: Plan, questions: Questions, noise: Noise) -> Floats:
    """How good each document looks to a run (queries x candidates).

    eye x perceived value + the query's loudness x noise, and far less for what is not found
    """
    belief: Floats = plan.eye * questions.perceived(plan.taste) + questions.noise[:, None] * noise.ranking
    belief[noise.finding > NormalDist().inv_cdf(plan.reach)] -= NOT_FOUND
    return belief


def label_ranks(belief: Floats, label: Places) -> Places:
    """The rank of the labelled document; 0 where it was not found."""
    own = belief[np.arange(len(belief)), label]
    ranks = 1 + (belief > own[:, None]).sum(axis=1)
    return np.where(own > -NOT_FOUND / 2, ranks, 0).astype(np.int64)


def mean_rr(ranks: Places) -> float:
    """The mean reciprocal rank, to rank 10."""
    return float(np.divide(1.0, ranks, out=np.zeros(len(ranks)), where=(ranks > 0) & (ranks <= _CUTOFF)).mean())


def top(belief: Floats, depth: int) -> Places:
    """The candidates in the order of belief, cut at the depth (queries x depth)."""
    order: Places = np.argsort(-belief, axis=1, kind="stable")[:, :depth]
    return order


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


def true_scores(plans: Sequence[Plan]) -> dict[str, RunTruth]:
    """The truth about each run, by name; it is the same for every seed of a year.

    It depends on reach, eye and taste alone, so what is planted in the noise of the public queries has no part in it.
    All runs are looked at with the same fresh queries and noise, which makes their differences more exact than each
    alone; runs of equal reach, eye and taste are exactly equal.
    """
    kinds = tuple(dict.fromkeys((plan.reach, plan.eye, plan.taste) for plan in plans))
    by_kind = dict(zip(kinds, _expected(kinds, TRUTH_QUERIES), strict=True))
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
