"""Comparisons of runs whose labels are fractions: at a level, exactly those of binary labels."""

from functools import cache

import numpy as np
import pytest

from runoff.comparisons import break_even, ipso, ipso_all_pairs, outcomes, outcomes_all_pairs, recall_paired
from runoff.errors import UsageError
from runoff.reading.sources import as_qrels, as_run
from runoff.significance import BY_NAME

LEVELS = (1, 2)


@cache
def serps(level=None):
    """Three runs; with a level under labels that are 1 where a grade reaches it."""
    rng = np.random.default_rng(11)
    queries, docs = [f"q{number}" for number in range(25)], [f"d{number}" for number in range(20)]
    drawn = rng.choice([0, 0, 0.3, 1, 1.8, 2.5], (25, 20)).tolist()
    grades = {query: dict(zip(docs, own, strict=True)) for query, own in zip(queries, drawn, strict=True)}
    if level is not None:
        grades = {query: {doc: int(grade >= level) for doc, grade in own.items()} for query, own in grades.items()}
    runs = [{query: dict(zip(docs, rng.permutation(20).tolist(), strict=True)) for query in queries} for _ in "abc"]
    labels = as_qrels(grades)
    return tuple(as_run(run, name=name).serps(labels, depth=10) for run, name in zip(runs, "abc", strict=True))


def both(level):
    return (serps(), level), (serps(level), 1)


@pytest.mark.parametrize("level", LEVELS)
def test_outcomes(level):
    found, plain = (outcomes(*pair[:2], cutoff=10, level=asked) for pair, asked in both(level))
    np.testing.assert_array_equal(found.levels, plain.levels)
    assert found.shares == plain.shares
    pairs, binary = (outcomes_all_pairs(some, BY_NAME["t"], cutoff=10, level=asked) for some, asked in both(level))
    np.testing.assert_array_equal(pairs.more, binary.more)
    np.testing.assert_array_equal(pairs.sooner_p, binary.sooner_p)


@pytest.mark.parametrize("level", LEVELS)
def test_break_even_and_recall(level):
    found, plain = (break_even(*pair[:2], cutoff=10, level=asked) for pair, asked in both(level))
    np.testing.assert_array_equal(found.saved, plain.saved)
    ranks, binary = (recall_paired(*pair[:2], level=asked) for pair, asked in both(level))
    np.testing.assert_array_equal(ranks.rpp, binary.rpp)


@pytest.mark.parametrize("level", LEVELS)
def test_ipso(level):
    found, plain = (ipso(*pair[:2], depth=10, level=asked) for pair, asked in both(level))
    np.testing.assert_array_equal(found.relations, plain.relations)
    np.testing.assert_array_equal(found.shown, plain.shown)
    assert (found.query_ids, found.most_relevant) == (plain.query_ids, plain.most_relevant)
    pairs, binary = (ipso_all_pairs(some, depth=10, level=asked) for some, asked in both(level))
    np.testing.assert_array_equal(pairs.ni, binary.ni)
    assert (pairs.topics, pairs.most_relevant) == (binary.topics, binary.most_relevant)


def test_other_fractions_are_other_labels():
    first = as_run({"q": {"a": 1.0}}).serps(as_qrels({"q": {"a": 0.5}}), depth=2)
    second = as_run({"q": {"a": 1.0}}, name="b").serps(as_qrels({"q": {"a": 1.5}}), depth=2)
    with pytest.raises(UsageError, match="or other grades; expected the same labels"):
        outcomes(first, second, cutoff=2)
