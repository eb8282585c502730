"""What a board claims: the numbers of the layers below, in words and under keys."""

import numpy as np
import pytest

from runoff.boards import board_power, stability, winner
from runoff.reading.boards import board_data_of_scores
from runoff.tables.board import BoardRun
from runoff.verbs._board_parts import claims_of, costs_of
from runoff.verdicts import Policy
from tests.boards.matrices import board


def claims(values, *, policy=None, measure=None):
    data = board_data_of_scores(board(values), measure=measure, policy=policy)
    return claims_of(data, stability(data.scores, trials=100, best_is_low=data.best_is_low))


VALUES = np.random.default_rng(0).random((60, 5)) + np.array([0.5, 0.5, 0.4, 0.2, 0.0])


def test_numbers_are_those_of_the_layers_below():
    found, scores = claims(VALUES), board(VALUES)
    assert found.winner == winner(scores, trials=100)
    assert found.resolution == board_power(scores)
    content = found.to_dict()
    assert content.keys() == {"winner", "resolution"}
    assert content["winner"]["ci95"][0] <= content["winner"]["corrected"] <= content["winner"]["ci95"][1]
    assert content["resolution"]["smallest"] == found.resolution.smallest


def test_the_level_is_that_of_the_policy():
    found = claims(VALUES, policy=Policy(alpha=0.2))
    assert found.resolution == board_power(board(VALUES), level=0.2)


def test_sentences():
    top, seen = claims(VALUES).sentences()
    assert top.startswith("The score of r")
    assert "was picked as the best of 5; corrected for that it is 1.01" in top
    assert seen.startswith("With 60 queries, differences below 0.")
    assert "usually go undetected (80% power, t test at 0.05, median of 10 pairs). The lead of r" in seen
    assert seen.endswith(" queries.")
    clear = claims(np.random.default_rng(1).random((60, 2)) + np.array([3, 0])).sentences()
    assert "median of 1 pair)" in clear[1]
    assert clear[1].endswith("is large enough to be detected.")


def test_more_than_anybody_could_have_is_said_as_more_than_a_million():
    values = np.random.default_rng(2).random((60, 2))
    values[:, 1] += values[:, 0].mean() - values[:, 1].mean() + 1e-5
    seen = claims(values).sentences()[1]
    assert claims(values).resolution.gap_needed > 1_000_000
    assert seen.endswith("0.0000, would need more than a million queries.")


@pytest.mark.parametrize("values", [[[0.5], [0.2]], [[0.5, 0.2]], [[0.5, 0.5], [0.2, 0.2]]])
def test_nothing_can_be_claimed_of_one_run_one_query_or_equal_runs(values):
    assert claims(values) is None


def test_the_same_seed_gives_the_same_words():
    assert claims(VALUES).sentences() == claims(VALUES).sentences()


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
