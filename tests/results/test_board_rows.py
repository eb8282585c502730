"""The rows of a board: the best first, with the numbers of the bootstrap and of the comparisons."""

from runoff.verbs.board import board_of
from tests.results.test_board import FACTS, SCORES, result_of
from tests.verbs.boards import data_of


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


def test_ranks_that_a_run_could_have_are_those_of_all_pairs():
    result = result_of(SCORES, FACTS)
    decisions = result.decided.decisions
    groups = decisions.groups(result.ranks.order)
    for row in result.rows:
        place = decisions.runs.index(row.run)
        first, last = row.rank_set
        assert first == 1 + sum(decisions.above[place])
        assert last == len(decisions.runs) - sum(decisions.above[:, place])
        assert row.could_be_best == (first == 1)
        assert row.group == groups[place]


def test_every_run_is_judged_against_the_first():
    judged = board_of(data_of({"trade": [1] * 12 + [0] * 18, "steady": [4] * 30, "weak": [9] * 30}), trials=50)
    # Both find 18 documents more than the first, and later: that says how they differ, and the mean decides.
    assert [(row.run, row.verdict, row.how) for row in judged.rows] == [
        ("trade", None, ()), ("steady", "inconclusive", ()), ("weak", "worse", ("later", "but more")),
    ]  # fmt: skip
    assert judged.rows[0].p is None
    assert [comparison.verdict.measure.p for comparison in judged.comparisons] == [row.p for row in judged.rows[1:]]
    assert [comparison.outcome for comparison in judged.comparisons] == [row.verdict for row in judged.rows[1:]]
    assert {str(comparison.verdict.measure.family) for comparison in judged.comparisons} == {
        "all pairs of 3 runs (6 p-values)"
    }
