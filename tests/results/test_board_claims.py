"""What a board claims: the numbers of the layers below, in words and under keys."""

import numpy as np
import pytest

from runoff.boards import board_resolution, rank_sets, stability, winner
from runoff.results.board_claims import claims_of
from runoff.verdicts import Policy
from tests.boards.matrices import board


def claims(values, *, policy=None, **options):
    scores, asked = board(values), policy or Policy()
    decisions = rank_sets(scores, alpha=asked.alpha, trials=500, **options)
    return claims_of(scores, asked, stability(scores, trials=100, **options), decisions, **options)


VALUES = np.random.default_rng(0).random((60, 5)) + np.array([0.5, 0.5, 0.4, 0.2, 0.0])


def test_numbers_are_those_of_the_layers_below():
    found, scores = claims(VALUES), board(VALUES)
    assert (found.decisions.p == rank_sets(scores, trials=500).p).all()
    assert found.winner == winner(scores, trials=100)
    assert found.resolution == board_resolution(scores)
    content = found.to_dict()
    assert content.keys() == {"winner", "resolution"}
    assert content["winner"]["ci95"][0] <= content["winner"]["corrected"] <= content["winner"]["ci95"][1]
    assert content["resolution"]["smallest"] == found.resolution.smallest


def test_the_level_is_that_of_the_policy():
    found = claims(VALUES, policy=Policy(alpha=0.2))
    assert found.resolution == board_resolution(board(VALUES), level=0.2)
    assert found.decisions.alpha == 0.2


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
