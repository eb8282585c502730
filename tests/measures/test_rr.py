"""Reciprocal rank: hand-computed and published values."""

import numpy as np
import pytest

from runoff.measures import RR
from runoff.measures._example import serps_of


def test_one_over_the_first_relevant_rank():
    serps = serps_of([1, 1], [0, 0, 0, 0, 1], [0, 0], [])
    assert RR().values(serps).tolist() == [1.0, 0.2, 0.0, 0.0]


def test_beyond_the_cutoff_counts_nothing():
    serps = serps_of([0] * 9 + [1], [0] * 10 + [1])
    assert (RR @ 10).values(serps).tolist() == [0.1, 0.0]


def test_relevance_level():
    assert RR(rel=2).values(serps_of([1, 0, 3])).tolist() == [1 / 3]


def test_lin_et_al_example():
    """Lin et al. 2021, section 3: relevant at ranks (1, 9) and (4, 6) have mean RR 0.556 and 0.208."""
    first = RR().values(serps_of([1], [0] * 8 + [1])).mean()
    second = RR().values(serps_of([0] * 3 + [1], [0] * 5 + [1])).mean()
    assert (round(first, 3), round(second, 3)) == (0.556, 0.208)


def test_craswell_et_al_table_3():
    """Craswell et al. 2021, Table 3: the values of all eight SERPs of three documents."""
    states = [(a, b, c) for a in (1, 0) for b in (1, 0) for c in (1, 0)]
    values = (RR @ 3).values(serps_of(*states))
    assert np.round(values, 2).tolist() == pytest.approx([1, 1, 1, 1, 0.5, 0.5, 0.33, 0])
