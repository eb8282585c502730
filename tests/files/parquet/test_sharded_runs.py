"""Runs in shards: the same SERPs as from one text file, wherever files and parts are cut."""

import tempfile
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.files import read_qrels, read_run, read_serps, run_name
from runoff.files.parquet import sharded_runs
from runoff.files.parquet.sharded_runs import (
    parts_of,
    read_serp_part,
    read_sharded_lists,
    read_sharded_qrels,
    read_whole_lists,
    serps_of_parts,
)
from runoff.files.streams import DEFAULT_MAX_BYTES
from runoff.tables.ranked_lists import ListRequest
from runoff.tables.run import Run
from tests.files.samples import TIE_RULES, contents, judgments, problems_of, qrels_text, run_rows, run_text, table_of
from tests.files.sharded import frame_of, write_shards

cut_runs = (
    run_rows(),
    judgments,
    st.lists(st.integers(0, 30), max_size=4),
    st.integers(1, 12),
    st.sampled_from([1, 3, None]),
)


def check_serps(rows, grades, cuts, part_rows, depth, tie_rule):
    qrels = read_qrels(qrels_text(grades))
    with tempfile.TemporaryDirectory() as folder:
        write_shards(frame_of(rows), Path(folder), [min(cut, len(rows)) for cut in cuts])
        expected = read_serps(run_text(rows), qrels, depth=depth, tie_rule=tie_rule)
        parts = parts_of(folder, max_bytes=DEFAULT_MAX_BYTES, part_rows=part_rows)
        request = ListRequest(labels=(qrels, qrels), tie_rule=tie_rule, depth=depth, top=2)
        found = serps_of_parts([read_serp_part(part, qrels, request) for part in parts], parts, request, name="run")
        for serps in (found, read_serps(folder, qrels, depth=depth, tie_rule=tie_rule)):
            assert table_of(serps) == table_of(expected)
            assert serps.judged.tolist() == expected.judged.tolist()
            assert (serps.extra_queries, serps.tie_rule) == (expected.extra_queries, expected.tie_rule)
        whole = read_run(run_text(rows), tie_rule=tie_rule)
        assert contents(read_run(folder, tie_rule=tie_rule)) == contents(whole)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sharded_runs, "parts_of", lambda *_, **__: parts)
            lists = read_sharded_lists(folder, request, max_bytes=DEFAULT_MAX_BYTES)
        assert contents(Run.of_lists("run", lists, ListRequest(tie_rule=tie_rule))) == contents(whole.top(2))
        for serps in (lists.serps(number, request, run="run") for number in range(2)):
            assert table_of(serps) == table_of(expected)
            assert serps.extra_queries == expected.extra_queries


@given(*cut_runs, st.sampled_from(TIE_RULES))
def test_the_same_serps_as_from_text(rows, grades, cuts, part_rows, depth, tie_rule):
    check_serps(rows, grades, cuts, part_rows, depth, tie_rule)


@pytest.mark.proof
@given(*cut_runs)
def test_the_same_serps_under_every_rule_for_ties(rows, grades, cuts, part_rows, depth):
    for tie_rule in TIE_RULES:
        check_serps(rows, grades, cuts, part_rows, depth, tie_rule)


def test_qrels_from_a_folder(tmp_path):
    frame = pl.DataFrame({"qid": [2, 1, 2], "docno": ["a", "b", "c"], "label": [1, 0, 2]})
    qrels = read_qrels(write_shards(frame, tmp_path / "labels", [1, 2]))
    assert (qrels.name, list(qrels)) == ("labels", [("2", "a", 1), ("2", "c", 2), ("1", "b", 0)])


def test_names(tmp_path):
    for source in (
        tmp_path / "bm25",
        f"{tmp_path}/bm25/",
        f"{tmp_path}/bm25/*.parquet",
        f"{tmp_path}/bm25/*/p-?.parquet",
    ):
        assert run_name(source) == "bm25"
    assert run_name("s3://bucket/bm25/*.parquet") == "bm25"
    assert run_name("*.parquet") == "*.parquet"


def test_no_rows(tmp_path):
    frame = pl.DataFrame({"qid": [], "docno": [], "score": [], "label": []})
    write_shards(frame, tmp_path)
    end = "; check where it comes from"
    assert problems_of(read_whole_lists, tmp_path, ListRequest(), max_bytes=1000) == [
        f"{tmp_path}: the table has no rows; expected ranked documents{end}"
    ]
    assert problems_of(read_sharded_qrels, tmp_path, name="x", max_bytes=1000) == [
        f"{tmp_path}: the table has no rows; expected judgments{end}"
    ]


@pytest.mark.parametrize("most", [3, 4])
def test_a_spread_query(tmp_path, monkeypatch, most):
    """It is put together where memory allows, and else named with both places."""
    monkeypatch.setattr(sharded_runs, "MOST_ROWS_AT_ONCE", most)
    frame = pl.DataFrame({"qid": ["1", "2", "2", "1"], "docno": ["a", "b", "c", "d"], "score": [1.0, 2.0, 1.0, 3.0]})
    write_shards(frame, tmp_path, [2])
    qrels = read_qrels(b"1 0 a 1\n2 0 c 1\n")
    parts = parts_of(tmp_path, max_bytes=1000, part_rows=1)
    monkeypatch.setattr(sharded_runs, "parts_of", lambda *_, **__: parts)
    request = ListRequest(labels=(qrels,), tie_rule="file", depth=2, top=1)
    found = [read_serp_part(part, qrels, request) for part in parts]
    if most == 4:
        lists = read_sharded_lists(tmp_path, request, max_bytes=1000)
        assert lists.serps(0, request, run="run").grades.tolist() == [[-1, 1], [-1, 1]]
        assert list(Run.of_lists("run", lists, ListRequest(tie_rule="file"))) == [("1", "d", 3.0), ("2", "b", 2.0)]
        assert serps_of_parts(found, parts, request, name="run").grades.tolist() == [[-1, 1], [-1, 1]]
        return
    told = [
        (
            f"{tmp_path}/part-1.parquet:2-2: query '1' is here and in {tmp_path}/part-0.parquet:1-1; expected the "
            "rows of a query together in a run this large; sort the run by query and write it again"
        )
    ]
    assert problems_of(serps_of_parts, found, parts, request, name="run") == told
    assert problems_of(read_sharded_lists, tmp_path, request, max_bytes=1000) == told
