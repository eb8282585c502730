"""Fingerprints of runs, and what they tell."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from runoff.boards.suspicious import (
    FIRST_RANKS,
    LEAST_FIELD,
    LEAST_KNOWN,
    changed_queries,
    fingerprints,
    is_few_changed,
    known_shares,
)
from runoff.reading.sources import as_run

Lists = dict[str, list[str]]


def run_of(lists: Lists):
    return as_run({query: {doc: -rank for rank, doc in enumerate(docs)} for query, docs in lists.items()}, name="r")


def drawn(seed: int, *, queries: int = 12, docs: int = 30) -> Lists:
    draw = random.Random(seed)
    return {
        f"q{number}": draw.sample([f"d{doc}" for doc in range(docs)], draw.randrange(1, 15))
        for number in range(queries)
        if draw.random() < 0.9
    }


def table_of(lists: Lists, queries=None, depth=100):
    return fingerprints(run_of(lists), lists if queries is None else queries, depth=depth)


def test_changed_queries_are_those_of_a_slow_comparison():
    for seed in range(40):
        draw = random.Random(seed)
        first, second = drawn(seed), drawn(seed + 1000)
        # Some lists are the same in both.
        second |= {query: docs for query, docs in first.items() if draw.random() < 0.6}
        wanted = [f"q{number}" for number in range(0, 12, draw.choice([1, 2]))]
        depth = draw.choice([1, 3, 100])
        slow = sum(first.get(query, [])[:depth] != second.get(query, [])[:depth] for query in wanted)
        tables = [table_of(lists, wanted, depth) for lists in (first, second)]
        assert changed_queries(*tables) == changed_queries(*reversed(tables)) == slow
        assert changed_queries(tables[0], tables[0]) == 0


def test_known_shares_are_those_of_a_slow_count():
    for seed in range(20):
        draw = random.Random(seed)
        runs = [drawn(1000 * seed + number) for number in range(5)]
        owners = [draw.randrange(7, 10) for _ in runs]
        found = known_shares([table_of(lists) for lists in runs], owners)
        for place, lists in enumerate(runs):
            others = [other for other, owner in zip(runs, owners, strict=True) if owner != owners[place]]
            tops = [(query, doc) for query, docs in lists.items() for doc in docs[:FIRST_RANKS]]
            known = [any(doc in other.get(query, [])[:FIRST_RANKS] for other in others) for query, doc in tops]
            assert found[place] == pytest.approx(np.mean(known))


def test_nothing_is_known_of_a_run_without_public_queries():
    assert len(known_shares([], [])) == 0
    shares = known_shares([table_of(drawn(1), []), table_of(drawn(2)), table_of(drawn(2))], [1, 2, 3])
    assert np.isnan(shares[0])
    assert shares[1:].tolist() == [1.0, 1.0]


def test_lists_of_other_lengths_and_queries_of_other_names_differ():
    first = table_of({"a": ["x", "y"], "b": ["x"]})
    assert changed_queries(first, table_of({"a": ["x"], "b": ["x"]})) == 1
    assert changed_queries(first, table_of({"a": ["xy"], "b": ["x"]})) == 1
    assert changed_queries(first, table_of({"a": ["x", "y"], "c": ["x"]})) == 2
    assert changed_queries(first, table_of({"a": ["x", "y"]})) == 1


@pytest.mark.parametrize("board, runs, queries", [("dl21/runs", 42, 53), ("robust03", 12, 100)])
@pytest.mark.parametrize("depth", [10, 100])
def test_no_real_run_is_suspicious(shared_data, board, runs, queries, depth):
    folder = shared_data / board
    paths = sorted(path for path in folder.iterdir() if not path.name.startswith("qrels"))
    read = [as_run(path) for path in paths]
    public = set().union(*(run.query_ids for run in read))
    tables = [fingerprints(run, public, depth=depth) for run in read]
    assert (len(tables), len(public)) == (runs, queries)
    assert min(map(len, tables)) == queries
    pairs = itertools.combinations(tables, 2)
    assert not any(is_few_changed(changed_queries(*pair), queries) for pair in pairs)
    assert known_shares(tables, range(runs)).min() > 2 * LEAST_KNOWN
    # Beside the fewest others, drawn by chance, hardly any.
    draw = random.Random(1)
    some = [known_shares(draw.sample(tables, LEAST_FIELD + 1), range(LEAST_FIELD + 1)) for _ in range(200)]
    assert (np.concatenate(some) < LEAST_KNOWN).mean() < 0.005
