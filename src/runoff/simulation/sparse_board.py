"""A leaderboard with sparse labels, about one relevant document per query, whose truth is known exactly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from runoff.errors import UsageError
from runoff.simulation._streams import BOARD, generator
from runoff.simulation.simulated_run import (
    BASELINE,
    CHAMPION,
    TRADE_OFF,
    TWIN,
    SimulatedQueries,
    SimulatedRun,
    System,
    doc_id,
    draw_queries,
    draw_run,
    make_system,
)

LEAST_RUNS = TRADE_OFF + 1


@dataclass(frozen=True, kw_only=True)
class SparseBoardConfig:
    """What to simulate.

    runs            at least 4: the baseline, the champion, its twin and the trade-off; then others in between.
    depth           documents per query and run.
    mean_relevant   relevant documents per query on average, from 1 to 2.
    correlation     of the hardness of a query between two systems, from 0 to 1.
    tie_share       chance that a document has the same score as the one before, where the tie rule keeps their order.
    """

    queries: int = 1000
    runs: int = 8
    depth: int = 100
    seed: int = 0
    mean_relevant: float = 1.07
    correlation: float = 0.6
    tie_share: float = 0.01

    def __post_init__(self) -> None:
        for name, value, low, high in (
            ("queries", self.queries, 1, 10**7),
            ("runs", self.runs, LEAST_RUNS, 10**4),
            ("depth", self.depth, 1, 10**4),
            ("seed", self.seed, 0, 2**128),
            ("mean_relevant", self.mean_relevant, 1.0, 2.0),
            ("correlation", self.correlation, 0.0, 1.0),
            ("tie_share", self.tie_share, 0.0, 1.0),
        ):
            if not low <= value <= high:
                raise UsageError(f"{name} is {value}; expected {low} to {high}")


@dataclass(frozen=True, eq=False)
class SparseBoard:
    """A simulated board; runs are drawn when asked for, the same every time."""

    config: SparseBoardConfig
    systems: tuple[System, ...]
    queries: SimulatedQueries = field(repr=False)

    @property
    def query_ids(self) -> tuple[str, ...]:
        """The ids of all queries, in the order of every array."""
        return self.queries.query_ids

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the systems, which are those of their runs."""
        return tuple(system.name for system in self.systems)

    @property
    def baseline(self) -> str:
        """The weakest system."""
        return self.systems[BASELINE].name

    @property
    def twins(self) -> tuple[str, str]:
        """Two systems of exactly the same quality: the champion and another."""
        return self.systems[CHAMPION].name, self.systems[TWIN].name

    @property
    def trade_off(self) -> tuple[str, str]:
        """The champion, and a system that answers more queries than it but ranks the answers later."""
        return self.systems[CHAMPION].name, self.systems[TRADE_OFF].name

    def true_rr(self, cutoff: int = 10) -> dict[str, float]:
        """The exact expected RR at `cutoff` of every system, over all queries that could be drawn."""
        return {system.name: system.law.expected_rr(cutoff) for system in self.systems}

    def true_answered(self, cutoff: int = 10) -> dict[str, float]:
        """The exact probability that a system finds a relevant document to rank `cutoff`."""
        return {system.name: system.law.answered_within(cutoff) for system in self.systems}

    def qrels(self) -> dict[str, dict[str, int]]:
        """For every query its relevant documents, all of grade 1."""
        documents = self.queries.documents(np.arange(int(self.queries.relevant.max()))[None, :]).tolist()
        rows = zip(self.query_ids, documents, self.queries.relevant.tolist(), strict=True)
        return {query_id: {doc_id(document): 1 for document in row[:count]} for query_id, row, count in rows}

    def qrels_lines(self) -> Iterator[str]:
        """The lines of a TREC qrels file, each with its line end."""
        for query_id, grades in self.qrels().items():
            for document, grade in grades.items():
                yield f"{query_id} 0 {document} {grade}\n"

    def run(self, name: str) -> SimulatedRun:
        """The run of one system; it does not depend on how many others the board has."""
        if name not in self.names:
            raise UsageError(f"there is no system {name!r}; the systems are {', '.join(self.names)}")
        place = self.names.index(name)
        return draw_run(
            self.systems[place],
            self.queries,
            correlation=self.config.correlation,
            tie_share=self.config.tie_share,
            rng=generator(self.config.seed, BOARD, place + 1),
        )

    def run_lines(self, name: str) -> Iterator[str]:
        """The lines of the TREC run file of one system, each with its line end."""
        return self.run(name).lines()


def simulate_sparse_board(config: SparseBoardConfig | None = None) -> SparseBoard:
    """Simulate a board; the defaults make one of a thousand queries and eight runs.

    The queries have a random stream of their own and so has every run: no run moves another.

    >>> board = simulate_sparse_board(SparseBoardConfig(queries=50, runs=4))
    >>> board.names
    ('alder', 'birch', 'cedar', 'dogwood')
    >>> round(board.true_rr()["birch"], 4), round(board.true_rr()["cedar"], 4)
    (0.4189, 0.4189)
    """
    config = config or SparseBoardConfig()
    return SparseBoard(
        config=config,
        systems=tuple(make_system(place, config.depth) for place in range(config.runs)),
        queries=draw_queries(config.queries, config.mean_relevant, generator(config.seed, BOARD, 0)),
    )
