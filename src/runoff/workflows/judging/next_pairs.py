"""The sequential way: which comparison of a query is due next, and tasks made from those that are due.

`next_step` is the boundary: given what is known of a query it says who is the best and which pair is due. Any rule with
the same signature can take its place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from runoff.store.campaign_plans import load_next_batch, load_tasks, save_tasks
from runoff.store.campaign_pools import PoolItem, load_pool
from runoff.store.campaigns import Campaign, lock_campaign
from runoff.store.known_pairs import load_known_pairs
from runoff.workflows.judging.plan import deal_batches
from runoff.workflows.judging.votes import load_counted

if TYPE_CHECKING:
    from sqlalchemy import Connection

Votes = Mapping[tuple[str, str], tuple[int, int]]


@dataclass(frozen=True, kw_only=True)
class QueryState:
    """What is known of a query.

    docs   its documents: the label first, then the others in the order in which they are to meet the best
    votes  (document, document), in alphabetical order: how often each of the two was preferred
    """

    query_id: str
    docs: tuple[str, ...]
    votes: Votes

    def between(self, one: str, other: str) -> tuple[int, int]:
        """How often each of two documents was preferred to the other."""
        if one < other:
            return self.votes.get((one, other), (0, 0))
        votes = self.votes.get((other, one), (0, 0))
        return votes[1], votes[0]


@dataclass(frozen=True, kw_only=True)
class Step:
    """Where a query stands.

    best     the best known answer
    pair     the comparison that is due, the best first; None if the best has met everybody
    wanted   how many more judgments of it to ask for before looking again
    waiting  documents that the best has still to meet, that of the pair among them
    """

    best: str
    pair: tuple[str, str] | None
    wanted: int
    waiting: int


NextStep = Callable[[QueryState, int], Step]


def majority_of(state: QueryState, judgments_per_pair: int) -> Step:
    """The best meets the next candidate until one has the majority of so many judgments; the winner stays.

    An even split leaves the best where it is. Who has lost a comparison is no candidate any more. Judgments are asked
    for only as long as they can still change the majority.

    >>> state = QueryState(query_id="q", docs=("a", "b", "c"), votes={("a", "b"): (0, 2)})
    >>> majority_of(state, 3)
    Step(best='b', pair=('b', 'c'), wanted=2, waiting=1)
    """
    needed = judgments_per_pair // 2 + 1
    settled: dict[tuple[str, str], bool] = {}
    for one in state.docs:
        for other in state.docs:
            won, lost = state.between(one, other)
            if one != other and (max(won, lost) >= needed or won + lost >= judgments_per_pair):
                settled[one, other] = won > lost
    best, beaten = state.docs[0], set()
    while winners := [doc for doc in state.docs if doc not in beaten and settled.get((doc, best))]:
        beaten.add(best)
        best = winners[0]
    beaten |= {doc for doc in state.docs if any(settled.get((other, doc)) for other in state.docs)}
    waiting = [doc for doc in state.docs if doc != best and doc not in beaten and (best, doc) not in settled]
    if not waiting:
        return Step(best=best, pair=None, wanted=0, waiting=0)
    won, lost = state.between(best, waiting[0])
    wanted = min(needed - max(won, lost), judgments_per_pair - won - lost)
    return Step(best=best, pair=(best, waiting[0]), wanted=wanted, waiting=len(waiting))


next_step: NextStep = majority_of


def query_states(items: Sequence[PoolItem], votes: Mapping[str, Votes]) -> tuple[QueryState, ...]:
    """The state of every query: the label first, then what most runs brought."""
    pools: dict[str, list[PoolItem]] = {}
    for item in items:
        pools.setdefault(item.query_id, []).append(item)
    return tuple(
        QueryState(
            query_id=query_id,
            docs=tuple(one.doc_id for one in sorted(pool, key=lambda one: (not one.labelled, -one.runs, one.doc_id))),
            votes=votes.get(query_id, {}),
        )
        for query_id, pool in pools.items()
    )


def load_steps(connection: Connection, campaign: Campaign) -> dict[str, Step]:
    """Where every query of a campaign stands."""
    states = query_states(load_pool(connection, campaign.id), load_counted(connection, campaign))
    return {state.query_id: next_step(state, campaign.judgments_per_pair) for state in states}


def save_due_tasks(connection: Connection, campaign_id: int) -> int:
    """Make tasks of the comparisons that are due and in no open task; return how many.

    As long as others are at work, fewer pairs than fill a task wait for more.
    """
    campaign = lock_campaign(connection, campaign_id)
    if campaign.way != "sequential" or campaign.state != "open":
        return 0
    at_work = [task for task in load_tasks(connection, campaign_id) if task.state != "done"]
    asked = {pair.query_id for task in at_work for pair in task.pairs if pair.expected is None}
    due: dict[int, list[tuple[str, str, str]]] = {}
    for query_id, step in load_steps(connection, campaign).items():
        if step.pair is not None and query_id not in asked:
            due.setdefault(step.wanted, []).append((query_id, *step.pair))
    if at_work and sum(map(len, due.values())) < campaign.pairs_per_task:
        return 0
    known = [one.pair for one in load_known_pairs(connection, campaign_id)]
    made = 0
    for copies, pairs in sorted(due.items()):
        first = load_next_batch(connection, campaign_id)
        tasks = deal_batches(sorted(pairs), known, campaign, first_batch=first, copies=copies)
        made += save_tasks(connection, campaign_id, tasks)
    return made
