"""Precision: hand-computed values; it needs a cutoff, as in ir_measures."""

import pytest

from runoff.errors import MeasureError
from runoff.measures import P, parse_measure
from runoff.measures._example import serps_of


def test_share_of_the_first_ranks():
    assert (P @ 5).values(serps_of([1, 0, 0, 2, 1, 1])).tolist() == [0.6]


def test_short_list_is_divided_by_the_cutoff():
    assert (P @ 10).values(serps_of([1, 1])).tolist() == [0.2]


def test_relevance_level():
    assert (P(rel=2) @ 2).values(serps_of([1, 2])).tolist() == [0.5]


def test_without_cutoff_is_refused():
    with pytest.raises(MeasureError, match="P has no cutoff; expected a last rank k; write P@k, for example P@10"):
        parse_measure("P")
    with pytest.raises(MeasureError, match=r"P\(rel=2\) has no cutoff"):
        P(rel=2).values(serps_of([1]))
