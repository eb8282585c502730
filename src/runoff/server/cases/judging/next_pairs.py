"""The sequential way: which comparison of a query is due next, and tasks made from those that are due.

What is due is read without a lock, because it takes a while; it is kept in a short transaction, if nobody else has
added tasks meanwhile.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Final

from runoff.preferences.sequential import SequentialPlan, SequentialResult, searches
from runoff.server.cases.judging.plan import DuePair, deal_due, pair_key
from runoff.server.cases.judging.votes import load_tallies
from runoff.server.store.campaign_plans import (
    NewTask,
    load_asked_queries,
    load_due_state,
    load_is_at_work,
    load_met,
    load_next_batch,
    save_tasks,
)
from runoff.server.store.campaign_pools import load_candidates, load_known_pairs, load_pool_queries
from runoff.server.store.campaigns import Campaign, load_campaign, lock_campaign
from runoff.server.store.database import Database
from runoff.server.store.participation import load_participations

if TYPE_CHECKING:
    from sqlalchemy import Connection

PLAN: Final = SequentialPlan(keep_lead=2, replace_lead=3, most_judgments=9)
"""When a match is decided; `runoff maintain --sequential` has the same."""
AS_GOOD_AS: Final = 3
"""Judging every pair this often finds the best document about as often as the plan; docs/method/preferences.md."""
PER_MATCH: Final = 4.5
"""Judgments that a match takes on average if a third of them err; docs/method/preferences.md."""
_TRIES: Final = 3
_FEW: Final = 400
"""Up to this many queries are loaded by name; more are counted with all others."""


@dataclass(frozen=True, kw_only=True)
class DueTasks:
    """Tasks that can be added to the plan as long as its next batch is still the same."""

    next_batch: int
    tasks: tuple[NewTask, ...]


def load_searches(
    connection: Connection, campaign: Campaign, *, queries: Collection[str] | None = None
) -> tuple[SequentialResult, ...]:
    """How far the search for the best document of every query has come, or of some queries."""
    candidates = load_candidates(connection, campaign.id, queries=queries)
    return searches(candidates, load_tallies(connection, campaign, queries=queries), plan=PLAN)


def load_due_tasks(connection: Connection, campaign: Campaign) -> DueTasks:
    """Tasks of the comparisons that are due and in no open task.

    As long as others are at work, pairs that would fill less than half of a task wait for more.
    """
    first = load_next_batch(connection, campaign.id)
    nothing = DueTasks(next_batch=first, tasks=())
    if campaign.way != "sequential" or campaign.state != "open":
        return nothing
    asked = load_asked_queries(connection, campaign.id)
    free = [query_id for query_id in load_pool_queries(connection, campaign.id) if query_id not in asked]
    if not free:
        return nothing
    # Where a task has ended, a few queries are free, and nothing has changed for the others.
    found = load_searches(connection, campaign, queries=free if len(free) <= _FEW else None)
    matches = {search.query_id: search.due for search in found if search.due and search.query_id not in asked}
    if not matches:
        return nothing
    met = load_met(connection, campaign.id, matches)
    due = []
    for query_id, match in sorted(matches.items()):
        pair = (query_id, match.best, match.candidate)
        due.append(DuePair(pair=pair, wanted=match.due, met=met.get(pair_key(pair), frozenset())))
    # A deeper pool may hold both documents of a test pair.
    asked_now = {pair_key(one.pair) for one in due}
    known = [one.pair for one in load_known_pairs(connection, campaign.id) if pair_key(one.pair) not in asked_now]
    active = [one.person_id for one in load_participations(connection, campaign.id) if one.is_active]
    fewest = -(-campaign.pairs_per_task // 2) if asked else 1
    return DueTasks(
        next_batch=first, tasks=deal_due(due, known, campaign, first_batch=first, active=active, fewest=fewest)
    )


def save_due_tasks(connection: Connection, campaign_id: int, due: DueTasks | None = None) -> int | None:
    """Add tasks of the comparisons that are due and return how many; None if the plan is another than `due` was for.

    Whoever adds tasks locks the campaign. If no batch was added since `due` was read, nobody was asked for its queries,
    so nothing is known of them that was not known then.
    """
    campaign = lock_campaign(connection, campaign_id)
    found = load_due_tasks(connection, campaign) if due is None else due
    if campaign.state != "open" or load_next_batch(connection, campaign_id) != found.next_batch:
        return None
    return save_tasks(connection, campaign_id, found.tasks)


_planning: Final[dict[tuple[str, int], Lock]] = {}
_nothing_due: Final[dict[tuple[str, int], object]] = {}


def plan_due_tasks(database: Database, campaign_id: int) -> bool:
    """Add the tasks that are due, and say whether there may be something new to take.

    Of several threads one looks and the others wait for it. Where nothing was due, and no task has ended since, nobody
    looks again.
    """
    key = _key(database, campaign_id)
    lock = _planning.setdefault(key, Lock())
    if not lock.acquire(blocking=False):
        with lock:
            return True
    try:
        return any(_plan_once(database, campaign_id, key) for _ in range(_TRIES))
    finally:
        lock.release()


def may_have_more(database: Database, campaign_id: int) -> bool:
    """Whether tasks may still come: some are not done, or one has ended since it was last seen that nothing is due."""
    with database.read() as connection:
        return load_is_at_work(connection, campaign_id) or (
            _nothing_due.get(_key(database, campaign_id)) != load_due_state(connection, campaign_id)
        )


def _key(database: Database, campaign_id: int) -> tuple[str, int]:
    return str(database.url), campaign_id


def _plan_once(database: Database, campaign_id: int, key: tuple[str, int]) -> bool:
    """Look once, and add what is due; whether something was added."""
    with database.read() as connection:
        state = load_due_state(connection, campaign_id)
        if _nothing_due.get(key) == state:
            return False
        due = load_due_tasks(connection, load_campaign(connection, campaign_id))
    if not due.tasks:
        _nothing_due[key] = state
        return False
    return bool(database.write(lambda connection: save_due_tasks(connection, campaign_id, due)))
