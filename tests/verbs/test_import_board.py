"""Imports: a folder of submissions becomes a board.toml that the board verb reads."""

import json

import pytest

import runoff
from runoff import UsageError
from runoff.verbs.board import import_board


@pytest.fixture
def folder(tmp_path):
    for name, team, rank in (("20210101-one", "A", 1), ("20210202-two", "B", 2)):
        place = tmp_path / "submissions" / name
        place.mkdir(parents=True)
        (place / "metadata.json").write_text(json.dumps({"team": team}))
        rows = [f"q{query}\t{'d' if at == rank else f'x{at}'}\t{at}\n" for query in range(3) for at in range(1, 4)]
        (place / "run.tsv").write_text("".join(rows))
    (tmp_path / "qrels.txt").write_text("".join(f"q{query} 0 d 1\n" for query in range(3)))
    return tmp_path


def test_a_folder_of_submissions_becomes_a_board(folder):
    target = folder / "board.toml"
    result = import_board(folder / "submissions", target, measures="RR@3", qrels=folder / "qrels.txt")
    assert result.to_dict() == {
        "source": str(folder / "submissions"), "board": str(target),
        "runs": 2, "teams": 2, "dated": 2, "baselines": 0, "with_file": 2, "with_published_scores": 0,
    }  # fmt: skip
    assert result.opening(80)[0].endswith(f"Look at it: runoff board {target}")
    board = runoff.board(target, trials=20)
    assert [(row.run, row.team, row.mean) for row in board.rows] == [
        ("20210101-one", "A", 1.0),
        ("20210202-two", "B", 0.5),
    ]
    assert board.ranks.measure == "RR@3"


def test_without_qrels_it_says_what_is_missing(folder):
    result = import_board(folder / "submissions", folder / "board.toml")
    assert "Add the qrels, [labels.NAME] with their path" in result.opening(80)[0]


def test_nothing_is_replaced_and_nothing_is_guessed(folder):
    (folder / "board.toml").write_text("mine")
    with pytest.raises(UsageError, match="is there already"):
        import_board(folder / "submissions", folder / "board.toml")
    assert (folder / "board.toml").read_text() == "mine"
    with pytest.raises(UsageError, match="no such file or folder"):
        import_board(folder / "nowhere", folder / "b.toml")
