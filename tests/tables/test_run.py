"""A run and the SERPs it earns; more in tests/files/test_runs.py."""

import numpy as np
import pytest

from runoff.files import read_run
from runoff.tables import NOTHING, UNJUDGED
from tests.tables.test_qrels import qrels_of

RUN = read_run(
    b"q2 Q0 a 1 1 t\nq2 Q0 b 1 3 t\nq1 Q0 a 1 5 t\nq1 Q0 b 1 5 t\nq2 Q0 c 1 2 t\nextra Q0 a 1 1 t\n", name="bm25"
)
QRELS = qrels_of({("q1", "a"): 2, ("q1", "z"): 1, ("q2", "b"): -1, ("q2", "a"): 1, ("missing", "a"): 1})


def test_rows_in_rank_order():
    assert list(RUN) == [
        ("q2", "b", 3.0), ("q2", "c", 2.0), ("q2", "a", 1.0), ("q1", "b", 5.0), ("q1", "a", 5.0), ("extra", "a", 1.0),
    ]  # fmt: skip
    assert RUN.bounds.tolist() == [0, 3, 5, 6]
    assert len(RUN) == 6


def test_serps():
    serps = RUN.serps(QRELS)
    assert serps.query_ids == ("q1", "q2", "missing")
    assert serps.grades.tolist() == [[UNJUDGED, 2, NOTHING], [0, UNJUDGED, 1], [NOTHING] * 3]
    assert serps.retrieved.tolist() == [2, 3, 0]
    assert serps.judged.tolist() == [[0, 1, 1], [1, 1, 0], [0, 1, 0]]
    assert (serps.run, serps.tie_rule, serps.extra_queries, serps.missing_queries) == ("bm25", "trec_eval", 1, 1)


@pytest.mark.parametrize("depth, tied", [(0, False), (1, True), (2, False), (9, False)])
def test_depth(depth, tied):
    serps = RUN.serps(QRELS, depth=depth)
    assert serps.grades.shape == (3, depth)
    assert serps.depth_tied.tolist() == [tied, False, False]
    assert serps.retrieved.tolist() == [2, 3, 0]


@pytest.mark.parametrize("depth", [0, 1, 2, 3, 9])
def test_top(depth):
    cut = RUN.top(depth)
    kept = {query: [row for row in RUN if row[0] == query][:depth] for query in RUN.query_ids}
    assert list(cut) == [row for rows in kept.values() for row in rows]
    assert (cut.name, cut.query_ids, cut.tie_rule) == (RUN.name, RUN.query_ids, RUN.tie_rule)
    assert cut.bounds.tolist() == np.cumsum([0, *map(len, kept.values())]).tolist()
    assert not np.shares_memory(cut.docs.text.padded, RUN.docs.text.padded)
    assert not np.shares_memory(cut.run_scores, RUN.run_scores)
    assert len(RUN) == 6


def test_no_queries():
    assert RUN.serps(QRELS.only([])).grades.shape == (0, 0)


def test_frozen_and_shown():
    assert repr(RUN) == "<Run bm25: 6 documents for 3 queries>"
    with pytest.raises(ValueError, match="read-only"):
        RUN.run_scores[0] = 2
