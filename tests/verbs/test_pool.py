"""Pools of a board."""

from typing import Any

import pytest

import runoff
from runoff.verbs.pool import PoolOptions, pool
from tests.preferences.pooled import drawn_board

RUNS, QRELS = drawn_board(3)


def test_sizes_and_cost():
    found: Any = pool(RUNS, QRELS, options=PoolOptions(pay=1.0, fee=0.5, judgments_per_pair=2))
    content: Any = found.to_dict()
    assert content["pairs"] == found.pools.pair_count
    assert content["cost"] == pytest.approx(-(-found.pools.pair_count // 10) * 2 * 1.5)
    assert content["sample"] is None
    assert sum(row[1] for row in found.grid().rows) == 12
    assert "pairs 2 times takes" in " ".join(str(found).split())


def test_a_sample_and_its_board():
    found: Any = runoff.pool(RUNS, QRELS, options=PoolOptions(sample=5))
    assert len(found.query_ids) == 5
    assert found.check is not None
    assert len(found.grids()) == 2
    assert found.to_dict()["sample"]["tau"] == found.check.tau
    assert pool(RUNS[:1], QRELS, options=PoolOptions(sample=3)).check is None
    assert (found.check.measure, found.measure_note in found.opening(0)) == ("RR@10", True)
    named: Any = pool(RUNS, QRELS, options=PoolOptions(sample=5, measure="P@5"))
    assert (named.check.measure, named.measure_note) == ("P@5", "")


def test_some_queries():
    assert pool(RUNS, QRELS, queries=["q1", "q2"]).pools.query_ids == ("q1", "q2")


def test_charts_are_of_the_pools_and_of_the_sample():
    assert [chart.name for chart in pool(RUNS, QRELS).charts()] == ["pool_sizes"]
    sampled = pool(RUNS, QRELS, options=PoolOptions(sample=5))
    assert [chart.name for chart in sampled.charts()] == ["pool_sizes", "sample_check"]
    assert "queries" in sampled.chart().summary
