"""Average precision: hand-computed values."""

import pytest

from runoff.measures import AP
from runoff.measures._example import serps_of


def test_mean_precision_over_all_relevant_documents():
    # Precisions 1/1, 2/3, 3/6; four relevant documents of which one is never found.
    serps = serps_of([1, 0, 1, 0, 0, 1], judged=[[3, 4]])
    assert AP().values(serps).tolist() == pytest.approx([(1 + 2 / 3 + 1 / 2) / 4])


def test_cutoff_keeps_the_number_of_relevant_documents():
    serps = serps_of([1, 0, 1, 0, 0, 1], judged=[[3, 4]])
    assert (AP @ 2).values(serps).tolist() == [0.25]


def test_relevance_level_changes_the_number_of_relevant_documents():
    serps = serps_of([1, 2], judged=[[0, 3, 2]])
    assert AP(rel=2).values(serps).tolist() == [0.25]


def test_perfect_list_scores_one():
    assert AP().values(serps_of([1, 1, 1, 0])).tolist() == [1.0]
