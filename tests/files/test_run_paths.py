"""Folders and patterns of run files: a run in every file, and what is beside them is named."""

import gzip
import subprocess
import sys

import polars as pl
import pytest

import runoff
from runoff.errors import InputError, UsageError
from runoff.files.run_paths import SkippedFilesWarning, run_paths
from runoff.reading.sources import as_runs
from runoff.results.evaluation import EvaluationResult

RUN = b"q Q0 d 1 1.5 t\n"


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "runs"
    (place / "old").mkdir(parents=True)
    for name, data in (("b10.run", RUN), ("b9.run", RUN), ("a.gz", gzip.compress(RUN)), ("c.json", b'{"q": {"d": 1}}')):
        (place / name).write_bytes(data)
    for name in (".hidden", "README.md", "ir-metadata.yml", "_SUCCESS"):
        (place / name).write_bytes(b"no run")
    (place / "old" / "z.run").write_bytes(RUN)
    return place


def names(*groups):
    return as_runs(*groups)[1]


def test_a_folder(folder):
    with pytest.warns(SkippedFilesWarning, match=r"not read as runs: \.hidden, README\.md, _SUCCESS, ir-.*yml, old/$"):
        assert names(folder) == ["a", "b9.run", "b10.run", "c.json"]


def test_patterns_and_lists(folder):
    assert names(str(folder / "b*.run")) == ["b9.run", "b10.run"]
    assert names([str(folder / "b*.run"), folder / "a.gz"]) == ["b9.run", "b10.run", "a"]
    assert names({"old": str(folder / "b*.run")}) == ["old/b9.run", "old/b10.run"]
    assert names(str(folder / "**" / "z.run")) == ["z.run"]


def test_a_pattern_that_the_shell_opened(folder):
    """It names a README too, and leaves hidden files out."""
    files = sorted(str(file) for file in folder.glob("[!._]*") if file.is_file())
    with pytest.warns(SkippedFilesWarning, match=r"not read as runs: README\.md, ir-metadata\.yml$"):
        assert names(files) == ["a", "b10.run", "b9.run", "c.json"]


def test_one_file_is_read_whatever_it_is_called(folder):
    assert names(folder / "README.md") == ["README.md"]


def test_the_qrels_beside_runs_are_no_run(folder):
    """They may be JSON, which looks like a run; other qrels are a fault with the name of their file."""
    qrels = folder / "labels.json"
    qrels.write_bytes(b'{"q": {"d": 1}}')
    for runs in (folder, f"{folder}/*", [folder / "a.gz", qrels]):
        with pytest.warns(SkippedFilesWarning, match=r"labels\.json"):
            result = runoff.evaluate(runs, folder / "old" / ".." / "labels.json", measures="RR@10")
        assert isinstance(result, EvaluationResult)
        assert "labels.json" not in [facts.run for facts in result.facts]
    assert as_runs(qrels, labels=[qrels])[1] == ["labels.json"]
    (folder / "others").write_bytes(b"q 0 d 1\n")
    with pytest.warns(SkippedFilesWarning), pytest.raises(InputError, match=r"/others: .* looks like a qrels file"):
        runoff.evaluate(folder, qrels, measures="RR@10")


def test_a_run_of_the_folder_that_was_named_before(folder):
    with pytest.warns(SkippedFilesWarning):
        assert names(folder / "b9.run", folder, f"{folder}/b*") == ["b9.run", "a", "b10.run", "c.json"]


def test_qrels_among_the_parquet_files_of_a_run(tmp_path):
    for name, score in (("a", 1.5), ("qrels", 1.0)):
        pl.DataFrame({"qid": ["q"], "docno": [name], "score": [score]}).write_parquet(tmp_path / f"{name}.parquet")
    qrels = str(tmp_path / "qrels.parquet")
    for runs in (tmp_path, f"{tmp_path}/*.parquet"):
        with pytest.raises(UsageError, match=r"holds the qrels, qrels\.parquet; expected the Parquet files of one run"):
            as_runs(runs, labels=[qrels])
    assert names(tmp_path / "a.parquet", qrels) == ["a.parquet", "qrels.parquet"]
    with pytest.warns(SkippedFilesWarning):
        assert as_runs([tmp_path / "a.parquet", qrels], labels=[qrels])[1] == ["a.parquet"]


def test_parquet_files_that_are_several_runs(tmp_path):
    for name in "ab":
        pl.DataFrame({"qid": ["q"], "docno": ["d"], "score": [1.5]}).write_parquet(tmp_path / f"{name}.parquet")
    with pytest.raises(
        InputError, match=r"a\.parquet:1 \(these files are read as one; name each if they are several\)"
    ):
        runoff.evaluate(tmp_path, {"q": {"d": 1}}, measures="AP")


def test_parquet_is_one_run(folder):
    frame = pl.DataFrame({"qid": ["q"], "docno": ["d"], "score": [1.5]})
    frame.write_parquet(folder / "old" / "x.parquet")
    assert run_paths(folder) is None
    assert run_paths(folder / "old" / "*.parquet") is None
    paths = run_paths(folder / "old" / "*")
    assert paths is not None
    assert [path.rpartition("/")[2] for path in paths.runs] == ["x.parquet", "z.run"]


@pytest.mark.parametrize("path", ["-", "s3://bucket/runs", "no-such.run", "no-such-*.run"])
def test_what_is_no_folder(path):
    assert run_paths(path) is None


def test_an_empty_folder(tmp_path):
    assert run_paths(tmp_path) is None


def test_nothing_but_others(folder):
    readme = folder / "README.md"
    with pytest.warns(SkippedFilesWarning), pytest.raises(UsageError, match="no runs"):
        names([readme, readme])


def test_verbs(folder):
    with pytest.warns(SkippedFilesWarning):
        result = runoff.evaluate(folder, {"q": {"d": 1}}, measures=["RR@10"])
    assert isinstance(result, EvaluationResult)
    assert len(result.facts) == 4


def test_the_command_line(folder):
    qrels = folder.parent / "qrels"
    qrels.write_bytes(b"q 0 d 1\n")
    command = [sys.executable, "-m", "runoff", "evaluate", str(folder), "--qrels", str(qrels), "-m", "RR@10"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == "not read as runs: .hidden, README.md, _SUCCESS, ir-metadata.yml, old/\n"
    assert done.stdout.count("1.0000") == 4
