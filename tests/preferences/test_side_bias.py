"""Side bias."""

import pytest
from hypothesis import given
from scipy import stats

from runoff.preferences import side_bias
from runoff.tables import Preferences
from studies.assessors import AssessorsConfig, simulate_judgments
from tests.preferences.judged import judgments, mirrored


@given(judgments())
def test_equals_slow_counts(rows):
    result = side_bias(Preferences.of(rows))
    lefts, rights = sum(row[3] == row[1] for row in rows), sum(row[3] == row[2] for row in rows)
    assert (result.left.wins, result.left.losses) == (lefts, rights)
    for one in result.assessors:
        own = [row for row in rows if row[4] == one.assessor]
        assert one.left.wins == sum(row[3] == row[1] for row in own)
        assert one.left.losses == sum(row[3] == row[2] for row in own)
        assert one.left.even == sum(row[3] is None for row in own)
        assert one.p >= one.left.p
    assert {one.assessor for one in result.assessors} == {row[4] for row in rows} - {None}
    assert result.family is None or result.family.size == len(result.assessors)


@given(judgments())
def test_mirrored_sides_mirror_the_share(rows):
    first, second = side_bias(Preferences.of(rows)).left, side_bias(Preferences.of(mirrored(rows))).left
    assert first.wins == second.losses
    assert first.p == pytest.approx(second.p)


def test_a_simulated_bias_is_found_and_none_is_not():
    biased = simulate_judgments(AssessorsConfig(side_bias=0.2, seed=1)).preferences
    found = side_bias(biased).left
    assert found.share == pytest.approx(0.5 + 0.2 / 2, abs=0.03)
    assert found.p == pytest.approx(stats.binomtest(found.wins, found.wins + found.losses).pvalue)
    assert found.p < 1e-6
    assert side_bias(simulate_judgments(AssessorsConfig(seed=1)).preferences).left.p > 0.05
