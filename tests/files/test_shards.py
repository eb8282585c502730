"""Shards: found by folder, pattern and address, in natural order; rows out of them; what is wrong with them."""

import polars as pl
import pytest

from runoff.errors import InputError, LimitError
from runoff.files.shard_names import is_pattern
from runoff.files.shards import (
    check_cells,
    find_shards,
    is_shard_folder,
    is_sharded,
    read_shard,
    shard_files,
)
from runoff.files.streams import DEFAULT_MAX_BYTES
from tests.files.samples import problems_of

FRAME = pl.DataFrame({"qid": ["q1", "q1", "q2"], "docno": ["d1", "d2", "d1"], "score": [12.5, 7.0, 1e-7]})


def found(source):
    return [shard.path for shard in find_shards(source, max_bytes=DEFAULT_MAX_BYTES)]


@pytest.fixture
def folder(tmp_path):
    base = tmp_path / "bm25"
    for name in ("part-10.parquet", "part-9.parquet", "day=2/part-0.parquet", "_temporary/part-1.parquet"):
        (base / name).parent.mkdir(parents=True, exist_ok=True)
        FRAME.write_parquet(base / name)
    for name in ("_SUCCESS", ".part-9.parquet.crc", ".hidden.parquet", "readme.txt"):
        (base / name).write_bytes(b"")
    return base


def test_a_folder_in_natural_order(folder):
    assert found(folder) == [
        str(folder / name) for name in ("day=2/part-0.parquet", "part-9.parquet", "part-10.parquet")
    ]


def test_patterns(folder):
    assert found(f"{folder}/part-*.parquet") == [str(folder / "part-9.parquet"), str(folder / "part-10.parquet")]
    assert found(f"{folder}/part-[9].parquet") == [str(folder / "part-9.parquet")]
    assert found(f"{folder.parent}/bm*") == found(folder)
    assert found(f"{folder}/day*/*") == [str(folder / "day=2/part-0.parquet")]


def test_a_file_with_brackets_is_a_file(tmp_path):
    file = tmp_path / "run[1].parquet"
    FRAME.write_parquet(file)
    assert not is_pattern(str(file))
    (shard,) = find_shards(file, max_bytes=1000)
    assert read_shard(shard, ["qid"], 0, 3)["qid"].to_list() == ["q1", "q1", "q2"]


def test_what_is_sharded(folder, tmp_path):
    text = tmp_path / "bm25.run"
    text.write_text("q1 Q0 d1 1 2.0 t\n")
    for source in (folder, str(folder), f"{folder}/*", "s3://bucket/run", folder / "part-9.parquet"):
        assert is_sharded(source)
    for source in (text, str(text), "-", "none.run", b"q1 Q0 d1 1 2.0 t\n", "x" * 5000, "a\0b"):
        assert not is_sharded(source)


def test_nothing_there(tmp_path):
    (problem,) = problems_of(find_shards, f"{tmp_path}/*.parquet", max_bytes=1000)
    assert (
        problem
        == f"{tmp_path}/*.parquet: finds no Parquet files; expected some, such as part-0.parquet; check the path"
    )
    with pytest.raises(InputError, match="is a folder without Parquet files"):
        find_shards(tmp_path, max_bytes=1000)


def test_limits(folder):
    with pytest.raises(LimitError, match=r"part-0\.parquet: holds more than 5 bytes"):
        find_shards(folder, max_bytes=5)
    shards = find_shards(folder, max_bytes=30)
    shard, *_ = shards
    with pytest.raises(LimitError, match=r"^all: holds more than 20 bytes"):
        check_cells("all", shards, 20)
    with pytest.raises(LimitError, match=r"part-0\.parquet: holds more than 30 bytes"):
        read_shard(shard, ["qid", "docno", "score"], 0, 3)


def test_a_damaged_shard_is_named(folder):
    (folder / "part-9.parquet").write_bytes(b"PAR1 no more")
    (problem,) = problems_of(find_shards, folder, max_bytes=1000)
    assert problem.startswith(f"{folder / 'part-9.parquet'}: not a readable Parquet file (")


def test_the_stamp_tells_a_change(folder):
    before = find_shards(folder, max_bytes=1000)
    FRAME.head(2).write_parquet(folder / "part-9.parquet")
    after = find_shards(folder, max_bytes=1000)
    assert [one.stamp == other.stamp for one, other in zip(before, after, strict=True)] == [True, False, True]


def test_a_shard_that_is_replaced_during_the_work(folder):
    shard, *_ = find_shards(folder, max_bytes=1000)
    FRAME.head(2).write_parquet(shard.path)
    (problem,) = problems_of(read_shard, shard, ["qid"], 0, 2)
    assert problem == (
        f"{shard.path}: has changed during the work, or another machine has another copy of it; expected one file that "
        "stays as it is; run again"
    )


def test_folders(folder, tmp_path):
    assert [str(file) for file in shard_files(folder)] == found(folder)
    assert is_shard_folder(folder)
    assert not any(is_shard_folder(path) for path in (folder / "_temporary" / "none", folder / "part-9.parquet"))
    (tmp_path / "empty").mkdir()
    assert not is_shard_folder(tmp_path / "empty")
