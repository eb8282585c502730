"""Judged: hand-computed values."""

from runoff.measures import Judged
from runoff.measures._example import serps_of


def test_share_of_judged_documents():
    serps = serps_of([1, -1, 0, -1, -1], [0, -1], [])
    assert (Judged @ 4).values(serps).tolist() == [0.5, 0.5, 0.0]
    assert Judged().values(serps).tolist() == [0.4, 0.5, 0.0]
