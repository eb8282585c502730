"""Which Parquet files a folder, a pattern or an address names: none is left out in silence, none comes twice."""

import os

import polars as pl
import pytest

from runoff.errors import InputError
from runoff.files.shard_names import is_pattern, named_by_address, named_here
from tests.files.samples import problems_of

FRAME = pl.DataFrame({"qid": ["q1"], "docno": ["d1"], "score": [12.5]})


@pytest.fixture
def base(tmp_path):
    for name in ("a/part-10.parquet", "a/part-9.parquet", "a/day=1/x.parquet", "a/_temporary/x.parquet"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        FRAME.write_parquet(tmp_path / name)
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
    FRAME.write_parquet(base / "a" / "part-11")
    FRAME.write_parquet(base / "a" / "part-12.PARQUET")
    (base / "a" / "part-13.parquet").touch()
    assert names(base, base / "a") == [*ALL, "part-11", "part-12.PARQUET", "part-13.parquet"]


def test_links_are_followed_but_not_in_a_circle(base):
    (base / "elsewhere").mkdir()
    FRAME.write_parquet(base / "elsewhere" / "y.parquet")
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

    monkeypatch.setattr("runoff.files.shard_names.opened_store", opened)
    with pytest.raises(InputError, match=r"^hdfs://x/y: cannot be read \(Unable to load libjvm\); expected a store"):
        named_by_address("hdfs://x/y")
