"""The plan of a campaign: pairs dealt out into batches, with test pairs, in random order and on random sides."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from runoff.errors import UsageError
from runoff.preferences import Pools, draw_known_pairs
from runoff.preferences.tasks import TaskPlan, known_pairs_needed
from runoff.server.store.campaign_plans import (
    NewTask,
    PlannedPair,
    PlannedTask,
    load_next_batch,
    load_tasks,
    save_tasks,
)
from runoff.server.store.campaign_pools import load_known_pairs, load_removed_known_pairs, save_known_pairs
from runoff.server.store.campaigns import Campaign
from runoff.tables.qrels import Qrels

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

Pair = tuple[str, str, str]
_STREAM: Final = 5
"""So that no other draw with the same seed is the same."""


def deal_batches(
    pairs: Sequence[Pair], known: Sequence[Pair], campaign: Campaign, *, first_batch: int, copies: int
) -> tuple[NewTask, ...]:
    """Deal pairs out into batches, filled evenly, each in several copies; the same input gives the same tasks.

    known  test pairs: (query, right answer, wrong answer); used in turn, and again if there are too few
    """
    check_known(pairs, known, campaign.tests_per_task)
    rng = np.random.default_rng([campaign.seed, _STREAM, first_batch])
    order = rng.permutation(len(pairs))
    parts = np.array_split(order, -(-len(pairs) // campaign.pairs_per_task)) if len(pairs) else []
    turns = _in_turn(known, campaign.tests_per_task, start=first_batch)
    return tuple(
        _task(first_batch + place, copy, [pairs[one] for one in part.tolist()], next(turns), rng)
        for place, part in enumerate(parts)
        for copy in range(1, copies + 1)
    )


@dataclass(frozen=True, kw_only=True)
class DuePair:
    """A pair that is due.

    wanted  how many judgments of it are asked for
    met     the assessors who had it before and cannot have it again
    """

    pair: Pair
    wanted: int
    met: frozenset[int] = frozenset()


def deal_due(
    due: Sequence[DuePair], known: Sequence[Pair], campaign: Campaign, *, first_batch: int, active: Collection[int],
    fewest: int = 1,
) -> tuple[NewTask, ...]:  # fmt: skip
    """Deal out pairs that are due, into batches for which there are assessors; a copy holds what needs one more.

    active  assessors who may still be given tasks; who had one pair of a batch cannot have the batch
    fewest  batches of fewer pairs are left for later
    """
    check_known([one.pair for one in due], known, campaign.tests_per_task)
    rng = np.random.default_rng([campaign.seed, _STREAM, first_batch])
    turns = _in_turn(known, campaign.tests_per_task, start=first_batch)
    found = []
    shuffled = [due[place] for place in rng.permutation(len(due)).tolist()]
    batches = [
        batch for batch in _batches(shuffled, campaign.pairs_per_task, frozenset(active)) if len(batch) >= fewest
    ]
    for number, batch in enumerate(batches, start=first_batch):
        for copy in range(1, max(one.wanted for one in batch) + 1):
            real = [one.pair for one in batch if one.wanted >= copy]
            found.append(_task(number, copy, real, next(turns), rng))
    return tuple(found)


def _batches(due: Sequence[DuePair], most: int, active: frozenset[int]) -> list[list[DuePair]]:
    """Pairs that need as many judgments and were met by the same people go together, others as long as enough are left.

    Two more than are needed must be left, because somebody may leave or fail.
    """
    found: list[list[DuePair]] = []
    met: frozenset[int] = frozenset()
    for one in sorted(due, key=lambda one: (one.wanted, sorted(one.met))):
        both = met | one.met
        fits = bool(found) and len(found[-1]) < most
        is_alike = fits and both == met and found[-1][-1].wanted == one.wanted
        fits = is_alike or (fits and len(active - both) >= one.wanted + 2)
        if fits:
            found[-1].append(one)
        else:
            found.append([one])
        met = both if fits else one.met
    return found


def more_copies(
    tasks: Sequence[PlannedTask], known: Sequence[Pair], campaign: Campaign, *, copies: int
) -> tuple[NewTask, ...]:
    """Copies of batches that have too few: the same real pairs, with other test pairs, order and sides."""
    found = []
    last: dict[int, PlannedTask] = {}
    for task in tasks:
        last[task.batch] = task
    for batch, task in last.items():
        rng = np.random.default_rng([campaign.seed, _STREAM, batch, task.copy])
        turns = _in_turn(known, campaign.tests_per_task, start=batch + task.copy)
        real = [pair.key for pair in task.pairs if pair.expected is None]
        found += [_task(batch, copy, real, next(turns), rng) for copy in range(task.copy + 1, copies + 1)]
    return tuple(found)


def check_known(pairs: Sequence[Pair], known: Sequence[Pair], wanted: int) -> None:
    """Refuse too few test pairs, and test pairs that are to be judged as well."""
    if pairs and len(set(known)) < wanted:
        raise UsageError(f"{len(set(known))} test pairs; expected {wanted} or more for a task; add some")
    both = {pair_key(pair) for pair in pairs} & {pair_key(pair) for pair in known}
    if both:
        query_id, one, other = min(both)
        raise UsageError(
            f"'{one}' and '{other}' of query '{query_id}' are a test pair and a pair to judge; remove the test pair"
        )


def save_drawn_pairs(
    connection: Connection, campaign: Campaign, pools: Pools, qrels: Qrels, *, actor: int | None, now: datetime
) -> int:
    """Draw as many test pairs as the tasks take, at most three a query; removed ones do not come back."""
    plan = TaskPlan(
        pairs_per_task=campaign.pairs_per_task,
        tests_per_task=campaign.tests_per_task,
        judgments_per_pair=campaign.judgments_per_pair,
    )
    most = 3 * max(len(pools.query_ids), campaign.tests_per_task)
    number = min(known_pairs_needed(max(pools.pair_count, 1), plan), most)
    drawn = draw_known_pairs(pools, qrels, number, seed=campaign.seed) if number else ()
    removed = set(load_removed_known_pairs(connection, campaign.id))
    kept = [pair for pair in drawn if pair not in removed]
    return save_known_pairs(connection, campaign.id, kept, drawn=True, actor=actor, now=now)


def save_missing_tasks(connection: Connection, campaign: Campaign, pairs: Sequence[Pair]) -> int:
    """Add to the plan what it lacks: batches for pairs that it does not have, and copies of batches with too few."""
    known = [one.pair for one in load_known_pairs(connection, campaign.id)]
    tasks = load_tasks(connection, campaign.id)
    there = {pair.key for task in tasks for pair in task.pairs if pair.expected is None}
    new = sorted({pair_key(pair) for pair in pairs} - there)
    copies = campaign.judgments_per_pair
    first = load_next_batch(connection, campaign.id)
    made = more_copies(tasks, known, campaign, copies=copies)
    made += deal_batches(new, known, campaign, first_batch=first, copies=copies)
    return save_tasks(connection, campaign.id, made)


def pair_key(pair: Pair) -> Pair:
    """Query and documents, whatever side they are on."""
    query_id, one, other = pair
    return (query_id, one, other) if one < other else (query_id, other, one)


def _in_turn(known: Sequence[Pair], number: int, *, start: int) -> Iterator[list[Pair]]:
    """Test pairs for one task after the other."""
    different = list(dict.fromkeys(known))
    place = start * number
    while True:
        yield [different[(place + one) % len(different)] for one in range(number)] if number else []
        place += number


def _task(batch: int, copy: int, real: Sequence[Pair], tests: Sequence[Pair], rng: np.random.Generator) -> NewTask:
    cards = [(pair, False) for pair in real] + [(pair, True) for pair in tests]
    flipped = (rng.random(len(cards)) < 0.5).tolist()
    pairs = []
    for place in rng.permutation(len(cards)).tolist():
        (query_id, one, other), is_test = cards[place]
        left, right = (other, one) if flipped[place] else (one, other)
        # Of a test pair the first document is the right answer.
        expected = ("right" if flipped[place] else "left") if is_test else None
        pairs.append(PlannedPair(query_id=query_id, left_doc=left, right_doc=right, expected=expected))  # type: ignore[arg-type]
    return NewTask(batch=batch, copy=copy, pairs=tuple(pairs))
