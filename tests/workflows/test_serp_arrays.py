"""SERPs as one array, and back."""

from __future__ import annotations

import numpy as np

from runoff.measures import parse_measure
from runoff.store.arrays import pack_array, unpack_array
from runoff.store.boards import BoardSettings
from runoff.workflows.inputs import as_qrels, as_run
from runoff.workflows.serp_arrays import kernel_of, needed_depth, pack_serps, query_ids_of, question_of, unpack_serps

BOARD = BoardSettings(
    slug="a", title="A", measure="RR@10", depth=20, relevance_level=2, gains={"10": 3, "2": 1, "0": 0}
)


def test_there_and_back_through_the_store():
    qrels = as_qrels({"qé": {"d": 2, "e": 0}, "q2": {"d": 1}})
    run = as_run({"qé": {"x": 3.0, "d": 2.0}, "q9": {"d": 1.0}}, name="r")
    serps = run.serps(qrels, depth=5)
    values = parse_measure("RR@10").values(serps)
    table = unpack_array(pack_array(pack_serps(serps.query_ids, values, serps)))
    found = unpack_serps(table, "r")  # type: ignore[arg-type]
    assert found is not None
    assert query_ids_of(table) == serps.query_ids  # type: ignore[arg-type]
    for name in ("grades", "retrieved", "judged", "depth_tied"):
        np.testing.assert_array_equal(getattr(found, name), getattr(serps, name))
    assert (found.extra_queries, found.tie_rule, found.query_ids) == (1, "trec_eval", serps.query_ids)
    np.testing.assert_array_equal(parse_measure("RR@10").values(found), values)


def test_values_alone():
    table = pack_serps(("a", "b"), np.array([0.5, 1.0]), None)
    assert unpack_serps(table, "r") is None
    assert table["value"].tolist() == [0.5, 1.0]


def test_settings_become_a_question():
    asked = question_of(BOARD)
    assert (str(asked.measure), asked.depth, asked.level, asked.gains) == ("RR(rel=2)@10", 20, 2, (0, 1, 3))
    assert needed_depth(BOARD) == 20
    assert "RR(rel=2)@10" in kernel_of(BOARD)
    assert kernel_of(BOARD) != kernel_of(BoardSettings(slug="a", title="A", measure="RR@10", depth=21))
