"""A folder of scores: the same files whatever the parts, and nothing before all is there."""

import hashlib

import numpy as np
import polars as pl
import pytest

from runoff.errors import UsageError
from runoff.files.parquet.score_folder import ScoreFolder

QUERIES = [f"q{place}" for place in range(11)]
VALUES = np.random.default_rng(0).random((11, 2))


def written(folder, cuts):
    with ScoreFolder(folder, ["RR", "AP"], file_queries=4) as scores:
        for run in ("a", "b"):
            for some in np.split(np.arange(11), cuts):
                scores.add(run, [QUERIES[place] for place in some], VALUES[some] + (run == "b"))
            assert not folder.exists() or not list(folder.iterdir())
        scores.finish(["b", "a"])
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.rglob("*.*")
    }


def test_the_same_files_whatever_the_parts(tmp_path):
    files = written(tmp_path / "one", [])
    assert sorted(files) == [f"{run}/part-{part}.parquet" for run in (1, 2) for part in range(3)]
    assert written(tmp_path / "other", [1, 2, 9]) == files
    frame = pl.read_parquet(tmp_path / "one" / "**" / "*.parquet")
    assert frame.columns == ["run", "query", "measure", "value"]
    assert frame["value"].to_list() == [*(VALUES + 1).ravel(), *VALUES.ravel()]
    assert frame["query"].to_list() == [query for query in QUERIES for _ in range(2)] * 2
    assert {path.name for path in tmp_path.iterdir()} == {"one", "other"}


def test_undefined_is_null(tmp_path):
    with ScoreFolder(tmp_path / "x", ["ESL@10"]) as scores:
        scores.add("a", ["q"], np.array([[np.nan]]))
        scores.finish(["a"])
    assert pl.read_parquet(tmp_path / "x" / "1" / "part-0.parquet")["value"].to_list() == [None]


def test_an_interruption_leaves_nothing(tmp_path):
    with ScoreFolder(tmp_path / "x", ["RR"], file_queries=1) as scores:
        scores.add("a", ["q"], np.array([[0.5]]))
    assert list(tmp_path.iterdir()) == []


def test_places_that_cannot_be(tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    (tmp_path / "empty").mkdir()
    for taken in ("full", "full/file"):
        with pytest.raises(UsageError, match="is there already; expected a new or empty folder"):
            ScoreFolder(tmp_path / taken, ["RR"])
    with pytest.raises(UsageError, match="cannot be written"):
        ScoreFolder(tmp_path / "no" / "where", ["RR"])
    assert written(tmp_path / "empty", []) == written(tmp_path / "new", [])
