"""Shards: found by folder, pattern and address, in natural order; rows out of them; what is wrong with them."""

import errno
import io
import os

import polars as pl
import pytest

from runoff.errors import InputError, LimitError, RunoffError
from runoff.files import read_qrels
from runoff.files.parquet.shards import (
    check_cells,
    explained_store,
    find_shards,
    is_address,
    is_pattern,
    is_shard_folder,
    is_sharded,
    named_by_address,
    named_here,
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
    expected = "no file has such a name; expected a file, or a folder with some such as part-0.parquet; check the path"
    assert problem == f"{tmp_path}/*.parquet: {expected}"
    with pytest.raises(InputError, match="is a folder without Parquet files"):
        find_shards(tmp_path, max_bytes=1000)


def test_a_pattern_of_other_files(tmp_path):
    (tmp_path / "a.json").write_bytes(b"{}")
    (problem,) = problems_of(read_qrels, f"{tmp_path}/*.json")
    assert problem == (
        f"{tmp_path}/a.json: is not a Parquet file; expected only Parquet files where a pattern names "
        "those of one table; "
        "name one file, or each run by itself"
    )


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


SHARD_NAMES_FRAME = pl.DataFrame({"qid": ["q1"], "docno": ["d1"], "score": [12.5]})


@pytest.fixture
def base(tmp_path):
    for name in ("a/part-10.parquet", "a/part-9.parquet", "a/day=1/x.parquet", "a/_temporary/x.parquet"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        SHARD_NAMES_FRAME.write_parquet(tmp_path / name)
    for name in ("_SUCCESS", ".x.parquet.crc", "readme.txt"):
        (tmp_path / "a" / name).write_text("x")
    return tmp_path


def names(base, source):
    return [os.path.relpath(file, base / "a") for file in named_here(str(source))]


ALL = ["day=1/x.parquet", "part-9.parquet", "part-10.parquet"]


def test_what_begins_with_an_underscore_or_a_dot_is_left_out(base):
    assert names(base, base / "a") == ALL
    assert names(base, base / "a" / "*") == [*ALL, "readme.txt"]
    assert names(base, base / "a" / "**" / "*.parquet") == ALL
    assert names(base, base / "a" / "_temp*" / "*") == ["_temporary/x.parquet"]
    assert names(base, base / "a" / "_SUCCESS") == ["_SUCCESS"]


def test_a_file_comes_once_though_a_pattern_finds_its_folder_too(base):
    (base / "a" / "readme.txt").unlink()
    assert names(base, base / "a" / "**") == ALL


def test_parquet_under_any_name(base):
    SHARD_NAMES_FRAME.write_parquet(base / "a" / "part-11")
    SHARD_NAMES_FRAME.write_parquet(base / "a" / "part-12.PARQUET")
    (base / "a" / "part-13.parquet").touch()
    assert names(base, base / "a") == [*ALL, "part-11", "part-12.PARQUET", "part-13.parquet"]


def test_links_are_followed_but_not_in_a_circle(base):
    (base / "elsewhere").mkdir()
    SHARD_NAMES_FRAME.write_parquet(base / "elsewhere" / "y.parquet")
    (base / "a" / "day=2").symlink_to(base / "elsewhere")
    (base / "a" / "day=1" / "back").symlink_to(base / "a")
    (base / "a" / "self").symlink_to(base / "a" / "self")
    (base / "a" / "part-8.parquet").symlink_to(base / "a" / "part-9.parquet")
    assert names(base, base / "a") == [ALL[0], "day=2/y.parquet", "part-8.parquet", *ALL[1:]]


def test_a_link_to_nowhere_is_no_reason_to_leave_a_shard_out(base):
    (base / "a" / "part-1.parquet").symlink_to("/nowhere/part-1.parquet")
    assert "part-1.parquet" in names(base, base / "a")


def test_a_folder_that_cannot_be_read(base, monkeypatch):
    def closed(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "scandir", closed)
    (problem,) = problems_of(named_here, str(base / "a"))
    assert problem == f"{base / 'a'}: permission denied; expected a folder that can be read; check its rights"


def test_patterns_and_names_that_look_like_them(tmp_path):
    assert is_pattern(f"{tmp_path}/*.parquet")
    (tmp_path / "run[1].parquet").touch()
    assert not is_pattern(tmp_path / "run[1].parquet")
    assert is_pattern("memory://x/run[1].parquet")


def test_addresses_follow_the_same_rules(base):
    pytest.importorskip("fsspec")
    pytest.importorskip("pyarrow")
    for pattern in ("a", "a/", "a/**", "a/*", "*"):
        found = [os.path.relpath(one, f"file://{base}/a") for one in named_by_address(f"file://{base}/{pattern}")]
        assert [one for one in found if one != "readme.txt"] == ALL, pattern


def test_a_store_that_cannot_be_opened(monkeypatch):
    pytest.importorskip("fsspec")

    def opened(_address):
        raise OSError("Unable to load libjvm\nand more")

    monkeypatch.setattr("runoff.files.parquet.shards.opened_store", opened)
    with pytest.raises(InputError, match=r"^hdfs://x/y: cannot be read \(Unable to load libjvm\); expected a store"):
        named_by_address("hdfs://x/y")


fsspec = pytest.importorskip("fsspec")
pytest.importorskip("pyarrow")

CHECK = "check the address, and the store's endpoint and credentials, here and on every worker"


def packed(frame):
    data = io.BytesIO()
    frame.write_parquet(data, row_group_size=2)
    return data.getvalue()


@pytest.fixture
def memory():
    store = fsspec.filesystem("memory")
    for name in ("part-10.parquet", "part-2.parquet", "_SUCCESS"):
        store.pipe(f"/shards/bm25/{name}", packed(FRAME))
    yield store
    store.rm("/shards", recursive=True)


@pytest.mark.usefixtures("memory")
def test_addresses():
    names = ["memory:///shards/bm25/part-2.parquet", "memory:///shards/bm25/part-10.parquet"]
    assert found("memory://shards/bm25") == names
    assert found("memory://shards/bm25/part-*") == names
    assert found("memory://shards/bm*") == names  # a pattern of folders
    first, _ = find_shards("memory://shards/bm25", max_bytes=1000)
    assert (first.rows, first.columns) == (3, ("qid", "docno", "score"))
    for start in range(3):
        for stop in range(start + 1, 4):
            assert read_shard(first, ["docno", "score"], start, stop).equals(FRAME[start:stop, ["docno", "score"]])


def test_an_object_that_is_replaced_during_the_work(memory):
    shard, _ = find_shards("memory://shards/bm25", max_bytes=1000)
    memory.pipe("/shards/bm25/part-2.parquet", packed(FRAME.head(2)))
    (problem,) = problems_of(read_shard, shard, ["qid"], 0, 2)
    assert problem == (
        f"{shard.path}: has changed during the work, or another machine has another copy of it; expected one file that "
        "stays as it is; run again"
    )


def test_objects_that_are_not_there_or_broken(memory):
    (problem,) = problems_of(find_shards, "memory://shards/none", max_bytes=1000)
    assert problem == (
        "memory:///shards/none: no such file; expected a Parquet file, or a folder or pattern of such, in the store; "
        "check bucket and name"
    )
    memory.pipe("/shards/bm25/part-2.parquet", b"PAR1 no more")
    (problem,) = problems_of(find_shards, "memory://shards/bm25", max_bytes=1000)
    assert problem.startswith("memory:///shards/bm25/part-2.parquet: not a readable Parquet file (")


def test_a_content_that_is_broken_behind_its_footer(memory):
    data = bytearray(packed(FRAME))
    data[4:60] = bytes(56)
    memory.pipe("/shards/bm25/part-2.parquet", bytes(data))
    shard, _ = find_shards("memory://shards/bm25", max_bytes=1000)
    (problem,) = problems_of(read_shard, shard, ["qid"], 0, 3)
    assert problem.startswith("memory:///shards/bm25/part-2.parquet: not a readable Parquet file (")


@pytest.mark.parametrize(
    "name, message",
    [
        ("fsspec", r"needs an optional package; .*runoff\[cluster\]"),
        ("s3fs", "Install s3fs; expected the package of fsspec"),
    ],
)
def test_packages_that_are_missing(monkeypatch, name, message):
    def fail(_address):
        raise ImportError("Install s3fs", name=name)

    monkeypatch.setattr(fsspec.core, "url_to_fs", fail)
    with pytest.raises(RunoffError, match=message):
        find_shards("s3://bucket/run", max_bytes=1000)


class NoCredentialsError(Exception):
    """Like that of botocore, which is no OSError."""


SAID = [
    (NoCredentialsError("Unable to locate credentials"), f"(Unable to locate credentials); expected .*; {CHECK}"),
    (PermissionError("Forbidden"), f"(Forbidden); expected a store that answers and lets us in; {CHECK}"),
    (ConnectionRefusedError(errno.ECONNREFUSED, "refused"), f"refused); expected .*; {CHECK}"),
    (ValueError("Invalid endpoint: x"), f"(Invalid endpoint: x); expected .*; {CHECK}"),
    (TimeoutError(), "(TimeoutError)"),
    (OSError(errno.EBUSY, "The file is expired"), ": has changed during the work"),
]


@pytest.mark.parametrize("error, message", SAID)
def test_what_a_store_says(error, message):
    def read():
        with explained_store("s3://bucket/run"):
            raise error

    (problem,) = problems_of(read)
    assert problem.startswith("s3://bucket/run: ")
    assert all(part in problem for part in message.split(".*"))


def test_what_is_an_address(tmp_path):
    assert is_address("gs://b/x")
    assert not is_address(tmp_path)
    assert not is_address("b/x")
