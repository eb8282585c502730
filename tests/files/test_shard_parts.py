"""Parts: every row once and in order, no query in two parts of a run that is in blocks, places that people can find."""

import tempfile
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.files.shard_parts import Part, Piece, cut_shards, whole_part
from runoff.files.shards import Shard, find_shards
from tests.files.samples import problems_of
from tests.files.sharded import write_shards


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
