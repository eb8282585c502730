"""The files of the demo: readable by runoff, true to the year, the same bytes for a seed, nobody's files replaced."""

import json

import numpy as np
import pytest

from runoff import UsageError, read_qrels, read_run
from runoff.files.board_toml import read_board
from runoff.files.judging.judgments import read_judgments
from runoff.files.query_list import read_query_list
from runoff.simulation.year import YearConfig, simulate_year
from runoff.simulation.year.judging import judge_year
from runoff.verbs._demo_files import write_demo

CONFIG = YearConfig(public=120, private=40, deep=6, judged=10, seed=1)


@pytest.fixture(scope="module")
def year():
    return simulate_year(CONFIG)


@pytest.fixture(scope="module")
def files(year, tmp_path_factory):
    return write_demo(year, tmp_path_factory.mktemp("demo") / "new" / "folder")


def test_the_board_names_files_that_can_be_read(year, files):
    board = read_board(files.board)
    assert len(board.runs) == 40
    assert (board.measure, board.depth) == ("RR@10", 20)
    for run in board.runs:
        assert run.path == files.run(run.name)
        documents = [f"D{one}" for one in year.documents(run.name).ravel().tolist()]
        assert list(read_run(files.run(run.name)).docs) == documents
    public, private = (read_query_list(board.queries[name]) for name in ("public", "private"))
    assert (len(public), len(private)) == (120, 40)
    assert set(public).isdisjoint(private)


def test_labels(year, files):
    sparse, deep = (read_qrels(files.labels(name)) for name in ("sparse", "deep"))
    assert sparse.query_ids == year.questions.query_ids
    assert len(sparse.relevance) == 160
    assert deep.query_ids == tuple(year.questions.query_ids[row] for row in year.deep.tolist())
    assert set(np.unique(deep.relevance).tolist()) <= {0, 1, 2, 3}


def test_judgments_come_back_as_they_were_made(year, files):
    assert list(read_judgments(files.judgments)) == list(judge_year(year))


def test_texts_have_two_columns_and_no_id_twice(files):
    for name in ("queries", "documents"):
        rows = [line.split("\t") for line in files.texts(name).read_text(encoding="utf-8").splitlines()]
        assert {len(row) for row in rows} == {2}
        assert len({row[0] for row in rows}) == len(rows)


def test_the_truth_is_told(year, files):
    truth = json.loads(files.truth.read_text(encoding="utf-8"))
    assert truth["roles"]["lucky"] == "douro-3"
    assert truth["roles"]["overfitted_team"] == "Clyde"
    assert truth["runs"]["ebro-3"]["true_rr_10"] == year.truth["ebro-3"].rr
    row = 7
    best = year.questions.documents[row, year.questions.value[row].argmax()]
    assert truth["best_documents"][year.questions.query_ids[row]] == f"D{best}"


def test_the_same_seed_gives_the_same_bytes_and_replaces_an_earlier_demo(year, files, tmp_path):
    write_demo(simulate_year(CONFIG), tmp_path / "again")
    write_demo(year, tmp_path / "again")
    for file in sorted(files.folder.rglob("*")):
        if file.is_file() and file.name != "README.md":
            assert (tmp_path / "again" / file.relative_to(files.folder)).read_bytes() == file.read_bytes()


def test_files_of_others_are_not_replaced(year, tmp_path):
    (tmp_path / "README.md").write_text("precious", encoding="utf-8")
    with pytest.raises(UsageError, match=r"README\.md: is there already, and not from an earlier demo"):
        write_demo(year, tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["README.md"]


def test_a_folder_that_cannot_be_written_is_explained(year, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match=r"cannot be written to .*; name another folder"):
        write_demo(year, tmp_path / "file")
