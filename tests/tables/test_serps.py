"""SERPs: what can be asked of them."""

import numpy as np
import pytest

from runoff.tables import NOTHING, UNJUDGED, Serps

SERPS = Serps(
    run="bm25",
    query_ids=("q1", "q2", "q3"),
    grades=np.array([[2, UNJUDGED, 0], [UNJUDGED, 1, NOTHING], [NOTHING] * 3], dtype=np.int8),
    retrieved=np.array([5, 2, 0]),
    judged=np.array([[4, 0, 3], [1, 1, 0], [0, 2, 0]]),
    depth_tied=np.array([True, False, False]),
    tie_rule="trec_eval",
)


def test_shape():
    assert (SERPS.depth, SERPS.is_whole, SERPS.missing_queries, SERPS.extra_queries) == (3, False, 1, 0)
    assert SERPS.top(2).tolist() == [[2, UNJUDGED], [UNJUDGED, 1], [NOTHING] * 2]
    assert SERPS.top(9).shape == SERPS.top().shape == (3, 3)


@pytest.mark.parametrize(
    "level, counts", [(0, [3, 1, 2]), (1, [3, 1, 2]), (2, [3, 0, 0]), (3, [0, 0, 0]), (100, [0, 0, 0])]
)
def test_relevant(level, counts):
    assert SERPS.relevant(level).tolist() == counts


@pytest.mark.parametrize("cutoff, share", [(None, 2 / 5), (1, 1 / 2), (2, 2 / 4), (0, 0.0)])
def test_unjudged_share(cutoff, share):
    assert SERPS.unjudged_share(cutoff) == share


def test_frozen():
    with pytest.raises(ValueError, match="read-only"):
        SERPS.grades[0, 0] = 1
