"""What a run of the simulated year retrieves: documents that its first stage finds, in the order it believes in."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

import numpy as np

from runoff.simulation.year.cast import Plan
from runoff.simulation.year.questions import Floats, Places, Questions

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
