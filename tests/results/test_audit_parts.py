"""The orders of the runs: leaders, ties, the choice of runs to show."""

import numpy as np
import pytest

from runoff.boards import generalization, rank_sets, stability
from runoff.results.audit_parts import FEW_RUNS, Condition, Orders
from runoff.tables import Scores

QUERIES = tuple(f"q{place}" for place in range(40))


def condition(name, values):
    runs = tuple(f"r{place:02}" for place in range(values.shape[1]))
    scores = Scores(measure="RR@10", query_ids=QUERIES, runs=runs, values=values)
    return Condition(
        name=name,
        query_set=name,
        labels="l",
        measure="RR@10",
        asked="RR@10",
        level=1,
        best_is_low=False,
        set_queries=40,
        scores=scores,
    )


def orders_of(*tables, baselines=()):
    conditions = tuple(condition(f"c{place}", values) for place, values in enumerate(tables))
    decisions = tuple(rank_sets(one.scores, trials=999) for one in conditions)
    if len(conditions) == 1:
        alone = stability(conditions[0].scores, trials=50)
        return Orders(conditions=conditions, stabilities=(alone,), decisions=decisions, generalization=None,
                      baselines=baselines)  # fmt: skip
    found = generalization({one.name: one.scores for one in conditions}, trials=50)
    return Orders(conditions=conditions, stabilities=found.stabilities, decisions=decisions, generalization=found,
                  baselines=baselines)  # fmt: skip


def steps(runs, shift=0.0):
    """A table in which run 0 is the best, run 1 the next, and so on."""
    rng = np.random.default_rng(0)
    return rng.random((len(QUERIES), runs)) * 0.01 - np.arange(runs) + shift


def test_the_best_under_the_first_condition_is_first():
    orders = orders_of(steps(3)[:, ::-1], steps(3))
    assert orders.runs == ("r02", "r01", "r00")
    assert [orders.leaders(number) for number in (0, 1)] == [("r02",), ("r00",)]
    assert [orders.spread(run) for run in orders.runs] == [2.0, 0.0, 2.0]
    (pair,) = orders.pairs()
    assert (pair.first, pair.second, pair.tau) == ("c0", "c1", -1.0)
    assert pair.reference == orders.generalization.references[0, 1]


def test_runs_that_tie_lead_together():
    values = steps(3)
    values[:, 1] = values[:, 0]
    assert orders_of(values).leaders(0) == ("r00", "r01")


def test_runs_that_are_not_shown_to_be_worse_than_the_leader_are_counted():
    close = steps(4)
    close[:, 2] = close[::-1, 0]  # the same mean on other queries
    orders = orders_of(close, steps(4))
    assert [orders.not_worse(number) for number in (0, 1)] == [1, 0]
    assert [decided.could_be_best.sum() - 1 for decided in orders.decisions] == [1, 0]


def test_one_condition_has_no_spread_and_no_pairs():
    orders = orders_of(steps(3))
    assert orders.pairs() == []
    assert {orders.spread(run) for run in orders.runs} == {0.0}


def test_pairs_come_with_the_least_alike_first():
    mixed = steps(4)[:, [1, 0, 2, 3]]
    orders = orders_of(steps(4), mixed, steps(4)[:, ::-1])
    found = orders.generalization
    assert [(pair.first, pair.second) for pair in orders.pairs()] == [("c0", "c2"), ("c1", "c2"), ("c0", "c1")]
    assert [pair.tau for pair in orders.pairs()] == [found.taus[0, 2], found.taus[1, 2], found.taus[0, 1]]


def test_a_few_runs_are_all_shown():
    orders = orders_of(steps(FEW_RUNS), steps(FEW_RUNS))
    assert orders.chosen() == orders.runs
    assert orders.chosen(["r03", "r01"]) == ("r01", "r03")


@pytest.mark.parametrize("runs", [FEW_RUNS + 1, 30])
def test_of_many_runs_the_best_and_those_that_move_are_shown(runs):
    moved = list(range(runs))
    moved[-1], moved[12] = moved[12], moved[-1]
    orders = orders_of(steps(runs), steps(runs)[:, moved])
    chosen = orders.chosen()
    assert len(chosen) == FEW_RUNS
    assert chosen[:10] == orders.runs[:10]
    assert {orders.runs[12], orders.runs[-1]} <= set(chosen)
    assert sorted(chosen, key=orders.runs.index) == list(chosen)


def test_leaders_of_all_conditions_and_baselines_are_always_shown():
    runs = 30
    moved = [29, *range(1, 29), 0]
    orders = orders_of(steps(runs), steps(runs)[:, moved], baselines=("r20",))
    assert orders.leading == ("r00", "r29")
    assert {"r00", "r29", "r20"} <= set(orders.chosen())
    assert orders.highlighted((), 7) == ("r00", "r29", "r20")
    assert orders.highlighted(["r03", "r01"], 7) == ("r01", "r03")


def test_two_places_of_the_figure_are_for_baselines():
    tied = steps(9)
    tied[:, 1:8] = tied[:, :1]
    orders = orders_of(tied, steps(9), baselines=("r08", "r01", "r07"))
    assert orders.leading == tuple(f"r0{place}" for place in range(8))
    assert orders.highlighted((), 7) == ("r00", "r01", "r02", "r03", "r04", "r05", "r08")
