"""Files behind addresses: found and read as files of this machine are, and what a store may say of them."""

import errno
import io

import polars as pl
import pytest

from runoff.errors import RunoffError
from runoff.files.object_stores import explained_store, is_address
from runoff.files.shards import find_shards, read_shard
from runoff.files.streams import DEFAULT_MAX_BYTES
from tests.files.samples import problems_of

fsspec = pytest.importorskip("fsspec")
pytest.importorskip("pyarrow")

FRAME = pl.DataFrame({"qid": ["q1", "q1", "q2"], "docno": ["d1", "d2", "d1"], "score": [12.5, 7.0, 1e-7]})
CHECK = "check the address, and the store's endpoint and credentials, here and on every worker"


def found(source):
    return [shard.path for shard in find_shards(source, max_bytes=DEFAULT_MAX_BYTES)]


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
