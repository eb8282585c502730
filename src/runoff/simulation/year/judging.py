"""The preference judgments of the simulated year: pools of top documents, tasks, and one careless assessor."""

from __future__ import annotations

from typing import Final

import numpy as np

from runoff.simulation._streams import YEAR, generator
from runoff.simulation.panel import JudgedPairs, Panel, TruePairs, judge
from runoff.simulation.year.cast import Role
from runoff.simulation.year.questions import Places
from runoff.simulation.year.year import JUDGING, SimulatedYear
from runoff.tables.ids import Ids
from runoff.tables.preferences import Preferences

ERROR: Final = 0.33
"""How often a careful assessor prefers the worse document: the estimate of Arabzadeh et al. 2021, section 3.2."""
POOLED: Final[tuple[Role, ...]] = ("champion", "lucky", "trade_off", "better_than_labels", "overfitted")
"""The runs whose first documents are judged, beside the labels."""
ASSESSORS: Final = 24
CARELESS: Final = 12
"""The place of the assessor who answers at random."""
JUDGMENTS_PER_PAIR: Final = 3
_PAIRS_PER_TASK, _TESTS_PER_TASK = 10, 3


def pooled_runs(year: SimulatedYear) -> tuple[str, ...]:
    """The names of the runs whose first documents are judged."""
    return tuple(year.plan(role).name for role in POOLED)


def assessor_name(place: int) -> str:
    """The name of an assessor."""
    return f"assessor-{place + 1:02d}"


def judge_year(year: SimulatedYear) -> Preferences:
    """All pairs of the pools of the judged queries, each judged three times, in tasks with test pairs.

    A pool is what the pooled runs have first, and the label. A test pair sets the label of a query against that of
    another query, which is off topic.
    """
    rng = generator(year.config.seed, YEAR, JUDGING)
    pairs = _tests(_pairs(year, rng), year, rng)
    panel = Panel(
        own_error=np.full(ASSESSORS, ERROR),
        is_careless=np.arange(ASSESSORS) == CARELESS,
    )
    judged = judge(pairs, panel, copies=JUDGMENTS_PER_PAIR, rng=rng)
    return _table(year, judged, rng)


def _pairs(year: SimulatedYear, rng: np.random.Generator) -> TruePairs:
    """All pairs of each pool, shuffled and dealt into tasks; documents are numbers."""
    questions = year.questions
    pairs: list[tuple[int, int, int]] = []
    for row in year.judged.tolist():
        tops = [int(year.ranked[name][row, 0]) for name in pooled_runs(year)]
        pool = np.unique([*tops, int(questions.label[row])])
        pool = pool[np.argsort(-questions.value[row, pool])].tolist()
        pairs += [(row, first, second) for place, first in enumerate(pool) for second in pool[place + 1 :]]
    query, good, bad = np.array(pairs, dtype=np.int64)[rng.permutation(len(pairs))].T
    return TruePairs(
        query=query,
        good=questions.documents[query, good],
        bad=questions.documents[query, bad],
        gap=np.ones(len(query), dtype=np.int64),
        task=np.arange(len(query)) // _PAIRS_PER_TASK,
    )


def _tests(pairs: TruePairs, year: SimulatedYear, rng: np.random.Generator) -> TruePairs:
    """The pairs with the test pairs of every task behind them."""
    questions = year.questions
    tasks = int(pairs.task[-1]) + 1
    query = rng.choice(year.judged, size=tasks * _TESTS_PER_TASK)
    other = (query + rng.integers(1, len(questions), size=len(query))) % len(questions)
    label = questions.documents[np.arange(len(questions)), questions.label]
    return TruePairs(
        query=np.concatenate([pairs.query, query]),
        good=np.concatenate([pairs.good, label[query]]),
        bad=np.concatenate([pairs.bad, label[other]]),
        gap=np.concatenate([pairs.gap, np.zeros(len(query), dtype=np.int64)]),
        task=np.concatenate([pairs.task, np.repeat(np.arange(tasks), _TESTS_PER_TASK)]),
    )


def _table(year: SimulatedYear, judged: JudgedPairs, rng: np.random.Generator) -> Preferences:
    """The judgments as a table, task by task, with the seconds each took; the careless are quick."""
    order = np.lexsort((rng.random(len(judged.query)), judged.assessor, judged.task))
    query, left, right, who = (column[order] for column in (judged.query, judged.left, judged.right, judged.assessor))
    documents, places = np.unique(np.concatenate([left, right]), return_inverse=True)
    queries, row_query = np.unique(query, return_inverse=True)
    seconds = np.where(who == CARELESS, 3.0, 18.0) * np.exp(0.5 * rng.standard_normal(len(query)))
    task: Places = judged.task[order]
    return Preferences(
        name="judgments",
        query_ids=tuple(map(str, year.questions.numbers[queries].tolist())),
        docs=Ids.of(f"D{number}" for number in documents.tolist()),
        row_query=row_query.astype(np.int32),
        left=places[: len(left)].astype(np.int32),
        right=places[len(left) :].astype(np.int32),
        choice=judged.choice[order],
        assessors=tuple(assessor_name(place) for place in range(ASSESSORS)),
        row_assessor=who.astype(np.int32),
        tasks=tuple(f"task-{number + 1:04d}" for number in range(int(task.max()) + 1)),
        row_task=task.astype(np.int32),
        seconds=np.round(seconds, 1),
        expected=judged.expected[order],
    )
