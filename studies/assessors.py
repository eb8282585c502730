"""Simulated assessors: judgments of pairs whose true order is known."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError
from runoff.simulation.panel import Panel, TruePairs, judge
from runoff.tables.ids import Ids
from runoff.tables.preferences import Preferences


@dataclass(frozen=True, kw_only=True)
class AssessorsConfig:
    """What to simulate.

    pool                documents per query; all their pairs are judged
    judgments_per_pair  by as many different assessors
    error               chance that a careful assessor prefers the worse document, from 0 to 0.5
    closeness           how far the error of close pairs grows towards 0.5: that of documents g places apart is
                        error + (0.5 - error) x closeness^g; 0 for the same error everywhere
    spread              an assessor's own error is from error - spread to error + spread, kept within 0 and 0.5
    side_bias           share of judgments in which the left document is preferred without looking
    careless            share of assessors who prefer either side at random, in test pairs too
    pairs_per_task      real pairs in a task, and tests_per_task test pairs with them
    """

    queries: int = 100
    pool: int = 5
    judgments_per_pair: int = 3
    error: float = 0.33
    closeness: float = 0.0
    spread: float = 0.0
    side_bias: float = 0.0
    careless: float = 0.0
    assessors: int = 20
    pairs_per_task: int = 10
    tests_per_task: int = 3
    seed: int = 0

    def __post_init__(self) -> None:
        for name, value, low, high in (
            ("queries", self.queries, 1, 10**6),
            ("pool", self.pool, 2, 1000),
            ("judgments_per_pair", self.judgments_per_pair, 1, 1000),
            ("error", self.error, 0.0, 0.5),
            ("closeness", self.closeness, 0.0, 1.0),
            ("spread", self.spread, 0.0, 0.5),
            ("side_bias", self.side_bias, 0.0, 1.0),
            ("careless", self.careless, 0.0, 1.0),
            ("assessors", self.assessors, self.judgments_per_pair, 10**6),
            ("pairs_per_task", self.pairs_per_task, 1, 10**6),
            ("tests_per_task", self.tests_per_task, 0, 100),
            ("seed", self.seed, 0, 2**128),
        ):
            if not low <= value <= high:
                raise UsageError(f"{name} is {value}; expected {low} to {high}")


@dataclass(frozen=True, eq=False)
class SimulatedJudgments:
    """Judgments, and the truth behind them.

    best        the truly best document of each query
    order       int64, queries x pool: the documents from the best to the worst, as places in preferences.docs
    own_error   float64, assessors: how often each errs on pairs that are far apart
    is_careless bool, assessors: who answers at random
    """

    config: AssessorsConfig
    preferences: Preferences = field(repr=False)
    best: tuple[str, ...] = field(repr=False)
    order: NDArray[np.int64] = field(repr=False)
    own_error: NDArray[np.float64] = field(repr=False)
    is_careless: NDArray[np.bool_] = field(repr=False)


def simulate_judgments(config: AssessorsConfig | None = None) -> SimulatedJudgments:
    """Judge all pairs of some pools with assessors whose errors are known; the same seed gives the same judgments.

    Tasks are of `pairs_per_task` pairs each, and every task is done by `judgments_per_pair` assessors. Its test pairs
    set the best document of a query against one off topic. Careful assessors never fail them.

    >>> made = simulate_judgments(AssessorsConfig(queries=4, pool=3, judgments_per_pair=1, error=0.0))
    >>> from runoff.preferences import tournament
    >>> [winners[0] for winners in tournament(made.preferences).winners] == list(made.best)
    True
    """
    config = config or AssessorsConfig()
    rng = np.random.default_rng(config.seed)
    order = rng.permuted(np.tile(np.arange(config.pool), (config.queries, 1)), axis=1)
    order += np.arange(config.queries)[:, None] * config.pool
    own_error = np.clip(config.error + config.spread * rng.uniform(-1, 1, config.assessors), 0.0, 0.5)
    is_careless = np.arange(config.assessors) < round(config.careless * config.assessors)

    better, worse = np.triu_indices(config.pool, 1)
    pair_query = np.repeat(np.arange(config.queries), len(better))
    shuffled = rng.permutation(len(pair_query))
    pair = np.tile(np.arange(len(better)), config.queries)[shuffled]
    pair_query = pair_query[shuffled]
    task = np.arange(len(pair)) // config.pairs_per_task
    tasks = int(task[-1]) + 1
    # the real pairs, then the test pairs: the best document against the one that is off topic everywhere
    off_topic = config.queries * config.pool
    test_query = rng.integers(0, config.queries, tasks * config.tests_per_task)
    query = np.concatenate([pair_query, test_query])
    good = np.concatenate([order[pair_query, better[pair]], order[test_query, 0]])
    bad = np.concatenate([order[pair_query, worse[pair]], np.full(len(test_query), off_topic)])
    gap = np.concatenate([(worse - better)[pair], np.zeros(len(test_query), dtype=np.int64)])
    task = np.concatenate([task, np.repeat(np.arange(tasks), config.tests_per_task)])

    panel = Panel(own_error=own_error, is_careless=is_careless, closeness=config.closeness, side_bias=config.side_bias)
    pairs = TruePairs(query=query, good=good, bad=bad, gap=gap, task=task)
    judged = judge(pairs, panel, copies=config.judgments_per_pair, rng=rng)
    return SimulatedJudgments(
        config=config,
        preferences=Preferences(
            name="simulated judgments",
            query_ids=tuple(f"q{place + 1}" for place in range(config.queries)),
            docs=Ids.of([*(f"d{place + 1}" for place in range(off_topic)), "off-topic"]),
            row_query=judged.query.astype(np.int32),
            left=judged.left.astype(np.int32),
            right=judged.right.astype(np.int32),
            choice=judged.choice,
            assessors=tuple(f"assessor-{place + 1}" for place in range(config.assessors)),
            row_assessor=judged.assessor.astype(np.int32),
            tasks=tuple(f"task-{place + 1}" for place in range(tasks)),
            row_task=judged.task.astype(np.int32),
            seconds=np.full(len(judged.query), np.nan),
            expected=judged.expected,
        ),
        best=tuple(f"d{place + 1}" for place in order[:, 0].tolist()),
        order=order,
        own_error=own_error,
        is_careless=is_careless,
    )
