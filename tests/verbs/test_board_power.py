"""What the queries of a board can show, by measure and test."""

import numpy as np
import pytest

import runoff
from runoff.boards import board_powers
from runoff.comparisons.options import CompareOptions
from runoff.errors import UsageError
from runoff.reading.boards import read_board_data
from runoff.reading.sources import as_qrels
from runoff.significance import vote_power
from runoff.significance.power import TESTS
from runoff.verbs.board import BoardOptions, board_of
from tests.verbs.comparisons import qrels_of, run_of

RANKS = {"a": [1, 2, 3, 0, 1] * 6, "b": [2, 1, 3, 4, 1] * 6, "c": [3, 5, 0, 4, 2] * 6}


@pytest.fixture(scope="module")
def board():
    runs = [run_of(name, ranks) for name, ranks in RANKS.items()]
    question = CompareOptions(measures=["RR@5", "AP", "nDCG@10"])
    data = read_board_data(runs, as_qrels(qrels_of(30)), options=question)
    return board_of(data, trials=50, options=BoardOptions(difference=0.05))


def test_a_row_per_measure(board):
    found = board.resolution
    assert [row.subject for row in found.measures] == ["RR@5", "AP", "nDCG@10"]
    wanted = board_powers(board.data.scores, difference=0.05)
    assert found.measures[0].powers == wanted
    assert found.about == "median of 3 pairs"
    assert found.grid().notes == ("Observed: the lead of the best mean over the next.",)
    # RR@5 leaves nothing below rank 5 to AP, so the lists were read deeper for the others.
    assert found.measures[1].first.smallest != found.measures[2].first.smallest
    assert list(found.grid().values("sign")) == [row.powers["sign"].smallest for row in found.measures]


def test_votes_are_those_against_the_first(board):
    found = {row.subject: row.first for row in board.resolution.votes}
    comparisons = board.comparisons
    votes = [vote_power(*comparison.outcomes.queries_more[::-1]) for comparison in comparisons]
    assert found["more"].observed == votes[0].observed
    assert found["more"].n == round(np.median([power.n for power in votes]))
    assert found.keys() == {"more", "sooner", "ipso"}
    assert found["sooner"].observed == comparisons[0].outcomes.esl.difference
    assert board.resolution.votes_grid().title.endswith(
        f"median of 2 runs against {comparisons[0].champion} (observed and needed: {comparisons[0].challenger})"
    )


def test_several_measures_are_shown_beside_the_board(board):
    assert [grid.title for grid in board.grids()][1].startswith("Smallest detectable difference, with 80% power")
    assert {"seen_from", "needed_queries"} <= board.to_dict()["runs"][1].keys()


def test_scores_alone():
    scores = runoff.Scores(
        measure="AP", query_ids=("1", "2", "3"), runs=("a", "b"), values=np.array([[0.1, 0.2], [0.3, 0.5], [0.9, 0.7]])
    )
    found = runoff.board(scores, trials=50, options=BoardOptions(resolution=True)).resolution
    assert found is not None
    assert found.votes == ()
    assert found.about == "its two runs"
    assert list(found.measures[0].powers) == list(TESTS)


def test_boards_that_cannot_show_anything():
    scores = runoff.Scores(measure="AP", query_ids=("1", "2"), runs=("a", "b"), values=np.full((2, 2), 0.5))
    with pytest.raises(UsageError, match="expected two runs that differ"):
        runoff.board(scores, trials=50, options=BoardOptions(resolution=True))
