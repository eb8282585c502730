"""The rows of a board: the best first, with the numbers of the bootstrap and of the duels."""

from runoff.workflows.board import board_of
from tests.workflows.boards import data_of
from tests.workflows.test_leaderboard import FACTS, SCORES, result_of


def test_rows_are_best_first_and_equal_the_stability():
    result = result_of(SCORES, FACTS)
    assert [row.run for row in result.rows] == ["a", "b", "c"]
    found = result.ranks
    for row in result.rows:
        place = found.runs.index(row.run)
        assert row.mean == found.means[place]
        assert row.p_first == found.p_first[place] == row.rank_probabilities[0]
        assert row.rank_interval == tuple(found.rank_intervals[place])
        assert row.ci95[0] <= row.mean <= row.ci95[1]


def test_every_run_is_judged_against_the_first():
    judged = board_of(data_of({"trade": [1] * 12 + [0] * 18, "steady": [4] * 30, "weak": [9] * 30}), trials=50)
    assert [(row.run, row.verdict) for row in judged.rows] == [
        ("trade", None), ("steady", "trade-off"), ("weak", "trade-off"),
    ]  # fmt: skip
    assert judged.rows[0].p is None
    assert [duel.verdict.measure.p for duel in judged.duels] == [row.p for row in judged.rows[1:]]
    assert {duel.verdict.family_size for duel in judged.duels} == {2}
