"""SERPs as one array, and back."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import numpy as np

from runoff.measures import parse_measure
from runoff.reading.sources import as_qrels, as_run
from runoff.server.cases.views.serp_arrays import (
    computation_version_of,
    is_partial,
    needed_depth,
    pack_serps,
    query_ids_of,
    question_of,
    unpack_serps,
)
from runoff.server.store.boards import StoredBoard
from runoff.server.store.scores import pack_array, unpack_array
from runoff.tables.settings import BoardSettings

BOARD = BoardSettings(slug="a", title="A", measure="RR@10", depth=20, relevance_level=2, gains=(0.0, 1.0, 3.0))


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


def test_fractions_through_the_store():
    qrels = as_qrels({"q1": {"d": 1.8, "e": 0}, "q2": {"d": 0.5}})
    serps = as_run({"q1": {"x": 3.0, "d": 2.0}, "q2": {"d": 1.0}}, name="r").serps(qrels, depth=5)
    measure = parse_measure("nDCG@10")
    table = unpack_array(pack_array(pack_serps(serps.query_ids, measure.values(serps), serps)))
    found = unpack_serps(table, "r")  # type: ignore[arg-type]
    assert found is not None
    assert found.values == (0.5, 1.8)
    np.testing.assert_array_equal(measure.values(found), measure.values(serps))


def test_values_alone():
    table = pack_serps(("a", "b"), np.array([0.5, 1.0]), None)
    assert unpack_serps(table, "r") is None
    assert table["value"].tolist() == [0.5, 1.0]


def test_settings_become_a_question():
    asked = question_of(BOARD)
    assert (str(asked.measure), asked.depth, asked.level, asked.gains) == ("RR(rel=2)@10", 20, 2, (0, 1, 3))
    assert needed_depth(BOARD) == 20
    assert "RR(rel=2)@10" in computation_version_of(stored(0, relevance_level=2))
    assert computation_version_of(stored(0, depth=20)) != computation_version_of(stored(0, depth=21))


def stored(hidden_subset, **more):
    settings: Any = {"measure": "RR@10", "depth": 20} | more
    made: Any = {"id": 1, "created_at": datetime(2026, 1, 1, tzinfo=UTC), "version": 1, "hidden_subset": hidden_subset}
    return StoredBoard(slug="a", title="A", **made, **settings)


def test_a_hidden_subset_of_queries_is_another_computation():
    versions = [computation_version_of(stored(hidden_subset)) for hidden_subset in (0, 1, 2)]
    assert len(set(versions)) == 3
    assert [is_partial(version) for version in versions] == [False, True, True]
    assert {computation_version_of(stored(subset), whole=True) for subset in (0, 1, 2)} == {versions[0]}


def test_long_names_of_measures_stay_apart(monkeypatch):
    def long_measure(board):
        return f"nDCG(dcg='exp-log2', gains=(0, 1, 3, 7), judged_only=True)@{board.measure[-2:]}"

    monkeypatch.setattr("runoff.server.cases.views.serp_arrays.measure_of", long_measure)
    versions = [
        computation_version_of(stored(hidden_subset, measure=f"nDCG@{cut}", depth=depth))
        for hidden_subset in (0, 1, 2)
        for cut in ("10", "20")
        for depth in (20, 21)
    ]
    assert len(set(versions)) == 12
    assert all(len(version) <= 60 for version in versions)
    assert [is_partial(version) for version in versions] == [False] * 4 + [True] * 8
