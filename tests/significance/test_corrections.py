from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from runoff.errors import UsageError
from runoff.significance import CORRECTIONS, Family, correct

p_values = st.lists(st.floats(0, 1, allow_subnormal=False), min_size=1, max_size=30)
each_correction = pytest.mark.parametrize("correction", CORRECTIONS)


def corrected(p, correction, size=None):
    return correct(p, correction=correction, family=Family("these", size or len(p))).p


@each_correction
@given(p=p_values, more=st.integers(0, 20))
def test_laws(correction, p, more):
    result = corrected(p, correction, len(p) + more)
    assert (result >= p).all()
    assert (result <= 1.0).all()
    order = np.argsort(p)
    assert (np.diff(result[order]) >= 0).all()
    np.testing.assert_array_equal(corrected(np.array(p)[order], correction, len(p) + more), result[order])
    assert (result >= corrected(p, correction)).all()


@given(p=p_values, more=st.integers(0, 20))
def test_from_the_strictest_on(p, more):
    bonferroni, holm, benjamini_hochberg = (corrected(p, name, len(p) + more) for name in CORRECTIONS)
    assert (holm <= bonferroni).all()
    assert (benjamini_hochberg <= holm).all()


@given(p=p_values)
def test_benjamini_hochberg_equals_scipy(p):
    np.testing.assert_allclose(corrected(p, "benjamini_hochberg"), stats.false_discovery_control(p), rtol=1e-12)


@each_correction
@given(p=p_values, more=st.integers(1, 20))
def test_values_that_are_not_given_count_as_one(correction, p, more):
    padded = corrected([*p, *[1.0] * more], correction)
    np.testing.assert_array_equal(corrected(p, correction, len(p) + more), padded[: len(p)])


@given(p=p_values)
def test_holm_equals_a_plain_loop(p):
    expected, highest = np.empty(len(p)), 0.0
    for step, place in enumerate(np.argsort(p, kind="stable")):
        highest = max(highest, p[place] * (len(p) - step))
        expected[place] = min(1.0, highest)
    np.testing.assert_allclose(corrected(p, "holm"), expected, rtol=1e-15)


def test_published_example():
    # Benjamini & Hochberg 1995, section 4.1: at 0.05 Bonferroni rejects three of fifteen, Holm three, theirs four.
    p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528]
    p += [0.7590, 1.0]
    assert [int((corrected(p, name) <= 0.05).sum()) for name in CORRECTIONS] == [3, 3, 4]


@each_correction
def test_result_keeps_what_it_was_over(correction):
    result = correct([0.01, 0.5], correction=correction, family=Family("pairs of the board", 4950))
    assert str(result.family) == "pairs of the board (4,950 p-values)"
    assert result.correction == correction
    assert result.raw_p.tolist() == [0.01, 0.5]
    assert not result.p.flags.writeable


def test_no_p_values_are_no_problem():
    assert corrected([], "holm", 1).tolist() == []


def test_bad_input_is_refused():
    with pytest.raises(UsageError, match="no correction is called 'none'; expected one of bonferroni, holm"):
        corrected([0.5], "none")
    with pytest.raises(UsageError, match="3 p-values for the family these"):
        corrected([0.1, 0.2, 0.3], "holm", 2)
    with pytest.raises(UsageError, match="2 of 3 p-values are not from 0 to 1"):
        corrected([0.1, np.nan, 1.2], "holm")
    with pytest.raises(UsageError, match=r"shape \(1, 2\)"):
        corrected([[0.1, 0.2]], "holm", 2)
    bad: list[tuple[str, Any]] = [("", 1), ("a", 0), ("a", 1.5)]
    for name, size in bad:
        with pytest.raises(UsageError, match="expected a name and a size"):
            Family(name, size)
