"""What could have been shown, as a table and under keys."""

import pytest

from runoff.boards.resolution import resolution
from runoff.results.power_table import power_dict, power_grid, seen_from, seen_of, unseen_text
from runoff.verdicts import Policy
from tests.verbs.comparisons import clear_comparison, comparison_of


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
    expected = resolution(first, second, level=0.05 / 3).smallest
    assert seen_of([comparison.scores, None, comparison.scores], Policy()) == (expected, None, expected)
    alone = comparison_of([1, 2, 3, 0, 1] * 6, [2, 1, 3, 4, 1] * 6, policy=Policy(correction="none"))
    assert seen_of([comparison.scores, None], Policy(correction="none"))[0] == seen_from(alone.measure_power)


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
    assert said.startswith(
        f"With 48 queries, differences of the mean RR@100 below {smallest:.4f} usually go undetected"
    )
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
    assert by_facet["measure"].smallest == resolution(first, second, level=0.05 / 3).smallest
    alone = comparison_of([1, 2, 3, 0, 1] * 6, [2, 1, 3, 4, 1] * 6, policy=Policy(correction="none"))
    assert alone.powers[0].smallest == resolution(first, second, level=0.05).smallest


def test_the_test_that_decides_is_the_one_that_is_asked():
    plain = comparison_of([1, 2, 3, 0, 1] * 6, [2, 1, 3, 4, 1] * 6)
    other = comparison_of([1, 2, 3, 0, 1] * 6, [2, 1, 3, 4, 1] * 6, policy=Policy(measure_test="sign", esl_test="t"))
    assert [one.test for one in plain.powers] == ["t", "sign", "signed_rank", "sign"]
    assert [one.test for one in other.powers] == ["sign", "sign", "t", "sign"]
    rows = plain.resolution_rows()[0].smallest
    assert (seen_from(plain.measure_power), seen_from(other.measure_power)) == (rows["t"], rows["sign"])


def test_nothing_to_show():
    assert unseen_text(()) == ""
    assert seen_from(None) is None
    assert power_grid(()) is None
    assert power_dict(()) == {}
