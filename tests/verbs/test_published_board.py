"""Boards of published means: order and records, and honest words about the rest."""

import json

import pytest

from runoff import UsageError
from runoff.verbs._published_board import has_only_means
from runoff.verbs.board import import_board, published_board

RUN = '[[runs]]\nname = "{0}"\nteam = "T"\ndate = 2021-01-0{1}\nscores = {{ public = {2}, private = {3} }}\n'


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "board.toml"
    runs = [("a", 1, 0.3, 0.2), ("b", 2, 0.2, 0.4), ("c", 3, 0.4, 0.3)]
    path.write_text('title = "T"\nmeasure = "RR@10"\n' + "".join(RUN.format(*run) for run in runs))
    return path


def test_rows_are_ordered_by_the_chosen_means(file):
    assert has_only_means(file)
    result = published_board(file)
    assert (result.query_set, [run.name for run in result.runs]) == ("private", ["b", "c", "a"])
    assert [run.name for run in published_board(file, query_set="public").runs] == ["c", "a", "b"]
    content = json.loads(result.to_json())
    assert [record["run"] for record in content["history"]] == ["a", "b"]
    assert "no intervals, no tests and no verdicts" in result.opening(80)[0]


def test_an_unknown_query_set_is_explained(file):
    with pytest.raises(UsageError, match="no run has a published score on 'secret'; expected one of public, private"):
        published_board(file, query_set="secret")


def test_the_ms_marco_table_gives_its_own_records(tmp_path, shared_data):
    path = tmp_path / "board.toml"
    imported = import_board(shared_data / "msmarco" / "document-leaderboard.csv", path)
    assert imported.to_dict()["runs"] == 117
    result = published_board(path)
    assert result.records is not None
    assert len(result.records.records) == 17
    assert result.runs[0].name == result.records.records[-1].name
