"""Agreement of repeated judgments."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.preferences import agreement
from runoff.tables import Preferences
from studies.assessors import AssessorsConfig, simulate_judgments
from tests.preferences.judged import judgments, mirrored


def by_pair(rows):
    pairs: dict[tuple[str, frozenset[str]], list[tuple[str | None, str | None]]] = {}
    for query, left, right, preferred, who in rows:
        pairs.setdefault((query, frozenset((left, right))), []).append((preferred, who))
    return pairs


@given(judgments())
def test_equals_slow_counts(rows):
    result = agreement(Preferences.of(rows))
    pairs = [[preferred for preferred, _ in votes] for votes in by_pair(rows).values()]
    several = [votes for votes in pairs if len(votes) > 1]
    assert (result.pairs, result.repeated, result.judgments) == (len(pairs), len(several), sum(map(len, several)))
    assert result.unanimous == sum(len(set(votes)) == 1 and votes[0] is not None for votes in several)
    chances = [
        sum(one == other for i, one in enumerate(votes) for j, other in enumerate(votes) if i != j)
        / (len(votes) * (len(votes) - 1))
        for votes in several
    ]
    np.testing.assert_allclose(result.agreement, np.mean(chances) if chances else np.nan)


@given(judgments())
def test_assessors_beside_the_others(rows):
    found = {one.assessor: one for one in agreement(Preferences.of(rows)).assessors}
    pairs = by_pair(rows)
    for name in {row[4] for row in rows} - {None}:
        tally = {1: 0, -1: 0, 0: 0}
        for query, left, right, preferred, who in rows:
            if who != name:
                continue
            others = [vote for vote, other in pairs[query, frozenset((left, right))] if other != name]
            if not others:
                continue
            ahead = others.count(left) - others.count(right)
            mine = 0 if preferred is None else 1 if preferred == left else -1
            tally[int(np.sign(ahead)) * mine] += 1
        agrees = found[name].agrees
        assert (agrees.wins, agrees.losses, agrees.even) == (tally[1], tally[-1], tally[0])
        assert found[name].judgments == sum(row[4] == name for row in rows)


@given(judgments(), st.randoms(use_true_random=False))
def test_neither_row_order_nor_sides_matter(rows, random):
    first = agreement(Preferences.of(rows))
    random.shuffle(rows)
    second = agreement(Preferences.of(mirrored(rows)))
    np.testing.assert_allclose([first.alpha, first.agreement], [second.alpha, second.agreement])
    assert (first.unanimous, first.even) == (second.unanimous, second.even)


def test_alpha_of_assessors_who_err_in_a_fifth():
    # Two of them say the same with chance 0.8^2 + 0.2^2, and by luck alone with 1/2.
    made = simulate_judgments(AssessorsConfig(queries=200, error=0.2, tests_per_task=0)).preferences
    assert agreement(made).agreement == pytest.approx(0.68, abs=0.02)
    assert agreement(made).alpha == pytest.approx(1 - 0.32 / 0.5, abs=0.04)


def test_no_repeated_pair():
    result = agreement(Preferences.of([("q", "a", "b", "a")]))
    assert math.isnan(result.alpha)
    assert math.isnan(result.unanimous_share)
    assert math.isnan(result.agreement)
