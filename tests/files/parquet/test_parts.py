"""Parts: every row once and in order, no query in two parts of a run that is in blocks, places that people can find."""

import tempfile
from functools import partial
from pathlib import Path
from typing import get_args

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.choices import TieRule
from runoff.errors import InputError
from runoff.files.objects import columns_of
from runoff.files.parquet.parts import (
    Part,
    Piece,
    check_columns,
    cut_shards,
    read_part_lists,
    read_part_qrels,
    whole_part,
)
from runoff.files.parquet.shards import Shard, find_shards
from runoff.files.problems import CHOICE
from runoff.files.tabular import qrels_of_table, run_of_table
from runoff.tables.ranked_lists import ALL, ListRequest
from runoff.tables.run import Run
from tests.files.parquet.test_columns import packed
from tests.files.samples import contents, judgments, problems_of, run_rows
from tests.files.sharded import frame_of, write_shards


@given(
    st.lists(st.integers(1, 7), min_size=1, max_size=12), st.lists(st.integers(0, 40), max_size=6), st.integers(1, 15)
)
def test_every_row_once_and_every_query_whole(lengths, cuts, part_rows):
    queries = [f"q{number}" for number, length in enumerate(lengths) for _ in range(length)]
    frame = pl.DataFrame({"query_id": queries, "doc_id": "d", "score": 1.0})
    with tempfile.TemporaryDirectory() as folder:
        shards = find_shards(
            write_shards(frame, Path(folder), [min(cut, len(queries)) for cut in cuts]), max_bytes=10_000
        )
        parts = cut_shards(shards, part_rows=part_rows)
        asked = [
            queries[sum(one.rows for one in shards[: shards.index(piece.shard)]) + row]
            for part in parts
            for piece in part.pieces
            for row in range(piece.start, piece.stop)
        ]
    assert asked == queries
    assert [part.number for part in parts] == list(range(len(parts)))
    owners = [{queries[sum(part.rows for part in parts[:number]) + row] for row in range(parts[number].rows)}
              for number in range(len(parts))]  # fmt: skip
    assert sum(map(len, owners)) == len(set(queries))
    assert whole_part(shards).rows == len(queries)


def test_a_long_list_is_one_part(tmp_path):
    frame = pl.DataFrame({"query_id": [7] * 30_000 + [8], "doc_id": range(30_001), "score": 1.0})
    first, second = cut_shards(find_shards(write_shards(frame, tmp_path, [5, 20_000]), max_bytes=1 << 20), part_rows=10)
    assert (first.rows, second.rows) == (30_000, 1)
    assert str(second) == f"{tmp_path}/part-2.parquet:10001-10001"


def test_places():
    one, other = (Shard(path=path, rows=9, columns=("qid",)) for path in ("a", "b"))
    part = Part(number=3, pieces=(Piece(shard=one, start=7, stop=9), Piece(shard=other, start=0, stop=2)))
    assert [part.place(row) for row in range(4)] == ["a:8", "a:9", "b:1", "b:2"]
    assert str(part) == "a:8-9 and b:1-2"
    with pytest.raises(IndexError):
        part.place(4)


def test_queries_that_are_no_ids(tmp_path):
    pl.DataFrame({"query_id": [0.5, 0.7]}).write_parquet(tmp_path / "a.parquet")
    (problem,) = problems_of(cut_shards, find_shards(tmp_path, max_bytes=1000), part_rows=1)
    assert problem == (
        f"{tmp_path}/a.parquet: the column 'query_id' holds Float64; expected text or whole numbers; write it again"
    )


ASKED = ListRequest(tie_rule="file")


def part_of(source):
    return whole_part(find_shards(source, max_bytes=1 << 20))


@given(run_rows())
def test_the_same_run_as_from_a_frame(rows):
    frame = frame_of(rows)
    for tie_rule in get_args(TieRule):
        expected = run_of_table(columns_of(frame, "run", "run"), "run", tie_rule)
        found = read_part_lists(part_of(packed(frame)), ListRequest(top=ALL, tie_rule=tie_rule))
        assert contents(Run.of_lists("run", found, ListRequest(tie_rule=tie_rule))) == contents(expected)


@given(judgments)
def test_the_same_qrels_as_from_a_frame(grades):
    frame = pl.DataFrame(
        {"query_id": [q for q, _ in grades], "doc_id": [d for _, d in grades], "relevance": list(grades.values())}
    )
    found = read_part_qrels(part_of(packed(frame)), name="qrels")
    expected = qrels_of_table(columns_of(frame, "qrels", "qrels"), "qrels")
    assert list(found) == list(expected)
    assert found.query_ids == expected.query_ids


@pytest.mark.parametrize("column, kind", [("score", "a number such as 12.5"), ("grade", "a whole number such as 1")])
def test_numbers_that_are_written_as_text(tmp_path, column, kind):
    file = tmp_path / "x.parquet"
    pl.DataFrame({"qid": ["q1"], "docno": ["d1"], column: ["3"]}).write_parquet(file)
    part = part_of(file)
    read = partial(read_part_lists, request=ASKED) if column == "score" else partial(read_part_qrels, name="x")
    (problem,) = problems_of(read, part)
    assert problem == f"{file}:1: {column} '3' is text; expected {kind}; write the column as numbers"


def test_faults_of_several_shards_at_once(tmp_path):
    frame = pl.DataFrame({
        "qid": ["1", "1", None, "2", "2"], "docno": ["a", "", "c", "d", "e"],
        "score": [3.0, 2.0, 1.0, float("nan"), 1.0],
    })  # fmt: skip
    write_shards(frame, tmp_path, [2])
    assert problems_of(read_part_lists, part_of(tmp_path), ASKED) == [
        f"{tmp_path}/part-0.parquet:2: document '' cannot be an id; expected text or a whole number; fix it",
        f"{tmp_path}/part-1.parquet:1: query is missing; expected text or a whole number; fix it",
        (
            f"{tmp_path}/part-1.parquet:2: score 'nan' is not a finite number; expected a number such as 12.5; "
            "fix or remove the row"
        ),
    ]


ONE = "FOLDER/part-0.parquet:1 (these files are read as one; name each if they are several)"


@pytest.mark.parametrize("cuts, first", [([], "line 1"), ([2], ONE)])
def test_documents_that_stand_twice(tmp_path, cuts, first):
    frame = pl.DataFrame({"qid": ["1", "1", "1"], "docno": ["a", "b", "a"], "score": [3.0, 2.0, 1.0], "label": 1})
    write_shards(frame, tmp_path, cuts)
    row = f"{tmp_path}/part-1.parquet:1" if cuts else f"{tmp_path}/part-0.parquet:3"
    end = (
        f"twice for query '1', first in {first.replace('FOLDER', str(tmp_path))}; expected every document once per "
        "query; remove one of the lines"
    )
    part = part_of(tmp_path)
    assert problems_of(read_part_lists, part, ASKED) == [f"{row}: document 'a' is listed {end}{CHOICE}"]
    assert problems_of(read_part_qrels, part, name="qrels") == [f"{row}: document 'a' is judged {end}"]


def test_ranks_and_grades_that_are_none():
    frame = pl.DataFrame({"qid": ["1", "1"], "docno": ["a", "b"], "rank": [1.0, 0.5], "label": [1, 200]})
    part = part_of(packed(frame))
    assert problems_of(read_part_lists, part, ASKED) == [
        "<bytes>:2: rank 0.5 is not a whole number of 1 or more; expected one such as 7; fix or remove the row"
    ]
    assert problems_of(read_part_qrels, part, name="qrels")[0].startswith("<bytes>:2: grade 200 is not a number from")


def test_fractions():
    frame = pl.DataFrame({"qid": ["1", "1"], "docno": ["a", "b"], "label": [0.1667, 2.0]})
    qrels = read_part_qrels(part_of(packed(frame)), name="qrels")
    assert list(qrels) == [("1", "a", 0.1667), ("1", "b", 2)]


def test_too_many_different_fractions():
    docs = [str(number) for number in range(200)]
    frame = pl.DataFrame({"qid": ["1"] * 200, "docno": docs, "label": [number / 64 for number in range(200)]})
    (problem,) = problems_of(read_part_qrels, part_of(packed(frame)), name="qrels")
    assert problem.startswith("<bytes>: 199 different grades, some of them fractions; expected at most 127")


def test_shards_of_different_columns(tmp_path):
    for name, number in (("a", "score"), ("b", "rank")):
        pl.DataFrame({"qid": ["1"], "docno": [name], number: [1]}).write_parquet(tmp_path / f"{name}.parquet")
    shards = find_shards(tmp_path, max_bytes=1000)
    with pytest.raises(InputError, match=r"b\.parquet: holds ranks, .*a\.parquet scores; expected the same in all"):
        check_columns(shards, kind="run")
    with pytest.raises(InputError, match="no column for 'relevance'"):
        check_columns(shards, kind="qrels")
