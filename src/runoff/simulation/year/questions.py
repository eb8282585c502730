"""Queries of the simulated year: the true value of every document, its label, and the lists that runs retrieve."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import NDArray

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


def mean_rr(ranks: Places, cutoff: int = 10) -> float:
    """The mean reciprocal rank."""
    return float(np.divide(1.0, ranks, out=np.zeros(len(ranks)), where=(ranks > 0) & (ranks <= cutoff)).mean())


def top(belief: Floats, depth: int) -> Places:
    """The candidates in the order of belief, cut at the depth (queries x depth)."""
    order: Places = np.argsort(-belief, axis=1, kind="stable")[:, :depth]
    return order
