"""Better than the labels: decided by p and direction, and said without more."""

import pytest

from runoff.preferences import PreferredShare
from runoff.verdicts import Policy, better_than_labels


@pytest.mark.parametrize(
    "wins, losses, p, better, worse, words",
    [
        (150, 50, 0.001, True, False, "it is better than the labels, which cannot tell."),
        (50, 150, 0.001, False, True, "it is worse than the labels."),
        (110, 90, 0.2, False, False, "it is not shown to be better or worse than the labels."),
    ],
)
def test_what_is_decided_and_said(wins, losses, p, better, worse, words):
    verdict = better_than_labels("dense", PreferredShare.of(wins, losses), p)
    assert (verdict.better, verdict.worse) == (better, worse)
    assert verdict.sentence.endswith(words)
    assert f"{wins / 200:.1%} of 200 queries" in verdict.sentence


def test_the_level_is_the_policys():
    share = PreferredShare.of(120, 80)
    assert better_than_labels("dense", share, 0.02).better
    assert not better_than_labels("dense", share, 0.02, Policy(alpha=0.01)).better
    assert not better_than_labels("dense", share, 0.05).better


def test_even_splits_are_left_out():
    verdict = better_than_labels("dense", PreferredShare.of(6, 2, 2), 0.5)
    assert "75.0% of 8 queries (p = 0.5000)" in verdict.sentence
