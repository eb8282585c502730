"""Evidence from the files of a board: private queries and judged pairs."""

import pytest

import runoff
from runoff.errors import UsageError
from runoff.tables.preferences import Preferences
from runoff.verbs._board_evidence import PICKED, EvidenceSources, evidence_of_board
from tests.results.test_board import SCORES
from tests.verbs.boards import board_of_file

QUERIES = [f"q{place}" for place in range(12)]


@pytest.fixture
def described(tmp_path):
    for name, rank in (("good", 1), ("poor", 2)):
        lines = [
            f"{query} Q0 {'d' if at == rank else f'{name}{at}'} {at} {10 - at} x"
            for query in QUERIES
            for at in (1, 2, 3)
        ]
        (tmp_path / f"{name}.run").write_text("\n".join(lines) + "\n")
    (tmp_path / "qrels.txt").write_text("".join(f"{query} 0 d 1\n" for query in QUERIES))
    (tmp_path / "public.txt").write_text("".join(f"{query}\n" for query in QUERIES[:8]))
    (tmp_path / "private.txt").write_text("".join(f"{query}\n" for query in QUERIES[8:]))
    path = tmp_path / "board.toml"
    path.write_text(
        'title = "T"\nmeasure = "RR@10"\n[queries.public]\npath = "public.txt"\n[queries.private]\n'
        'path = "private.txt"\n[labels.sparse]\npath = "qrels.txt"\n'
        '[[runs]]\npath = "good.run"\nname = "good"\n[[runs]]\npath = "poor.run"\nname = "poor"\n'
    )
    return path


def keys(found):
    return [line.key for line in found.evidence[0].lines]


def test_private_queries_and_judgments_are_lines(described):
    board = board_of_file(described, trials=50)
    votes = Preferences.of([(query, "d", "poor1", "d") for query in QUERIES[:6]])
    found = evidence_of_board(board, EvidenceSources(described=described, judgments=[votes]))
    assert keys(found)[-2:] == ["preferences", "elsewhere"]
    lines = {line.key: line for line in found.evidence[0].lines}
    assert lines["elsewhere"].label == "private queries"
    assert lines["preferences"].strength == "0 : 6, 6 of 8 judged"
    assert found.remarks == (PICKED,)  # nothing is missing; runs of a board were picked by the data


def test_a_board_that_is_ranked_by_private_queries_has_no_other(described):
    board = board_of_file(described, query_set="private", trials=50)
    assert "elsewhere" not in keys(evidence_of_board(board, EvidenceSources(described=described, query_set="private")))
    assert "elsewhere" not in keys(evidence_of_board(board))


def test_private_queries_without_labels_are_told(described):
    board = board_of_file(described, trials=50)
    (described.parent / "private.txt").write_text("q90\nq91\n")
    found = evidence_of_board(board, EvidenceSources(described=described))
    assert "elsewhere" not in keys(found)
    picked, remark = found.remarks
    assert picked == PICKED
    assert remark.startswith("There is no line about the private queries: ")
    assert remark in found.grid().notes
    assert found.to_dict()["remarks"] == [picked, remark]


def test_run_files_have_judgments_too(described):
    runs = [str(described.parent / name) for name in ("good.run", "poor.run")]
    board = runoff.board(runs, str(described.parent / "qrels.txt"), trials=50)
    votes = Preferences.of([("q0", "d", "poor1", "d")])
    assert "preferences" in keys(evidence_of_board(board, EvidenceSources(runs=runs, judgments=[votes])))


def test_scores_have_no_documents():
    with pytest.raises(UsageError, match="scores have none"):
        evidence_of_board(runoff.board(SCORES, trials=20), EvidenceSources(judgments=["x"]))
