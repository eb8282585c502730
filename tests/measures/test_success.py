"""Success: hand-computed values."""

from runoff.measures import Success
from runoff.measures._example import serps_of


def test_any_relevant_document_is_enough():
    serps = serps_of([0, 1], [1, 1], [0, 0, 1], [-1, -1])
    assert (Success @ 2).values(serps).tolist() == [1.0, 1.0, 0.0, 0.0]
    assert Success().values(serps).tolist() == [1.0, 1.0, 1.0, 0.0]


def test_relevance_level():
    assert (Success(rel=2) @ 2).values(serps_of([1, 1], [0, 2])).tolist() == [0.0, 1.0]
