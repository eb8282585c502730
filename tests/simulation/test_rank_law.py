from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from runoff.errors import UsageError
from runoff.simulation.rank_law import RankLaw


def test_true_values_by_hand():
    law = RankLaw(answered=0.75, steepness=1.0, depth=2)
    # Weights 1 and 1/2, so P(1) = 0.5 and P(2) = 0.25.
    assert law.shares() == pytest.approx([0.5, 0.25])
    assert law.expected_rr(1) == pytest.approx(0.5)
    assert law.expected_rr(2) == pytest.approx(0.625)
    assert law.expected_rr(100) == pytest.approx(0.625)
    assert law.answered_within(1) == pytest.approx(0.5)
    assert law.expected_esl(2) == pytest.approx(4 / 3)


def test_harmonic_weights_exactly():
    depth = 30
    total = sum(Fraction(1, rank) for rank in range(1, depth + 1))
    exact = Fraction(1, 2) * sum(Fraction(1, rank**2) for rank in range(1, 11)) / total
    assert RankLaw(answered=0.5, steepness=1.0, depth=depth).expected_rr(10) == pytest.approx(float(exact), rel=1e-12)


def test_ranks_have_their_probabilities():
    law = RankLaw(answered=0.8, steepness=1.2, depth=20)
    count = 200_000
    ranks = law.ranks(np.random.default_rng(1).standard_normal(count))
    shares = np.bincount(ranks, minlength=21) / count
    expected = np.concatenate([[1 - law.answered], law.shares()])
    assert np.abs(shares - expected).max() < 5 * np.sqrt(0.25 / count)


def test_harder_queries_are_answered_later_or_not_at_all():
    ranks = RankLaw(answered=0.9, steepness=1.0, depth=10).ranks(np.linspace(-4, 4, 1001))
    as_late = np.where(ranks == 0, 11, ranks)
    assert (np.diff(as_late) >= 0).all()
    assert as_late[0] == 1
    assert as_late[-1] == 11


@pytest.mark.parametrize(
    "change, message",
    [
        ({"answered": 0.0}, "answered is 0.0"),
        ({"answered": 1.0}, "answered is 1.0"),
        ({"answered": float("nan")}, "answered is nan"),
        ({"steepness": -1.0}, "steepness is -1.0"),
        ({"depth": 0}, "depth is 0"),
    ],
)
def test_impossible_laws_are_refused(change, message):
    with pytest.raises(UsageError, match=message):
        RankLaw(**{"answered": 0.5, "steepness": 1.0, "depth": 10, **change})
