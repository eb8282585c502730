"""Simulated answers to tasks: judgments of pairs by assessors who err, about documents whose worth is made up."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import numpy as np

from runoff.errors import UsageError
from runoff.tables.preferences import Judgment, Preferences
from runoff.tables.tasks import Tasks

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
