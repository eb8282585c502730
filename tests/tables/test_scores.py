"""Scores: means over what is defined, columns by name."""

import numpy as np
import pytest

from runoff.errors import UsageError
from runoff.tables import Scores

SCORES = Scores(
    measure="ESL@10",
    query_ids=("q1", "q2"),
    runs=("a", "b", "c"),
    values=np.array([[1.0, np.nan, np.nan], [4.0, 2.0, np.nan]]),
)


def test_means_leave_undefined_scores_out():
    assert SCORES.means.tolist()[:2] == [2.5, 2.0]
    assert np.isnan(SCORES.means[2])


def test_one_run():
    assert SCORES.of("a").tolist() == [1.0, 4.0]
    with pytest.raises(UsageError, match="no scores of a run 'x'; expected one of a, b, c"):
        SCORES.of("x")


def test_frozen():
    with pytest.raises(ValueError, match="read-only"):
        SCORES.values[0, 0] = 1
