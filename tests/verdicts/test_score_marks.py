"""Marks of a table of systems: all pairs of a measure are one family, decided as a verdict is."""

import numpy as np
import pytest

from runoff.significance import BY_NAME
from runoff.verdicts import Policy, decided_pairs

RNG = np.random.default_rng(4)
BASE = RNG.random(40)
SHIFTS = {"b": 0.2, "c": 0.03, "d": -0.15}
COLUMNS = {"a": BASE} | {name: BASE + shift + 0.2 * RNG.standard_normal(40) for name, shift in SHIFTS.items()}


def three_pairs():
    pairs = [("a", name) for name in SHIFTS]
    return [
        (
            first,
            second,
            float(np.mean(COLUMNS[second] - COLUMNS[first])),
            BY_NAME["t"].compare(COLUMNS[first], COLUMNS[second]),
        )
        for first, second in pairs
    ]


@pytest.mark.parametrize("correction", ["none", "bonferroni", "holm"])
def test_one_family_per_measure(correction):
    pairs = decided_pairs(three_pairs(), Policy(correction=correction), measure="AP", best_is_low=False)
    raw = [pair.test.p for pair in pairs]
    ranks = np.argsort(np.argsort(raw))
    factors = {"none": [1, 1, 1], "bonferroni": [3, 3, 3], "holm": (3 - ranks).tolist()}[correction]
    assert [pair.facet.p for pair in pairs] == pytest.approx(
        [min(1, p * by) for p, by in zip(raw, factors, strict=True)]
    )
    assert [pair.better for pair in pairs] == ["b", None, "a"]
    size = 1 if correction == "none" else 3
    assert {pair.facet.family.size for pair in pairs} == {size}


def test_lower_is_better_for_some_measures():
    pairs = decided_pairs(three_pairs(), Policy(), measure="ESL@10", best_is_low=True)
    assert [pair.better for pair in pairs] == ["a", None, "d"]
    assert pairs[0].difference > 0


def test_a_rank_test_against_the_mean_shows_nothing():
    """Most queries gain a little, and a few lose a lot: the mean falls, and the ranks favour the second."""
    first, second = np.zeros(40), np.full(40, 0.01)
    second[:3] = -1.0
    second += np.arange(40) * 1e-6
    test = BY_NAME["signed_rank"].compare(first, second)
    assert test.p < 0.001
    (pair,) = decided_pairs([("a", "b", float(second.mean()), test)], Policy(), measure="AP", best_is_low=False)
    assert pair.better is None
