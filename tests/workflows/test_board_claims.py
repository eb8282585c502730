"""What a board claims: the numbers of the layers below, in words and under keys."""

import numpy as np
import pytest

from runoff.boards import best_set, board_resolution, stability, winner
from runoff.verdicts import Policy
from runoff.workflows.board_claims import claims_of
from tests.boards.test_best_set import board


def claims(values, **options):
    return claims_of(board(values), Policy(), stability(board(values), trials=100, **options), **options)


VALUES = np.random.default_rng(0).random((60, 5)) + np.array([0.5, 0.5, 0.4, 0.2, 0.0])


def test_numbers_are_those_of_the_layers_below():
    found, scores = claims(VALUES), board(VALUES)
    assert found.best.best == best_set(scores, trials=100).best
    assert found.winner == winner(scores, trials=100)
    assert found.resolution == board_resolution(scores)
    content = found.to_dict()
    assert content["best_set"]["runs"] == list(found.best.best)
    assert content["winner"]["ci95"][0] <= content["winner"]["corrected"] <= content["winner"]["ci95"][1]
    assert content["resolution"]["smallest"] == found.resolution.smallest


def test_alike_is_symmetric_and_leaves_the_run_out():
    found = claims(VALUES)
    for run in found.best.runs:
        assert run not in found.alike(run)
        assert all(run in found.alike(other) for other in found.alike(run))
    order = [f"r{place}" for place in range(5)]
    assert found.alike_ranks("r0", order).startswith("2")


def test_sentences():
    best, top, seen = claims(VALUES).sentences()
    assert best.startswith("2 of the 5 runs could be the best, with 95% confidence: r") or "3 of the 5" in best
    assert "was picked as the best of 5; corrected for that it is 1.01" in top
    assert "are seen with less than 80% power by these 60 queries (t test at 0.05, not corrected, the middle" in seen
    assert seen.endswith("queries at that level.")
    clear = claims(np.random.default_rng(1).random((60, 2)) + np.array([3, 0])).sentences()
    assert clear[0] == "Only r0 could be the best of the 2 runs, with 95% confidence."
    assert clear[2].endswith("is large enough to be seen.")
    alike = claims(np.random.default_rng(2).random((20, 3))).sentences()
    assert alike[0] == "Any of the 3 runs could be the best, with 95% confidence."


@pytest.mark.parametrize("values", [[[0.5], [0.2]], [[0.5, 0.2]], [[0.5, 0.5], [0.2, 0.2]]])
def test_nothing_can_be_claimed_of_one_run_one_query_or_equal_runs(values):
    assert claims(values) is None


def test_the_same_seed_gives_the_same_words():
    assert claims(VALUES).sentences() == claims(VALUES).sentences()


def test_the_sentence_on_the_best_is_true_of_simulated_boards():
    """Of boards whose first run is truly best, the named ones hold it in 95% at least."""
    rng = np.random.default_rng(3)
    held = []
    for _ in range(120):
        found = claims(rng.normal(size=(80, 6)) - 0.05 * np.arange(6))
        assert found is not None
        held.append(found.could_be_best("r0"))
    assert np.mean(held) >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / 120)
