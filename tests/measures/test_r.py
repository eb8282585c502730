"""Recall: hand-computed values."""

from runoff.measures import R
from runoff.measures._example import serps_of


def test_share_of_the_relevant_documents():
    assert (R @ 3).values(serps_of([1, 0, 1, 1], judged=[[1, 8]])).tolist() == [0.25]


def test_whole_list():
    assert R().values(serps_of([1, 0, 1, 1], judged=[[1, 4]])).tolist() == [0.75]


def test_relevance_level():
    assert (R(rel=3) @ 5).values(serps_of([1, 3], judged=[[0, 5, 0, 2]])).tolist() == [0.5]
