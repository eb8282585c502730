"""Test pairs: a known relevant document against one off topic, taken from another query."""

from __future__ import annotations

import numpy as np

from runoff.errors import UsageError
from runoff.preferences.pools import Pools
from runoff.preferences.tops import NOTHING, TopDocs
from runoff.tables.qrels import Qrels

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
            f"{len(answers)} queries have a relevant document; expected two or more, since a test pair sets that "
            "of one query against that of another; give test pairs of your own"
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
