"""A submission: rank, margin and verdict as on the grown board, rules, near-duplicates, and faults of the file."""

import json
from datetime import date

import pytest

from runoff import InputError, UsageError, compare
from runoff.display import render
from runoff.verbs._submission import check_submission, read_submission
from tests.verbs.audited import lines_of, write_audited
from tests.verbs.reported import write_reported


@pytest.fixture
def board(tmp_path):
    return write_audited(tmp_path)


def sent(folder, content="fair 1", **about):
    path = folder / "new.run"
    path.write_text("".join(lines_of(content)))
    return read_submission(path, **about)


def test_rank_and_margin(board):
    result = check_submission(board, sent(board.parent, name="new", team="New"), trials=50)
    assert result.rank == (7, 8)
    assert result.row is not None
    assert result.row.run == "new"
    assert result.to_dict()["rank_set"] == list(result.row.rank_set)
    assert result.comparison is not None
    assert result.comparison.champion == "tuned 3"
    alone = compare(
        board.parent / "tuned 3.run", board.parent / "new.run", board.parent / "sparse.txt", measures="RR@10"
    )
    assert result.margin == result.comparison.means.difference < 0
    assert alone.means.difference < 0
    assert [pair.first for pair in result.alike] == ["fair 1"]
    assert result.is_fine


def test_beside_the_verdict_stands_what_could_have_been_seen(board):
    path = board.parent / "new.run"
    lines = list(lines_of("tuned 3"))
    lost = lines[0].split()[0]
    path.write_text("".join(line for line in lines if line.split()[0] != lost))  # the record without one query
    result = check_submission(board, read_submission(path, name="new", team="New"), trials=50)
    assert result.comparison is not None
    assert result.comparison.outcome == "inconclusive"
    assert "differences of the mean RR@10 below" in result.opening(80)[1]
    assert "usually go undetected (80% power" in result.opening(80)[1]
    smallest = result.comparison.powers[0].smallest
    assert result.to_dict()["seen_from"] == smallest
    grid = result.grid()
    findings = dict(zip(grid.values("what"), grid.values("finding"), strict=True))
    assert str(findings["Detectable difference"]).startswith(f"{smallest:.4f}, ")


def test_a_broken_rule_is_told(board):
    run = sent(board.parent, "tuned 1", name="tuned 4", team="Tuners", day=date(2021, 1, 22))
    result = check_submission(board, run, trials=20)
    assert not result.is_fine
    assert {one.kind for one in result.violations} == {"submissions", "variants"}
    assert "With tuned 4 on 2021-01-22, Tuners has" in render(result, "markdown")
    assert "it breaks 2 rules" in result.opening(0)[0]


def test_faults_of_the_file_are_told(board):
    path = board.parent / "bad.run"
    path.write_text("a0 Q0 d 1 x t\n" * 3 + "a0 Q0 e 1 1 t\n")
    result = check_submission(board, read_submission(path))
    assert not result.is_fine
    assert result.row is None
    text = render(result, "markdown")
    assert "bad.run:1" in text
    assert "cannot be scored" in text
    assert json.loads(render(result, "json"))["fine"] is False


def test_only_the_queries_that_the_board_ranks_by_are_looked_at(board):
    """Nothing about private queries may be learned from a check."""
    first = check_submission(board, sent(board.parent), trials=20).to_dict()
    (board.parent / "private.txt").write_text("b1\n")
    assert check_submission(board, sent(board.parent), trials=20).to_dict() == first


def test_missing_queries_are_told(board):
    path = board.parent / "part.run"
    path.write_text("".join(line for line in lines_of("fair 1") if not line.startswith("a1 ")))
    result = check_submission(board, read_submission(path), trials=20)
    assert result.missing_queries == (1, 120)


def test_metadata_beside_the_run(tmp_path):
    (tmp_path / "metadata.json").write_text(json.dumps({"team": "M", "date": "2021-02-03", "name": "n", "more": 1}))
    run = read_submission(tmp_path / "x.run.gz")
    assert (run.name, run.team, run.date) == ("n", "M", date(2021, 2, 3))
    run = read_submission(tmp_path / "x.run.gz", name="o", team="P", day=date(2022, 1, 1))
    assert (run.name, run.team, run.date) == ("o", "P", date(2022, 1, 1))


@pytest.mark.parametrize(
    "content, message",
    [
        ("{", "not JSON"),
        ("[]", "not a JSON object"),
        ('{"team": 1}', "team is 1; expected"),
        ('{"date": "x"}', "date is 'x'; expected"),
    ],
)
def test_metadata_that_cannot_be_used(tmp_path, content, message):
    (tmp_path / "metadata.json").write_text(content)
    with pytest.raises(InputError, match=message):
        read_submission(tmp_path / "x.run")


def test_a_name_on_the_board_is_refused(board):
    with pytest.raises(UsageError, match="'base' is on the board already"):
        check_submission(board, sent(board.parent, name="base"))


def test_the_first_run_of_a_board_has_no_record_to_beat(tmp_path):
    from dataclasses import replace

    from runoff.files import read_board

    board = read_board(write_reported(tmp_path, runs=1, queries=30))
    result = check_submission(replace(board, runs=()), replace(board.runs[0], name="first"), trials=10)
    assert (result.rank, result.comparison, result.margin) == ((1, 1), None, None)


def test_a_team_cannot_call_its_run_a_baseline(tmp_path):
    (tmp_path / "metadata.json").write_text('{"baseline": true}')
    (tmp_path / "x.run").write_text("q1 Q0 d1 1 1 x\n")
    assert not read_submission(tmp_path).baseline
