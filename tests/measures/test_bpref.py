"""bpref: hand-computed values."""

import pytest

from runoff.errors import MeasureError
from runoff.measures import Bpref, parse_measure
from runoff.measures._example import serps_of


def test_counts_judged_non_relevant_documents_above():
    # R = 3, N = 2: 1, 1 - 1/2, and one relevant document that is not found.
    assert Bpref().values(serps_of([1, 0, 1, 0], judged=[[2, 3]])).tolist() == [0.5]


def test_unjudged_documents_play_no_part():
    with_unjudged, without = serps_of([-1, 1, -1, 0, -1, 1]), serps_of([1, 0, 1])
    assert Bpref().values(with_unjudged).tolist() == Bpref().values(without).tolist()


def test_at_most_as_many_non_relevant_documents_count_as_there_are_relevant():
    assert Bpref().values(serps_of([0, 0, 0, 1], judged=[[9, 1]])).tolist() == [0.0]


def test_nothing_judged_non_relevant():
    assert Bpref().values(serps_of([1, -1, 1], judged=[[0, 4]])).tolist() == [0.5]


def test_below_the_relevance_level_is_judged_non_relevant():
    assert Bpref(rel=2).values(serps_of([1, 2], judged=[[0, 1, 1]])).tolist() == [0.0]


def test_three_spellings_are_one_measure():
    assert parse_measure("bpref") == parse_measure("Bpref") == parse_measure("BPref") == Bpref()
    assert [str(parse_measure(name)) for name in ("bpref", "Bpref", "BPref")] == ["Bpref"] * 3
    with pytest.raises(MeasureError, match="Bpref takes no cutoff"):
        parse_measure("bpref@10")
