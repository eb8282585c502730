"""Simulated assessors: their judgments of pairs and tasks whose better document is known."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError
from runoff.tables.preferences import LEFT, RIGHT, Judgment, Preferences
from runoff.tables.tasks import Tasks

Places = NDArray[np.int64]
Sides = NDArray[np.int8]


@dataclass(frozen=True, eq=False, kw_only=True)
class Panel:
    """Who judges.

    own_error    float64, assessors: how often each prefers the worse document of a real pair
    is_careless  bool, assessors: who answers at random, in test pairs too
    closeness    how far the error of close pairs grows towards 0.5: by closeness^gap; 0 for the same error everywhere
    side_bias    share of judgments in which the left document is preferred without looking
    """

    own_error: NDArray[np.float64]
    is_careless: NDArray[np.bool_]
    closeness: float = 0.0
    side_bias: float = 0.0


@dataclass(frozen=True, eq=False, kw_only=True)
class TruePairs:
    """Pairs to judge, one entry each: the query, the truly better document, the worse one, and the task.

    gap  how many places they are apart in the true order, 1 or more; 0 marks a test pair
    """

    query: Places
    good: Places
    bad: Places
    gap: Places
    task: Places


@dataclass(frozen=True, eq=False, kw_only=True)
class JudgedPairs:
    """One entry per judgment; `choice` is LEFT or RIGHT, `expected` too for a test pair and else 0."""

    query: Places
    left: Places
    right: Places
    choice: Sides
    assessor: Places
    task: Places
    expected: Sides


def judge(pairs: TruePairs, panel: Panel, *, copies: int, rng: np.random.Generator) -> JudgedPairs:
    """Let as many different assessors as there are `copies` do every task; sides are random.

    Careful assessors never fail a test pair.

    >>> one = np.array([0])
    >>> pairs = TruePairs(query=one, good=one, bad=one + 1, gap=one + 1, task=one)
    >>> sure = Panel(own_error=np.zeros(3), is_careless=np.zeros(3, dtype=bool))
    >>> found = judge(pairs, sure, copies=3, rng=np.random.default_rng(0))
    >>> sorted(found.assessor.tolist()), set(np.where(found.choice == LEFT, found.left, found.right).tolist())
    ([0, 1, 2], {0})
    """
    assessors = len(panel.own_error)
    query, good, bad, gap, task = (
        np.tile(column, copies) for column in (pairs.query, pairs.good, pairs.bad, pairs.gap, pairs.task)
    )
    turn = np.repeat(np.arange(copies), len(pairs.query))
    begin = rng.integers(0, assessors, int(pairs.task.max()) + 1)
    who = (begin[task] + turn) % assessors
    is_left = rng.random(len(query)) < 0.5
    prefers_good = rng.random(len(query)) >= error_at(panel.own_error[who], gap, panel.closeness)
    prefers_left = prefers_good == is_left
    blind = panel.is_careless[who]
    prefers_left = np.where(blind, rng.random(len(query)) < 0.5, prefers_left)
    biased = (rng.random(len(query)) < panel.side_bias) & (blind | (gap > 0))
    return JudgedPairs(
        query=query,
        left=np.where(is_left, good, bad),
        right=np.where(is_left, bad, good),
        choice=np.where(prefers_left | biased, LEFT, RIGHT).astype(np.int8),
        assessor=who,
        task=task,
        expected=np.where(gap > 0, 0, np.where(is_left, LEFT, RIGHT)).astype(np.int8),
    )


def error_at(own: NDArray[np.float64], gap: Places, closeness: float) -> NDArray[np.float64]:
    """The chance to prefer the worse of two documents that are a number of places apart; 0 for test pairs (gap 0)."""
    grown = own + (0.5 - own) * (closeness**gap if closeness else 0.0)
    return np.where(gap > 0, grown, 0.0)


SECONDS = 20.0


def simulate_answers(
    tasks: Tasks,
    *,
    error: float = 0.33,
    careless: float = 0.0,
    assessors: int = 20,
    worth: Mapping[tuple[str, str], float] | None = None,
    seed: int = 0,
) -> Preferences:
    """Answer every pair of some tasks, as assessors would who prefer the worse of two documents with some chance.

    error      that chance, from 0 to 0.5; test pairs are always answered right
    careless   share of assessors who choose a side at random, in test pairs too
    assessors  how many there are; tasks go round among them
    worth      of each (query, document); without it worth is drawn at random and has nothing to do with texts or runs

    The answers say nothing about which pairs are test pairs, as those of a crowdsourcing site do.

    >>> from runoff.preferences import make_tasks
    >>> tasks = make_tasks([("q", "a", "b")], [("q", "a", "x"), ("q", "a", "y"), ("q", "a", "z")])
    >>> answers = simulate_answers(tasks, error=0.0, worth={("q", "b"): 2.0, ("q", "a"): 1.0})
    >>> sorted(row.preferred for row in answers)
    ['a', 'a', 'a', 'b']
    """
    for name, value, high in (("error", error, 0.5), ("careless", careless, 1.0)):
        if not 0.0 <= value <= high:
            raise UsageError(f"{name} is {value}; expected 0 to {high}")
    if assessors < 1:
        raise UsageError(f"assessors is {assessors}; expected 1 or more")
    rng = np.random.default_rng([seed, 4])
    blind = rng.permutation(assessors) < round(careless * assessors)
    errs, coin = rng.random(len(tasks.pairs)) < error, rng.random(len(tasks.pairs)) < 0.5
    seconds = rng.gamma(4.0, SECONDS / 4.0, len(tasks.pairs)).round(1)
    turn = {task: number % assessors for number, task in enumerate(tasks.by_task)}
    rows = []
    for place, row in enumerate(tasks):
        who = turn[row.task]
        if row.expected is not None:
            chosen = row.expected
        else:
            left, right = (
                worth.get((row.query_id, doc), 0.0) if worth is not None else _made_up(row.query_id, doc, seed)
                for doc in (row.left, row.right)
            )
            chosen = row.left if (left > right) != bool(errs[place]) else row.right
        if blind[who]:
            chosen = row.left if coin[place] else row.right
        name = f"assessor-{who + 1}"
        rows.append(Judgment(row.query_id, row.left, row.right, chosen, name, row.task, float(seconds[place])))
    return Preferences.of(rows, name="simulated answers")


def _made_up(query_id: str, doc_id: str, seed: int) -> float:
    """A number from 0 to 1 that is always the same for the same query, document and seed."""
    digest = hashlib.sha256(f"{seed}\0{query_id}\0{doc_id}".encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64
