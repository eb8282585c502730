"""Time per pair."""

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import UsageError
from runoff.preferences import timing
from runoff.tables import Preferences

times = st.lists(
    st.tuples(st.sampled_from(["ann", "bob", None]), st.one_of(st.none(), st.floats(0, 100))), min_size=1, max_size=30
)


@given(times, st.floats(0, 100))
def test_equals_slow_counts(rows, below):
    result = timing(Preferences.of([("q", "a", "b", "a", who, None, time) for who, time in rows]), below=below)
    for one in (result.overall, *result.assessors):
        known = [time for who, time in rows if time is not None and one.assessor in (None, who)]
        assert one.timed == len(known)
        if known:
            assert one.median == pytest.approx(statistics.median(known))
            assert one.too_fast == pytest.approx(sum(time < below for time in known) / len(known))
    assert {one.assessor for one in result.assessors} == {who for who, time in rows if who and time is not None}


def test_without_times():
    overall = timing(Preferences.of([("q", "a", "b", "a")])).overall
    assert overall.timed == 0
    assert math.isnan(overall.median)


def test_an_impossible_limit():
    with pytest.raises(UsageError, match="expected seconds"):
        timing(Preferences.of([]), below=-1)
