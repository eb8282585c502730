"""Gains as whole numbers: exact sums, and gains that cannot be used."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.comparisons.exact_gains import gain_table, whole_gains, worth_finding
from runoff.errors import UsageError
from runoff.measures._example import serps_from
from runoff.reading.sources import as_qrels, as_run


@pytest.mark.parametrize(
    "gains, whole",
    [
        ([0, 1], (0, 1)),
        ([0, 0.1, 0.2, 0.3], (0, 1, 2, 3)),
        ([0, 1 / 3, 2 / 3, 1.0], (0, 1, 2, 3)),
        ([0, np.float64(0.25), 1], (0, 1, 4)),
        ([0, Fraction(1, 7), 1], (0, 1, 7)),
        ([0, 10, 20, 40], (0, 1, 2, 4)),
        ([0, 0, 0], (0, 0, 0)),
        ([0, 0.1234567, 1], (0, 1234567, 10000000)),
    ],
)
def test_whole(gains, whole):
    assert whole_gains(gains) == whole


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=5), st.sampled_from([1, 10, 100, 1000]))
def test_decimals_keep_their_ratios(steps, divisor):
    decimals = [0.0, *(value / divisor for value in np.cumsum(steps).tolist())]
    exact = [Fraction(0), *(Fraction(value, divisor) for value in np.cumsum(steps).tolist())]
    whole = whole_gains(decimals)
    assert all(a * e == b * d for a, d in zip(whole, exact, strict=True) for b, e in zip(whole, exact, strict=True))


@pytest.mark.parametrize("gains", [[0, -1], [0, math.nan], [0, math.inf], [0, True], [0, "1"], [0, None]])
def test_what_is_no_gain_is_refused(gains):
    with pytest.raises(UsageError, match=r"grade 1 has the gain .*; expected a number of 0 or more"):
        whole_gains(gains)


def test_falling_gains_are_refused():
    with pytest.raises(UsageError, match=r"grade 2 has the gain 0\.5, less than the grade below it"):
        whole_gains([0, 1, 0.5])


@pytest.mark.parametrize("gains", [[], [0.5, 1]])
def test_a_gain_without_relevance_is_refused(gains):
    with pytest.raises(UsageError, match="the gain of grade 0 is"):
        whole_gains(gains)


def table(*, highest, gains=None, level=None, depth=10):
    return gain_table([serps_from("10", highest=highest)], depth=depth, gains=gains, level=level).tolist()


def test_binary_labels_need_no_gains():
    assert table(highest=1) == [0, 1]


def test_graded_labels_need_gains_even_where_no_such_document_was_found():
    with pytest.raises(UsageError, match=r"grades up to 3.*write --gains 0,0.333,0.667,1, or --gains 0,1,1,1"):
        table(highest=3)
    with pytest.raises(UsageError, match="grades 0 to 2, but the labels have grades up to 3"):
        table(highest=3, gains=[0, 0.5, 1])


def test_a_level_makes_graded_labels_binary():
    assert table(highest=3, level=2) == [0, 0, 1, 1] == table(highest=3, gains=[0, 0, 1, 1])
    with pytest.raises(UsageError, match="relevance level 0 cannot be used"):
        table(highest=3, level=0)
    with pytest.raises(UsageError, match="gains and a relevance level are both given"):
        table(highest=3, level=2, gains=[0, 1, 1, 1])


def test_gains_too_long_to_add_up_are_refused():
    assert table(highest=2, gains=[0, 0.1234567890123, 1])[2] == 10**13
    with pytest.raises(UsageError, match="too many digits"):
        table(highest=2, gains=[0, 0.1234567890123, 1], depth=10**7)


def test_fractions_need_a_level():
    serps = as_run({"q": {"a": 1.0}}).serps(as_qrels({"q": {"a": 0.5, "b": 1, "c": 1.8, "d": 0}}), depth=3)
    for gains, end in ((None, "1"), ([0, 1], "1 instead of gains"), ([0, 0.5, 1, 1.8], "1 instead of gains")):
        with pytest.raises(UsageError, match=rf"fractions, such as 0\.5, .* relevance level; write --level {end}$"):
            gain_table([serps], depth=3, gains=gains, level=None)
    tables = [gain_table([serps], depth=3, gains=None, level=level) for level in (1, 2)]
    assert [table.tolist() for table in tables] == [[0, 0, 1, 1], [0, 0, 0, 0]]
    assert [worth_finding(serps, table).tolist() for table in tables] == [[2], [0]]
