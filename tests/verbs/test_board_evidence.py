"""All evidence about the pairs of a board."""

import json

import pytest

import runoff
from runoff.errors import UsageError
from runoff.preferences import TopDocs, win_ratios
from runoff.significance import PairedT
from runoff.tables.preferences import Preferences
from runoff.verbs._board_evidence import board_evidence
from runoff.verbs.board import board_of
from tests.results.test_board import SCORES
from tests.verbs.boards import data_of

RANKS = {"best": [1] * 25 + [2] * 15, "next": [1] * 20 + [3] * 20, "weak": [7] * 10 + [0] * 30}


@pytest.fixture(scope="module")
def board():
    return board_of(data_of(RANKS), trials=60)


def test_the_first_against_each(board):
    found = board_evidence(board)
    assert [(one.champion, one.challenger) for one in found.evidence] == [("best", "next"), ("best", "weak")]
    weak = found.evidence[1]
    # weak answers fewer queries; where both answer there are ten, all later
    assert weak.kind == "agree"
    assert {line.facet.family.size for line in weak.lines} == {2}
    assert "bootstrap" in {line.key for line in weak.lines}


def test_the_difference_that_could_have_been_seen_stands_beside_every_pair(board):
    found = board_evidence(board)
    assert found.seen == found.grid().values("seen_from")
    assert len(found.seen) == 2
    assert all(found.seen)


def test_lines_are_those_of_the_comparison_but_for_the_correction(board):
    (first, _) = board_evidence(board).evidence
    alone = {line.key: line.facet.raw_p for line in board.comparisons[0].lines.lines}
    assert {line.key: line.facet.raw_p for line in first.lines if line.key in alone} == alone


def test_all_pairs_and_the_top(board):
    found = board_evidence(board, which="pairs")
    assert [(one.champion, one.challenger) for one in found.evidence] == [
        ("best", "next"), ("best", "weak"), ("next", "weak"),
    ]  # fmt: skip
    assert len(board_evidence(board, which="pairs", top=2).evidence) == 1
    with pytest.raises(UsageError, match="fewer than two runs"):
        board_evidence(board, top=1)


def test_other_queries_and_people(board):
    private = data_of({name: ranks[::-1] for name, ranks in RANKS.items()}).scores
    queries = [f"q{place}" for place in range(12)]
    tops = TopDocs.of({"best": dict.fromkeys(queries, "a"), "next": dict.fromkeys(queries, "b")}, queries)
    ratios = win_ratios(Preferences.of([(query, "a", "b", "a") for query in queries[:8]]), tops)
    found = board_evidence(board, elsewhere=("private", private), ratios=ratios)
    lines = {line.key: line for line in found.evidence[0].lines}
    assert lines["elsewhere"].facet.raw_p == PairedT().compare(private.of("best"), private.of("next")).p
    assert lines["preferences"].strength == "0 : 8, 8 of 12 judged"
    assert lines["preferences"].facet.raw_p == pytest.approx(2 * 0.5**8)
    assert lines["preferences"].speaks_for == "champion"
    assert "preferences" not in {line.key for line in found.evidence[1].lines}


def test_it_is_shown(board):
    found = board_evidence(board)
    assert found.grid().values("kind")[1] == "agree"
    assert "-" in found.grid().values("t")
    assert found.chart().name == "evidence_matrix"
    content = json.loads(found.to_json())
    assert content["pairs"][0]["champion"] == "best"
    assert found.opening(80)[0].startswith("Evidence about 2 pairs of runs: ")
    assert found.to_text() == board_evidence(board).to_text()


def test_scores_alone_have_lines_of_scores():
    found = board_evidence(runoff.board(SCORES, trials=50))
    assert {line.basis for one in found.evidence for line in one.lines} == {"scores"}
