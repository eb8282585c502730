"""The keys of outcomes, break-even and IPSO: the same as those of the whole comparison."""

import pytest

from runoff.results.comparison_keys import break_even_keys, ipso_keys, outcome_keys
from tests.verbs.comparisons import comparison_of, comparison_of_several, trade_off


def test_keys():
    comparison = comparison_of([1, 2, 3, 0, 1] * 6, [2, 1, 3, 4, 1] * 6)
    content = comparison.to_dict()
    assert content["outcomes"] == outcome_keys(comparison.outcomes, comparison.outcome_tests)
    assert content["outcomes"]["challenger_only"] == 6
    assert content["ipso"] == ipso_keys(comparison.ipso)
    assert content["ipso"]["champion_favoured"] + content["ipso"]["challenger_favoured"] == 18


def test_no_query_that_both_answer():
    comparison = comparison_of([1, 0], [0, 1])
    esl = outcome_keys(comparison.outcomes, comparison.outcome_tests)["esl"]
    assert isinstance(esl, dict)
    assert esl["signed_rank_p"] is esl["t_p"] is None


def test_counts_are_of_levels_and_votes_of_queries():
    """Of three documents A finds one and B three, on two queries; the third query nobody can answer."""
    comparison = comparison_of_several([[4], [2], []], [[1, 2, 3], [1, 2, 5], []], relevant=[3, 4, 0])
    found = outcome_keys(comparison.outcomes, comparison.outcome_tests)
    assert {name: found[name] for name in ("neither", "champion_only", "challenger_only", "both")} == {
        "neither": 1, "champion_only": 0, "challenger_only": 4, "both": 2,
    }  # fmt: skip
    assert found["queries_more"] == {"champion": 0, "challenger": 2}
    assert (found["unanswerable"], found["several_relevant"]) == (1, 2)
    assert found["shares"] == pytest.approx(
        {"neither": 1 / 8, "champion_only": 0.0, "challenger_only": (2 / 3 + 1 / 2) / 2, "both": (1 / 3 + 1 / 4) / 2}
    )


def test_break_even():
    assert break_even_keys(None) == []
    comparison = trade_off(measure="nDCG@10")
    (change,) = break_even_keys(comparison.break_even)
    assert list(change) == ["results", "ci95"]
    assert comparison.to_dict()["break_even"] == [change]
    # The challenger loses a result on average for users who read nine, and gains one for those who read ten.
    assert comparison.break_even.saved[8:].tolist() == pytest.approx([-1.0, 1.0])
    assert change["results"] == pytest.approx(9.5)


def test_an_open_end_is_null():
    """On four queries the t test shows no difference from 8 results on, and none at the depth of 10 either."""
    comparison = comparison_of_several([[1], [2]] * 2, [[4, 5], [4, 9]] * 2, relevant=2, measure="nDCG@10")
    assert break_even_keys(comparison.break_even) == [{"results": pytest.approx(9.5), "ci95": [8, None]}]
