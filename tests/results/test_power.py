"""Power by facet, measure and test, as tables and in JSON."""

import json

import pytest

from runoff.comparisons.options import CompareOptions
from runoff.errors import UsageError
from runoff.results.power import power_dict, power_grid, seen_from, unseen_text
from runoff.significance import score_powers
from runoff.significance.power import TESTS
from runoff.verbs._comparing import detectable
from runoff.verdicts import Policy
from tests.verbs.comparisons import clear_comparison, compare, compare_scores, comparison_of, qrels_of, run_of


def test_a_row_per_facet():
    comparison = comparison_of([1, 2, 3, 0, 1] * 6, [2, 1, 3, 4, 1] * 6)
    grid = power_grid(comparison.powers)
    assert grid is not None
    assert grid.values("what")[0] == "Difference of the means"
    assert grid.values("observed")[0] == pytest.approx(comparison.means.difference)
    assert grid.values("shown")[0] == "no"
    content = power_dict(comparison.powers)
    assert {"level", "power", "measure", "more", "sooner", "ipso"} == set(content)
    assert content.items() <= comparison.to_dict()["resolution"].items()


def test_pairs_are_seen_at_the_level_of_their_number():
    comparison = comparison_of([1, 2, 3, 0, 1] * 6, [2, 1, 3, 4, 1] * 6)
    assert comparison.scores is not None
    first, second = comparison.scores.values.T
    expected = score_powers(first, second, level=0.05 / 3)["t"].smallest
    assert detectable([comparison.scores, None, comparison.scores], Policy()) == (expected, None, expected)
    alone = comparison_of([1, 2, 3, 0, 1] * 6, [2, 1, 3, 4, 1] * 6, policy=Policy(correction="none"))
    assert detectable([comparison.scores, None], Policy(correction="none"))[0] == seen_from(alone.measure_power)


def test_no_votes_have_no_share():
    grid = power_grid(comparison_of([1, 2, 3, 1] * 6, [2, 1, 3, 1] * 6).powers)  # both runs answer everything
    assert grid is not None
    shares = dict(zip(grid.values("what"), zip(grid.values("n"), grid.values("observed"), strict=True), strict=True))
    assert shares["Share of queries with more found"] == (0, None)


def test_what_is_shown_says_yes():
    grid = power_grid(clear_comparison().powers)
    assert grid is not None
    assert grid.values("shown")[0] == "yes"


def test_beside_a_measure_that_is_not_shown_stands_what_its_test_detects():
    comparison = comparison_of([1, 2, 3, 0, 4, 0, 1, 1] * 6, [2, 1, 4, 5, 0, 3, 1, 1] * 6)
    said = unseen_text(comparison.powers)
    assert said == comparison.powers[0].sentence
    smallest = comparison.powers[0].smallest
    assert said.startswith(f"With 48 queries, differences of the mean RR@10 below {smallest:.4f} usually go undetected")
    assert said.count("would need") == 1
    assert any(part.endswith(said) for part in comparison.opening(80))
    assert comparison.measure_power == comparison.powers[0]
    assert seen_from(comparison.measure_power) == smallest
    assert unseen_text(clear_comparison().powers) == ""


def test_facets_are_asked_at_the_level_that_the_correction_leaves():
    comparison = comparison_of([1, 2, 3, 0, 1] * 6, [2, 1, 3, 4, 1] * 6)
    first, second = comparison.scores.values.T
    by_facet = {one.facet: one for one in comparison.powers}
    assert {one.level for one in comparison.powers if one.facet != "ipso"} == {0.05 / 3}
    assert by_facet["ipso"].level == 0.05  # the vote is no facet of the verdict
    assert by_facet["measure"].smallest == score_powers(first, second, level=0.05 / 3)["t"].smallest
    alone = comparison_of([1, 2, 3, 0, 1] * 6, [2, 1, 3, 4, 1] * 6, policy=Policy(correction="none"))
    assert alone.powers[0].smallest == score_powers(first, second, level=0.05)["t"].smallest


def test_the_test_that_decides_is_the_one_that_is_asked():
    plain = comparison_of([1, 2, 3, 0, 1] * 6, [2, 1, 3, 4, 1] * 6)
    other = comparison_of([1, 2, 3, 0, 1] * 6, [2, 1, 3, 4, 1] * 6, policy=Policy(measure_test="sign", esl_test="t"))
    assert [one.test for one in plain.powers] == ["t", "sign", "signed_rank", "sign"]
    assert [one.test for one in other.powers] == ["sign", "sign", "t", "sign"]
    rows = plain.power_rows[0].powers
    assert (seen_from(plain.measure_power), seen_from(other.measure_power)) == (
        rows["t"].smallest,
        rows["sign"].smallest,
    )


def test_nothing_to_show():
    assert unseen_text(()) == ""
    assert seen_from(None) is None
    assert power_grid(()) is None
    assert power_dict(()) == {}


CHAMPION, CHALLENGER = [1, 2, 3, 0, 1] * 6, [2, 1, 3, 4, 1] * 6


@pytest.fixture(scope="module")
def comparison():
    return comparison_of(CHAMPION, CHALLENGER, options=CompareOptions(measures=["RR@10", "nDCG@20", "AP"]))


def test_a_row_per_measure_and_a_column_per_test(comparison):
    found = comparison.resolution_table()
    grid = found.grid()
    assert list(grid.values("measure")) == ["RR@10", "nDCG@20", "AP"]
    wanted = score_powers(*comparison.scores.values.T, level=0.05 / 3)
    for name in TESTS:
        assert grid.values(name)[0] == wanted[name].smallest
        assert found.needed_grid().values(name)[0] == wanted[name].needed
    assert [row.subject for row in found.votes] == ["more", "sooner", "ipso"]
    assert found.level == 0.05 / 3  # three facets are corrected together


def test_a_given_difference(comparison):
    question = CompareOptions(measures=["RR@10", "AP"], difference=0.01)
    found = comparison_of(CHAMPION, CHALLENGER, options=question).resolution_table()
    assert {row.first.difference for row in found.measures} == {0.01}
    wanted = score_powers(*comparison.scores.values.T, difference=0.01, level=0.05 / 3)
    assert found.measures[0].powers["t"].needed == wanted["t"].needed
    assert "A difference of 0.0100 would need about " in found.opening(80)[0]


def test_the_smallest_differences_by_test_are_a_table_of_their_own(comparison):
    assert not any("Smallest detectable difference," in grid.title for grid in comparison.grids())
    titles = [grid.title for grid in comparison.resolution_table().grids()]
    assert sum("Smallest detectable difference, with 80% power" in title for title in titles) == 1


def test_keys(comparison):
    content = json.loads(comparison.resolution_table().to_json())
    assert [one["measure"] for one in content["measures"]] == ["RR@10", "nDCG@20", "AP"]
    assert content["measures"][0]["tests"].keys() == set(TESTS)
    assert [one["facet"] for one in content["votes"]] == ["more", "sooner", "ipso"]
    beside = json.loads(comparison.to_json())["resolution"]["measures"]
    assert beside["RR@10"]["tests"] == content["measures"][0]["tests"]


def test_several_challengers_have_rows_of_their_own():
    runs = [run_of(name, ranks) for name, ranks in (("a", CHALLENGER), ("b", [1] * 30))]
    multi_comparison = compare(
        run_of("old", CHAMPION), runs, qrels_of(30), options=CompareOptions(measures=["RR@10", "AP"])
    )
    found = multi_comparison.resolution_table()
    assert list(found.grid().values("challenger")) == ["a", "a", "b", "b"]
    assert found.level == pytest.approx(0.05 / 6)  # three facets of two challengers
    assert list(found.votes_grid().values("challenger")) == ["a", "a", "a", "b", "b", "b"]


def test_words_where_the_difference_is_large_enough_or_there_is_none():
    clear = comparison_of([0] * 20 + [2] * 20, [1] * 40)
    assert "A difference of 0.7500 is above that." in clear.resolution_table().opening(80)[0]
    equal = comparison_of([1, 2], [1, 2])
    assert equal.resolution_table().opening(80)[0].startswith("All queries have the same difference of RR@10")


def test_one_query_is_not_enough():
    with pytest.raises(UsageError, match="fewer than two queries"):
        comparison_of([1], [2]).resolution_table()


def test_scores_have_no_votes():
    scores = comparison_of(CHAMPION, CHALLENGER).scores
    found = compare_scores(scores, "champion", ["challenger"]).comparisons[0].resolution_table()
    assert found.votes == ()
    assert len(found.grids()) == 2
