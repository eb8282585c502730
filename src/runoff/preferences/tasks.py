"""Tasks: pairs and test pairs dealt out to assessors in random order and on random sides, and what they cost."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from runoff.arguments import checks_arguments
from runoff.errors import UsageError
from runoff.phrases import counted
from runoff.preferences.pools import NOTHING, Pools, TopDocs
from runoff.tables.preferences import Preferences
from runoff.tables.qrels import Qrels
from runoff.tables.tasks import JudgingPair, Tasks

PAIRS_PER_TASK = 10
TESTS_PER_TASK = 3
PAY = 2.00
FEE = 0.40


@dataclass(frozen=True, kw_only=True)
class JudgingCost:
    """The cost of judging every pair a number of times; `total` is in the currency of pay and fee."""

    pairs: int
    judgments_per_pair: int
    pairs_per_task: int
    tasks: int
    pay: float
    fee: float
    total: float


def judging_cost(
    pairs: int,
    *,
    judgments_per_pair: int = 1,
    pairs_per_task: int = PAIRS_PER_TASK,
    pay: float = PAY,
    fee: float = FEE,
) -> JudgingCost:
    """What it costs to have some pairs judged.

        tasks  =  ceil(pairs / pairs per task) x judgments per pair
        total  =  tasks x (pay + fee)

    Arabzadeh et al. 2021, sections 3.1 and 4.1, https://arxiv.org/abs/2109.00062: a task of ten pairs and three test
    pairs is paid $2.00 and costs a fee of $0.40, and 141,887 pairs would cost over $34,000.

    >>> cost = judging_cost(141_887)
    >>> cost.tasks, cost.total
    (14189, 34053.6)
    """
    for name, value, low in (
        ("pairs", pairs, 0),
        ("judgments_per_pair", judgments_per_pair, 1),
        ("pairs_per_task", pairs_per_task, 1),
        ("pay", pay, 0),
        ("fee", fee, 0),
    ):
        if not value >= low:
            raise UsageError(f"{name} is {value}; expected {low} or more")
    tasks = -(-pairs // pairs_per_task) * judgments_per_pair
    return JudgingCost(
        pairs=pairs,
        judgments_per_pair=judgments_per_pair,
        pairs_per_task=pairs_per_task,
        tasks=tasks,
        pay=pay,
        fee=fee,
        total=round(tasks * (pay + fee), 2),
    )


Pair = tuple[str, str, str]


@checks_arguments
@dataclass(frozen=True, kw_only=True)
class TaskPlan:
    """How pairs are dealt out.

    pairs_per_task      real pairs in a task at most; tasks differ by one pair at most
    tests_per_task      test pairs in every task
    judgments_per_pair  tasks that hold the same pair; no task holds it twice
    """

    pairs_per_task: int = PAIRS_PER_TASK
    tests_per_task: int = TESTS_PER_TASK
    judgments_per_pair: int = 1
    seed: int = 0


def known_pairs_needed(pairs: int, plan: TaskPlan) -> int:
    """How many test pairs the tasks of a number of different pairs take if none is used twice."""
    return -(-pairs // plan.pairs_per_task) * plan.judgments_per_pair * plan.tests_per_task


def make_tasks(
    pairs: Sequence[Pair],
    known_pairs: Sequence[Pair],
    *,
    plan: TaskPlan | None = None,
    judged: Preferences | None = None,
    name: str = "tasks",
) -> Tasks:
    """Deal pairs out into tasks; the same input and seed give the same tasks, ids included.

    pairs   (query, document, document) of each; one that is listed several times is wanted as many times as often
    known_pairs   test pairs: (query, right answer, wrong answer); used in turn, and again if there are too few
    judged  judgments that are there already: a pair with enough of them is left out

    Tasks are filled evenly, so that no last task has one pair and three test pairs. The id of a task begins with a hash
    of all tasks made with it, so that tasks made from other pairs never share an id.

    Arabzadeh et al. 2021, section 3.1, https://arxiv.org/abs/2109.00062

    >>> pairs = [("q", "a", other) for other in "bcdefghijkl"]
    >>> tasks = make_tasks(pairs, [("r", "x", "a")] * 6, plan=TaskPlan(tests_per_task=1))
    >>> [len(rows) for rows in tasks.by_task.values()], tasks.real_pairs
    ([7, 6], 11)
    """
    plan = plan or TaskPlan()
    wanted = _wanted(pairs, judged, plan.judgments_per_pair)
    if plan.tests_per_task and wanted and len(set(known_pairs)) < plan.tests_per_task:
        raise UsageError(
            f"{len(set(known_pairs))} test pairs; expected {plan.tests_per_task} or more, so that none is twice in a "
            "task; give more, or ask for fewer in a task"
        )
    both = {_key(pair) for pair, _ in wanted} & {_key(pair) for pair in known_pairs}
    if both:
        query_id, first, second = min(both)
        raise UsageError(
            f"'{first}' and '{second}' of query '{query_id}' are a test pair and a pair to judge; expected test pairs "
            "apart from the others; remove the test pair"
        )
    rng = np.random.default_rng([plan.seed, 2])
    dealt = list(_dealt(wanted, known_pairs, plan, rng))
    digest = hashlib.sha256(repr(dealt).encode()).hexdigest()[:8]
    width = max(len(str(len(dealt))), 4)
    rows = [
        JudgingPair(
            f"{digest}-{number:0{width}d}", place, pair_id(query_id, left, right), query_id, left, right, expected
        )
        for number, cards in enumerate(dealt, start=1)
        for place, (query_id, left, right, expected) in enumerate(cards, start=1)
    ]
    return Tasks(name=name, pairs=tuple(rows))


def pair_id(query_id: str, first: str, second: str) -> str:
    """A short id of a query and two documents, whatever side they are on.

    >>> pair_id("q", "a", "b") == pair_id("q", "b", "a") != pair_id("q", "a", "c")
    True
    """
    return hashlib.sha256("\0".join(_key((query_id, first, second))).encode()).hexdigest()[:12]


def _key(pair: Pair) -> Pair:
    query_id, first, second = pair
    return (query_id, first, second) if first < second else (query_id, second, first)


def _wanted(pairs: Sequence[Pair], judged: Preferences | None, wanted: int) -> list[tuple[Pair, int]]:
    """Every pair once, in alphabetical order, with how many judgments it still needs; those that need none are out.

    A pair that is listed twice needs twice as many.
    """
    done: Counter[Pair] = Counter()
    if judged is not None:
        done.update(_key((row.query_id, row.left, row.right)) for row in judged if row.expected is None)
    listed = Counter(_key(pair) for pair in pairs)
    return [(key, times * wanted - done[key]) for key, times in sorted(listed.items()) if done[key] < times * wanted]


def _dealt(
    wanted: Sequence[tuple[Pair, int]], known_pairs: Sequence[Pair], plan: TaskPlan, rng: np.random.Generator
) -> Iterator[list[tuple[str, str, str, str | None]]]:
    """The pairs of one task after the other, on their sides; each round deals out every pair that needs it, once."""
    turn = 0
    for round_number in range(max((missing for _, missing in wanted), default=0)):
        deck = [pair for pair, missing in wanted if missing > round_number]
        order = rng.permutation(len(deck))
        for part in np.array_split(order, -(-len(deck) // plan.pairs_per_task)) if deck else ():
            tests: dict[Pair, None] = {}
            while len(tests) < plan.tests_per_task:
                tests[known_pairs[turn % len(known_pairs)]] = None
                turn += 1
            cards: list[tuple[Pair, str | None]] = [(deck[place], None) for place in part.tolist()]
            cards += [(pair, pair[1]) for pair in tests]
            flipped = rng.random(len(cards)) < 0.5
            yield [
                (query_id, second, first, expected) if flipped[place] else (query_id, first, second, expected)
                for place in rng.permutation(len(cards)).tolist()
                for (query_id, first, second), expected in [cards[place]]
            ]


TRIES = 1000


def draw_known_pairs(pools: Pools, qrels: Qrels, number: int, *, seed: int = 0) -> tuple[tuple[str, str, str], ...]:
    r"""Draw test pairs: (query, right answer, wrong answer), no query twice before all have had one.

    The right answer is the first qrel of a query of the pools, the wrong one the first qrel of another query that is
    neither in the pool nor in the qrels of the first. Whether it is plainly off topic, only a person can see: two
    queries may ask the same. Have a look at the pairs, or give your own.

    >>> from runoff.files import read_qrels
    >>> from runoff.preferences.pools import make_pools
    >>> qrels = read_qrels(b"q1 0 a 1\nq2 0 b 1\n")
    >>> sorted(draw_known_pairs(make_pools([], qrels), qrels, 2))
    [('q1', 'a', 'b'), ('q2', 'b', 'a')]
    """
    rng = np.random.default_rng([seed, 1])
    first = TopDocs.perfect(qrels, pools.query_ids)
    answers = {
        query_id: first.docs[place]
        for query_id, place in zip(pools.query_ids, first.places[0].tolist(), strict=True)
        if place != NOTHING
    }
    others = TopDocs.perfect(qrels)
    off_topic = [
        (qrels.query_ids[place], others.docs[doc])
        for place, doc in enumerate(others.places[0].tolist())
        if doc != NOTHING
    ]
    if number and (not answers or len(off_topic) < 2):
        raise UsageError(
            f"{counted(len(answers), 'query has', 'queries have')} a relevant document; expected two or "
            "more, since a test pair sets that of one query against that of another; give test pairs of your own"
        )
    near = _near(pools, qrels)
    queries = list(answers)
    drawn: list[tuple[str, str, str]] = []
    while len(drawn) < number:
        before = len(drawn)
        for place in rng.permutation(len(queries)).tolist():
            query_id = queries[place]
            for _ in range(TRIES):
                other, doc_id = off_topic[int(rng.integers(len(off_topic)))]
                if other != query_id and doc_id not in near[query_id]:
                    drawn.append((query_id, answers[query_id], doc_id))
                    break
            if len(drawn) == number:
                break
        if len(drawn) == before:
            raise UsageError(
                "no document of another query is off topic: all are in the pools or the qrels of the same queries; "
                "expected queries with documents of their own; give test pairs of your own"
            )
    return tuple(drawn)


def _near(pools: Pools, qrels: Qrels) -> dict[str, set[str]]:
    """Of each query the documents that cannot be called off topic."""
    near: dict[str, set[str]] = {query_id: set() for query_id in pools.query_ids}
    docs = list(pools.docs)
    for query, doc in zip(pools.item_query.tolist(), pools.item_doc.tolist(), strict=True):
        near[pools.query_ids[query]].add(docs[doc])
    for query_id, doc_id, _ in qrels:
        if query_id in near:
            near[query_id].add(doc_id)
    return near
