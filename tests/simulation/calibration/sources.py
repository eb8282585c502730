"""Small data to draw boards from: scores like AP, scores like RR, and ranked lists with one relevant document."""

from functools import lru_cache

import numpy as np

from runoff.measures import RR
from runoff.measures._example import serps_of
from runoff.simulation.calibration import BY_NAME, Settings, Source, simulate_calibration
from runoff.simulation.calibration._source import as_scores
from runoff.tables.scores import Scores

DEPTH = 10


@lru_cache
def ap_like(queries=60, runs=6):
    rng = np.random.default_rng(1)
    hard = rng.beta(1.2, 2.5, size=(queries, 1))
    steps = np.linspace(0, 0.1, runs)
    return Source(scores=as_scores(np.clip(hard + rng.normal(0, 0.12, (queries, runs)) + steps, 0, 1), "AP"))


@lru_cache
def with_lists(queries=80, runs=5):
    """Ranks that are alike between runs; RR@10 of them, and the lists themselves."""
    rng = np.random.default_rng(2)
    hard = rng.random((queries, 1))
    ranks = np.floor(1 + 13 * np.clip(0.7 * hard + 0.3 * rng.random((queries, runs)), 0, 1) ** 2).astype(int)
    serps = tuple(
        serps_of(
            *[[int(place == rank) for place in range(1, DEPTH + 1)] for rank in column],
            judged=[[0, 1]] * queries,
            run=f"r{number}",
        )
        for number, column in enumerate(ranks.T)
    )
    values = np.column_stack([RR(cutoff=DEPTH).values(one) for one in serps])
    scores = Scores(measure="RR@10", query_ids=serps[0].query_ids, runs=tuple(one.run for one in serps), values=values)
    return Source(scores=scores, serps=serps, cutoff=DEPTH)


def shares(name, source, *, queries=40, boards=60, seed=0, **settings):
    """What some boards show of a quantity, by key: the line of each."""
    chosen = Settings(trials=100, **settings)
    found = simulate_calibration(source, [BY_NAME[name]], queries=[queries], boards=boards, seed=seed, settings=chosen)
    return {line.line.key: line for line in found.lines}
