"""The break-even of a trade-off in words: for whom each run is the better choice."""

import numpy as np
import pytest

from runoff.comparisons import BreakEven, BreakEvenResult
from runoff.results.break_even_words import break_even_sentences
from tests.verbs.comparisons import comparison_of, comparison_of_several, trade_off


def result(*changes, saved=(0.0, -1.0, 1.0)):
    return BreakEvenResult(
        champion="old",
        challenger="new",
        queries=50,
        saved=np.array(saved),
        error=np.ones(len(saved)),
        ci95=np.column_stack([np.array(saved) - 2, np.array(saved) + 2]),
        changes=changes,
    )


def change(results, ci95, *, above=True):
    return BreakEven(results=results, ci95=ci95, challenger_above=above)


@pytest.mark.parametrize(
    "ci95, words",
    [
        ((11, 20), "11 to 20"),
        ((11, None), "at least 11"),
        ((None, 20), "at most 20"),
        ((None, None), "the interval is open at both ends"),
        ((1100, 2000), "1,100 to 2,000"),
    ],
)
def test_an_interval_may_be_open(ci95, words):
    assert break_even_sentences(result(change(15.2, ci95))) == (
        f"new is better for users who read more than about 15 results ({words}).",
    )


def test_the_better_run_of_patient_users_is_named():
    (said,) = break_even_sentences(result(change(15.2, (11, 20), above=False)))
    assert said.startswith("old is better for users who read more than about 15 results")


def test_every_change_has_a_sentence():
    said = break_even_sentences(result(change(4, (3, 5)), change(40, (30, 55), above=False)))
    assert [one.split()[0] for one in said] == ["new", "old"]


@pytest.mark.parametrize("saved, better", [((0.0, 0.5, 1.0), "new"), ((0.0, -0.5, -1.0), "old")])
def test_no_break_even_is_said(saved, better):
    (said,) = break_even_sentences(result(saved=saved))
    assert said.startswith(f"There is no break-even: {better} is better for users")


def test_a_trade_off_says_for_whom():
    """The curve by the definition: a user who gives up after c results pays c for what is not found by then."""
    early, late = [[1, 2], [2, 3], [1, 3]] * 12, [[11, 12, 13, 14], [10, 12, 14, 15], [11, 13, 14, 16]] * 12
    comparison = comparison_of_several(early, late, relevant=4, length=30, measure="nDCG@30")
    assert comparison.outcome == "trade-off"
    saved = []
    for c in range(1, 31):
        old, new = (
            np.mean([sum(min(rank, c) for rank in ranks) + (4 - len(ranks)) * c for ranks in lists])
            for lists in (early, late)
        )
        saved.append(float(old - new))
    assert comparison.break_even.saved == pytest.approx(saved)
    last = max(c for c in range(1, 31) if saved[c - 1] < 0)
    (found,) = comparison.break_even.changes
    assert last <= found.results <= last + 1
    assert found.challenger_above
    (sentence,) = break_even_sentences(comparison.break_even)
    assert sentence.startswith(
        f"challenger is better for users who read more than about {round(found.results)} results"
    )
    assert sentence in " ".join(comparison.to_text(100).split())


def test_where_it_is_said():
    assert sum("is better for users who read more" in part for part in trade_off(measure="nDCG@10").opening(80)) == 1
    leaning = comparison_of([1, 2, 0], [2, 3, 1])  # one finds more, the other sooner, and neither is shown
    assert leaning.outcome == "inconclusive"
    assert not any("for users" in part for part in leaning.opening(80))
    assert "break_even_curve" not in [chart.name for chart in leaning.charts()]
