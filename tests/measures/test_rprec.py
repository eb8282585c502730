"""R-precision: hand-computed values."""

import pytest

from runoff.errors import MeasureError
from runoff.measures import Rprec
from runoff.measures._example import serps_of


def test_precision_at_the_number_of_relevant_documents():
    serps = serps_of([1, 0, 1, 1], [1], judged=[[1, 3], [0, 4]])
    assert Rprec().values(serps).tolist() == [2 / 3, 0.25]


def test_relevance_level():
    assert Rprec(rel=2).values(serps_of([2, 1, 2], judged=[[0, 1, 2]])).tolist() == [0.5]


def test_takes_no_cutoff():
    with pytest.raises(MeasureError, match="Rprec takes no cutoff"):
        Rprec @ 10
