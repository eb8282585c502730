"""Simulated runs: queries, systems of known quality, and what a system retrieves for every query."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError
from runoff.tables.read_only import ReadOnlyArrays

MOST_RELEVANT: Final = 3
"""No query has more relevant documents than this."""

_FIRST_DOCUMENT: Final = 1_000_000
_DOCUMENTS: Final = 8_999_993  # a prime, so that every stride visits all documents before it repeats one
_QUERY_NUMBERS: Final = 1_200_000
_SECOND_EXTRA: Final = 0.1  # share of the queries with two relevant documents that have a third


@dataclass(frozen=True, eq=False)
class SimulatedQueries:
    """Queries in the order of their ids; all arrays have one entry per query.

    The documents that could be retrieved for a query are numbered 0, 1, 2, ... there; the first `relevant` of them
    are labelled relevant.

    hardness    float64: standard normal, shared by all systems; large is hard.
    relevant    int64: how many documents are relevant, from 1 to `MOST_RELEVANT`.
    start, stride   int64: the place in the collection of a query's first document, and the way to the next.
    """

    query_ids: tuple[str, ...]
    hardness: NDArray[np.float64]
    relevant: NDArray[np.int64]
    start: NDArray[np.int64]
    stride: NDArray[np.int64]

    def documents(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """The document at each of a query's own numbers, queries x any; different numbers give different documents.

        Documents are seven-digit integers, so they sort as their ids do.
        """
        places = (self.start[:, None] + numbers * self.stride[:, None]) % _DOCUMENTS
        return places + _FIRST_DOCUMENT


def doc_id(document: int) -> str:
    """The id of a document as it is in files.

    >>> doc_id(1234567)
    'D1234567'
    """
    return f"D{document}"


def draw_queries(count: int, mean_relevant: float, rng: np.random.Generator) -> SimulatedQueries:
    """Draw `count` queries with `mean_relevant` relevant documents each on average, from 1 to 2."""
    numbers = np.sort(rng.choice(max(_QUERY_NUMBERS, 2 * count), size=count, replace=False)) + 1
    second = rng.random(count) < (mean_relevant - 1.0) / (1.0 + _SECOND_EXTRA)
    third = second & (rng.random(count) < _SECOND_EXTRA)
    return SimulatedQueries(
        query_ids=tuple(map(str, numbers.tolist())),
        hardness=rng.standard_normal(count),
        relevant=1 + second.astype(np.int64) + third,
        start=rng.integers(0, _DOCUMENTS, size=count),
        stride=rng.integers(1, _DOCUMENTS, size=count),
    )


@dataclass(frozen=True, kw_only=True)
class RankLaw:
    """The exact distribution of the rank of the first relevant document, over all queries that could be asked.

    P(rank = r) is proportional to r^-steepness for r = 1..depth and adds up to `answered`; else nothing is found.

    answered    probability that a relevant document is found within the depth, between 0 and 1 and neither.
    steepness   how strongly the ranks crowd at the top; 0 spreads them evenly.

    >>> RankLaw(answered=0.6, steepness=0.0, depth=3).expected_rr(2)
    0.3
    """

    answered: float
    steepness: float
    depth: int

    def __post_init__(self) -> None:
        if not 0.0 < self.answered < 1.0:
            raise UsageError(f"answered is {self.answered}; expected a probability above 0 and below 1")
        if not self.steepness >= 0.0:
            raise UsageError(f"steepness is {self.steepness}; expected 0 or more")
        if self.depth < 1:
            raise UsageError(f"depth is {self.depth}; expected 1 or more")

    def shares(self) -> NDArray[np.float64]:
        """P(rank = 1), P(rank = 2), ... to the depth."""
        weights = np.arange(1, self.depth + 1, dtype=np.float64) ** -self.steepness
        shares: NDArray[np.float64] = self.answered * weights / weights.sum()
        return shares

    def answered_within(self, cutoff: int) -> float:
        """The probability that a relevant document is found to rank `cutoff`."""
        return float(self.shares()[:cutoff].sum())

    def expected_rr(self, cutoff: int) -> float:
        """The expected reciprocal rank at `cutoff`."""
        return float((self.shares() / np.arange(1, self.depth + 1))[:cutoff].sum())

    def expected_esl(self, cutoff: int) -> float:
        """The expected rank of the first relevant document where one is found to rank `cutoff`."""
        ranks = np.arange(1, self.depth + 1)
        return float((self.shares() * ranks)[:cutoff].sum()) / self.answered_within(cutoff)

    def ranks(self, hardness: NDArray[np.float64]) -> NDArray[np.int64]:
        """The rank for each query of a standard normal hardness; 0 where nothing is found.

        Easy queries get the top ranks: rank r covers the stretch of the normal that has probability P(rank = r). So
        each rank has exactly its probability, and systems with correlated hardness have correlated ranks.
        """
        normal = NormalDist()
        ends = np.array([normal.inv_cdf(share) for share in np.cumsum(self.shares()).tolist()])
        places = np.searchsorted(ends, hardness, side="left")
        return np.where(places < self.depth, places + 1, 0).astype(np.int64)


BASELINE: Final = 0
CHAMPION: Final = 1
TWIN: Final = 2
TRADE_OFF: Final = 3
"""The first four places of every board: the weakest system, the best by design, one exactly as good, and one that
answers more queries than the champion but ranks the answers later."""

_NAMES: Final = (
    "alder",
    "birch",
    "cedar",
    "dogwood",
    "elm",
    "fir",
    "ginkgo",
    "hazel",
    "ivy",
    "juniper",
    "kapok",
    "larch",
    "maple",
    "nutmeg",
    "oak",
    "pine",
    "quince",
    "rowan",
    "spruce",
    "teak",
    "umbra",
    "viburnum",
    "willow",
    "yew",
)


@dataclass(frozen=True)
class System:
    """A named system and the law its ranks follow."""

    name: str
    law: RankLaw


def make_system(place: int, depth: int) -> System:
    """The system at one place of the cast; it does not depend on how many others there are.

    >>> make_system(1, 100).law == make_system(2, 100).law
    True
    """
    lap, letter = divmod(place, len(_NAMES))
    name = _NAMES[letter] if lap == 0 else f"{_NAMES[letter]}-{lap + 1}"
    if place == TRADE_OFF:
        return System(name, RankLaw(answered=0.96, steepness=1.15, depth=depth))
    quality = {BASELINE: 0.0, CHAMPION: 1.0, TWIN: 1.0}.get(place)
    return System(name, law_of_quality(_spread(place - TRADE_OFF) if quality is None else quality, depth))


def law_of_quality(quality: float, depth: int) -> RankLaw:
    """The law of a system between a weak lexical one (0) and a strong reranker (1): it finds more, and earlier."""
    return RankLaw(answered=0.70 + 0.18 * quality, steepness=0.80 + 0.55 * quality, depth=depth)


def _spread(number: int) -> float:
    """Item `number` (from 1) of 1/2, 1/4, 3/4, 1/8, ...: even over 0..1 however many are taken (van der Corput)."""
    value, part = 0.0, 0.5
    while number:
        number, bit = divmod(number, 2)
        value += bit * part
        part /= 2
    return value


_GAP_TO_NEXT_RELEVANT: Final = 0.1  # geometric: a second relevant document follows about ten ranks later
_DISTURBANCE: Final = 0.15  # how far a run's order of the other documents strays from the common one, in depths
_ORDERS: Final = 256  # different orders of the other documents within a run
_MICRO: Final = 1_000_000
# Scores differ by this many millionths or not at all, so that they differ as float32 too.
_SMALLEST_STEP: Final = 20


@dataclass(frozen=True, eq=False)
class SimulatedRun(ReadOnlyArrays):
    """The ranked lists of one system; row i of every array belongs to `query_ids[i]`.

    documents     int64, queries x depth: the number behind each document id, best first.
    run_scores    float64, queries x depth: falling, with six decimals. Tied neighbours are in the order that the
                  rule of trec_eval gives them.
    first_ranks   int64, queries: the rank of the first relevant document, 0 where there is none.
    """

    name: str
    query_ids: tuple[str, ...]
    documents: NDArray[np.int64]
    run_scores: NDArray[np.float64]
    first_ranks: NDArray[np.int64]

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
