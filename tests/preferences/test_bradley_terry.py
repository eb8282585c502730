"""Bradley-Terry scores by evalica, checked by the equations that they solve."""

import sys

import numpy as np
import pytest
from hypothesis import given, settings

from runoff.errors import MissingExtraError
from runoff.preferences import bradley_terry, count_pairs, tournament
from runoff.tables import Preferences
from studies.assessors import AssessorsConfig, simulate_judgments
from tests.preferences.judged import judgments


@pytest.fixture
def evalica():
    return pytest.importorskip("evalica")


def slow_scores(votes, size):
    """Zermelo's iteration with one tie against an imaginary document; votes[i, j] is how often i was preferred to j."""
    wins = np.zeros((size + 1, size + 1))
    wins[:size, :size] = votes
    wins[:size, size] = wins[size, :size] = 0.5
    scores = np.ones(size + 1)
    for _ in range(3000):
        games = (wins + wins.T) / (scores[:, None] + scores)
        scores = wins.sum(axis=1) / games.sum(axis=1)
        scores /= scores.sum()
    return scores[:size] / scores[:size].sum()


@settings(max_examples=8)
@given(judgments())
def test_equals_a_slow_iteration(rows):
    pytest.importorskip("evalica")
    table = Preferences.of(rows)
    result, counts = bradley_terry(table), count_pairs(table)
    assert result.is_converged.all()
    for begin, end in zip(result.bounds[:-1].tolist(), result.bounds[1:].tolist(), strict=True):
        votes = np.zeros((end - begin, end - begin))
        for pair in np.flatnonzero((counts.first >= begin) & (counts.first < end)):
            i, j = counts.first[pair] - begin, counts.second[pair] - begin
            votes[i, j] = counts.first_votes[pair] + counts.ties[pair] / 2
            votes[j, i] = counts.second_votes[pair] + counts.ties[pair] / 2
        np.testing.assert_allclose(result.scores[begin:end], slow_scores(votes, end - begin), atol=1e-5)


def test_best_and_differing(evalica):
    rows = [("q", "a", "b", "a"), ("r", "x", "y", "x"), ("r", "x", "y", "y")]
    result = bradley_terry(Preferences.of(rows))
    assert result.best == (("a",), ("x", "y"))
    assert result.differing(tournament(Preferences.of(rows))) == ()
    assert result.differing(tournament(Preferences.of([("q", "a", "b", "b"), ("r", "x", "y", "x")]))) == ("q",)


def test_it_weighs_votes_that_the_majority_drops(evalica):
    # a beats b and c by one vote each; b beats c 9 to 0 and loses to a 4 to 5.
    rows = [("q", "a", "b", "a")] * 5 + [("q", "a", "b", "b")] * 4
    rows += [("q", "a", "c", "a")] * 5 + [("q", "a", "c", "c")] * 4 + [("q", "b", "c", "b")] * 9
    table = Preferences.of(rows)
    assert tournament(table).winners == (("a",),)
    assert bradley_terry(table).best == (("b",),)
    assert bradley_terry(table).differing(tournament(table)) == ("q",)


def test_the_true_best_of_careful_assessors(evalica):
    made = simulate_judgments(AssessorsConfig(queries=20, error=0.0, tests_per_task=0))
    assert [best[0] for best in bradley_terry(made.preferences).best] == list(made.best)


def test_without_evalica(monkeypatch):
    monkeypatch.setitem(sys.modules, "evalica", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'runoff\[bradley-terry\]'"):
        bradley_terry(Preferences.of([("q", "a", "b", "a")]))
