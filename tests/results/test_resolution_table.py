"""What a comparison's queries can show, by measure and test, as tables and under keys."""

import json

import pytest

import runoff
from runoff.boards import resolution_by_test
from runoff.boards.resolution_by_test import TESTS
from runoff.comparisons.options import CompareOptions
from runoff.errors import UsageError
from tests.verbs.comparisons import compare_all, comparison_of, qrels_of, run_of

CHAMPION, CHALLENGER = [1, 2, 3, 0, 1] * 6, [2, 1, 3, 4, 1] * 6


@pytest.fixture(scope="module")
def comparison():
    return comparison_of(CHAMPION, CHALLENGER, question=CompareOptions(measure="RR@10", also=["nDCG@20", "AP"]))


def test_a_row_per_measure_and_a_column_per_test(comparison):
    found = comparison.resolution_table()
    grid = found.grid()
    assert list(grid.values("measure")) == ["RR@10", "nDCG@20", "AP"]
    wanted = resolution_by_test(*comparison.scores.values.T, level=0.05 / 3)
    for name in TESTS:
        assert grid.values(name)[0] == wanted.smallest[name]
        assert found.needed_grid().values(name)[0] == wanted.needed[name]
    assert [row.facet for row in found.votes] == ["more", "sooner", "ipso"]
    assert found.level == 0.05 / 3  # three facets are corrected together


def test_a_given_difference(comparison):
    found = comparison.resolution_table(0.01)
    assert {row.difference for row in found.measures} == {0.01}
    wanted = resolution_by_test(*comparison.scores.values.T, difference=0.01, level=0.05 / 3)
    assert found.measures[0].needed["t"] == wanted.needed["t"]
    assert "one of 0.0100 would need about " in found.opening(80)[0]


def test_several_measures_are_shown_beside_the_comparison(comparison):
    titles = [grid.title for grid in comparison.grids()]
    assert sum("Smallest detectable difference, with 80% power" in title for title in titles) == 1
    assert "Queries needed to detect a difference" in [grid.title for grid in comparison.screen_grids()]
    alone = comparison_of(CHAMPION, CHALLENGER)
    assert not any("Smallest detectable difference," in grid.title for grid in alone.grids())


def test_keys(comparison):
    content = json.loads(comparison.resolution_table().to_json())
    assert [one["measure"] for one in content["measures"]] == ["RR@10", "nDCG@20", "AP"]
    assert content["measures"][0]["tests"].keys() == set(TESTS)
    assert [one["facet"] for one in content["votes"]] == ["more", "sooner", "ipso"]
    beside = json.loads(comparison.to_json())["resolution"]["measures"]
    assert beside["RR@10"]["tests"] == content["measures"][0]["tests"]


def test_several_challengers_have_rows_of_their_own():
    runs = [run_of(name, ranks) for name, ranks in (("a", CHALLENGER), ("b", [1] * 30))]
    multi_comparison = compare_all(
        run_of("old", CHAMPION), runs, qrels_of(30), question=CompareOptions(measure="RR@10", also=["AP"])
    )
    found = multi_comparison.resolution_table()
    assert list(found.grid().values("challenger")) == ["a", "a", "b", "b"]
    assert found.level == pytest.approx(0.05 / 6)  # three facets of two challengers
    assert len(multi_comparison.grids()) == 3
    assert list(found.votes_grid().values("challenger")) == ["a", "a", "a", "b", "b", "b"]


def test_words_where_the_difference_is_large_enough_or_there_is_none():
    clear = comparison_of([0] * 20 + [2] * 20, [1] * 40)
    assert "one of 0.7500 is that large." in clear.resolution_table().opening(80)[0]
    equal = comparison_of([1, 2], [1, 2])
    assert equal.resolution_table().opening(80)[0].startswith("All queries have the same difference of RR@100")


def test_one_query_is_not_enough():
    with pytest.raises(UsageError, match="fewer than two queries"):
        comparison_of([1], [2]).resolution_table()


def test_scores_have_no_votes():
    scores = comparison_of(CHAMPION, CHALLENGER).scores
    found = runoff.compare_scores(scores, "champion", ["challenger"]).comparisons[0].resolution_table()
    assert found.votes == ()
    assert len(found.grids()) == 2
