"""Costs of runs and their frontier, by a plain loop."""

import numpy as np
import pytest

from runoff.results.board_costs import costs_of
from runoff.tables.board import BoardRun


def runs_of(costs):
    return [BoardRun(name=name, costs=one) for name, one in costs.items()]


def test_no_costs_are_none():
    assert costs_of([BoardRun(name="a")], {"a": 0.5}) is None


@pytest.mark.parametrize("best_is_low", [False, True])
def test_the_frontier_by_a_plain_loop(best_is_low):
    rng = np.random.default_rng(0)
    names = [f"r{place}" for place in range(30)]
    means = {name: float(rng.integers(0, 6)) / 6 for name in names}
    prices = {name: {"ms": float(rng.integers(1, 6)), "usd": float(rng.integers(1, 6))} for name in names}
    found = costs_of(runs_of(prices), means, best_is_low=best_is_low)
    assert found is not None

    def beats(one, other):
        pairs = [(-means[one] if not best_is_low else means[one], -means[other] if not best_is_low else means[other])]
        pairs += [(prices[one][what], prices[other][what]) for what in ("ms", "usd")]
        return all(mine <= theirs for mine, theirs in pairs) and any(mine < theirs for mine, theirs in pairs)

    for name in names:
        assert found.frontier[name] == (not any(beats(other, name) for other in names))


def test_a_run_without_a_cost_is_left_out():
    found = costs_of(runs_of({"a": {"ms": 5}, "b": {"usd": 1.0, "ms": 4}, "c": {}}), {"a": 0.9, "b": 0.5, "c": 1.0})
    assert found is not None
    assert found.names == ("ms", "usd")
    assert found.values == {"a": (5, None), "b": (4, 1.0), "c": (None, None)}
    assert found.frontier == {"b": True}
    assert found.sentence() == "The one run with known costs is on the frontier of the mean, ms and usd."
    more = costs_of(runs_of({"a": {"ms": 5}, "b": {"ms": 4}}), {"a": 0.4, "b": 0.5})
    assert more is not None
    assert more.sentence() == (
        "1 run is on the frontier of the mean and ms, out of 2 with known costs: b; for each of the others some run is "
        "at least as good and as cheap."
    )
