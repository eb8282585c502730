"""One simulated run: what a system retrieves for every query, and with which scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.simulation.query_set import MOST_RELEVANT, SimulatedQueries, doc_id
from runoff.simulation.system import System

_GAP_TO_NEXT_RELEVANT: Final = 0.1  # geometric: a second relevant document follows about ten ranks later
_DISTURBANCE: Final = 0.15  # how far a run's order of the other documents strays from the common one, in depths
_ORDERS: Final = 256  # different orders of the other documents within a run
_MICRO: Final = 1_000_000
# Scores differ by this many millionths or not at all, so that they differ as float32 too.
_SMALLEST_STEP: Final = 20


@dataclass(frozen=True, eq=False)
class SimulatedRun:
    """The ranked lists of one system; row i of every array belongs to `query_ids[i]`.

    documents     int64, queries x depth: the number behind each document id, best first.
    run_scores    float64, queries x depth: falling, with six decimals. Tied neighbours stand in the order that the
                  rule of trec_eval gives them.
    first_ranks   int64, queries: the rank of the first relevant document, 0 where there is none.
    """

    name: str
    query_ids: tuple[str, ...]
    documents: NDArray[np.int64]
    run_scores: NDArray[np.float64]
    first_ranks: NDArray[np.int64]

    def __post_init__(self) -> None:
        for array in (self.documents, self.run_scores, self.first_ranks):
            array.setflags(write=False)

    def lists(self) -> dict[str, list[tuple[str, float]]]:
        """For every query its (doc_id, run_score) pairs, best first."""
        rows = zip(self.query_ids, self.documents.tolist(), self.run_scores.tolist(), strict=True)
        return {query_id: [*zip(map(doc_id, documents), scores, strict=True)] for query_id, documents, scores in rows}

    def lines(self) -> Iterator[str]:
        """The lines of a TREC run file, each with its line end."""
        for query_id, documents, scores in zip(self.query_ids, self.documents, self.run_scores, strict=True):
            pairs = zip(documents.tolist(), scores.tolist(), strict=True)
            for rank, (document, score) in enumerate(pairs, start=1):
                yield f"{query_id} Q0 {doc_id(document)} {rank} {score:.6f} {self.name}\n"


def draw_run(
    system: System, queries: SimulatedQueries, *, correlation: float, tie_share: float, rng: np.random.Generator
) -> SimulatedRun:
    """Draw what one system retrieves.

    correlation   of the hardness of a query between two systems, from 0 to 1.
    tie_share     chance that a document has the same score as the one before, where the tie rule keeps their order.
    """
    own = rng.standard_normal(len(queries.query_ids))
    ranks = system.law.ranks(np.sqrt(correlation) * queries.hardness + np.sqrt(1.0 - correlation) * own)
    numbers = _other_documents(len(queries.query_ids), system.law.depth, rng)
    _put_relevant(numbers, ranks, queries.relevant, rng)
    documents = queries.documents(numbers)
    scores = _scores(documents, tie_share, rng)
    return SimulatedRun(system.name, queries.query_ids, documents, scores, ranks)


def _other_documents(count: int, depth: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Distinct document numbers, none of them relevant, in about the same order for every run; queries x depth."""
    pool = depth + depth // 2
    keys = np.arange(pool) + _DISTURBANCE * depth * rng.standard_normal((_ORDERS, pool))
    orders: NDArray[np.int64] = np.argsort(keys, axis=1, kind="stable")[:, :depth] + MOST_RELEVANT
    chosen: NDArray[np.int64] = orders[rng.integers(0, _ORDERS, size=count)]
    return chosen


def _put_relevant(
    numbers: NDArray[np.int64], ranks: NDArray[np.int64], relevant: NDArray[np.int64], rng: np.random.Generator
) -> None:
    """Write the relevant documents over `numbers`: one at its rank, the others later or beyond the depth."""
    count, depth = numbers.shape
    first = rng.integers(0, relevant)
    at = ranks - 1
    for step in range(MOST_RELEVANT):
        if step:
            at = at + rng.geometric(_GAP_TO_NEXT_RELEVANT, size=count)
        here = np.flatnonzero((ranks > 0) & (step < relevant) & (at < depth))
        numbers[here, at[here]] = (first[here] + step) % relevant[here]


def _scores(documents: NDArray[np.int64], tie_share: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Falling scores with wide steps at the top; a tie only where the document ids fall as well."""
    count, depth = documents.shape
    sizes = 0.8 * _MICRO * np.arange(1, depth, dtype=np.float64) ** -0.7
    steps = _SMALLEST_STEP + (sizes * rng.standard_exponential((count, depth - 1))).astype(np.int64)
    tied = (rng.random((count, depth - 1), dtype=np.float32) < tie_share) & (documents[:, :-1] > documents[:, 1:])
    steps[tied] = 0
    last = rng.integers(3 * _MICRO, 9 * _MICRO, size=(count, 1))
    micro = np.concatenate([np.cumsum(steps[:, ::-1], axis=1)[:, ::-1], np.zeros_like(last)], axis=1) + last
    scores: NDArray[np.float64] = micro / _MICRO
    return scores
