"""Means without single scores: the same words, keys and order as with them."""

import numpy as np
import pytest

from runoff.errors import UsageError
from runoff.measures import parse_measure
from runoff.results.evaluation import best_first
from runoff.verbs.evaluate import evaluate

QRELS = {"q1": {"d": 1}, "q2": {"e": 2}}
RUNS = [{"q1": {"x": 2.0, "d": 1.0}}, {"q1": {"d": 1.0}, "q2": {"e": 1.0}, "q3": {"e": 1.0}}]


def test_the_summary_says_what_the_result_says():
    result = evaluate(RUNS, QRELS, measures=["RR@10", "RBP(p=0.8)"])
    summary = result.summary
    assert summary.to_dict() == result.to_dict()
    assert summary.to_text(100) == result.to_text(100)
    assert summary.runs == result.runs == ("run 2", "run 1")
    assert summary.mean("run 1", "RR@10") == result.mean("run 1", "RR@10") == 0.25
    with pytest.raises(UsageError, match="no run 'run 3' was scored"):
        summary.mean("run 3", "RR@10")


@pytest.mark.parametrize("measure, order", [("RR@10", [2, 0, 3, 1]), ("ESL@10", [0, 3, 2, 1])])
def test_the_best_comes_first(measure, order):
    assert best_first(parse_measure(measure), np.array([0.5, np.nan, 0.7, 0.5]), ["a", "b", "c", "d"]) == order


def test_company_does_not_change_a_mean():
    random = np.random.default_rng(0)
    qrels = {f"q{place}": {"d": 1} for place in range(999)}
    runs = [
        {query: {f"x{rank}": 9.0 - rank for rank in range(random.integers(0, 9))} | {"d": 0.0} for query in qrels}
        for _ in range(3)
    ]
    together = evaluate(runs, qrels, measures=["RR", "RBP(p=0.8)"])
    for place in range(3):
        alone = evaluate([runs[place]], qrels, measures=["RR", "RBP(p=0.8)"])
        assert alone.mean("run 1", "RR") == together.mean(f"run {place + 1}", "RR")
