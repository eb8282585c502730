"""How one run differs from another, in words."""

from itertools import product

import pytest

from runoff.verdicts import Policy
from runoff.verdicts.facet import Direction
from runoff.verdicts.how import against_last, how_words, spoken
from tests.verdicts.cases import repeated, verdict_at, verdict_on_scores

OPPOSITE = {"more": "fewer", "fewer": "more", "sooner": "later", "later": "sooner"}


@pytest.mark.parametrize(
    "more, sooner, words",
    [
        (1, 1, ("more", "sooner")),
        (1, 0, ("more",)),
        (1, -1, ("more", "later")),
        (0, 1, ("sooner",)),
        (0, 0, ()),
        (0, -1, ("later",)),
        (-1, 1, ("fewer", "sooner")),
        (-1, 0, ("fewer",)),
        (-1, -1, ("fewer", "later")),
    ],
)
def test_words(more, sooner, words):
    assert how_words(more, sooner) == words


def test_swapped_runs_have_the_opposite_words():
    opposite: dict[Direction, Direction] = {1: -1, 0: 0, -1: 1}
    for more, sooner in product(opposite, repeat=2):
        words = how_words(opposite[more], opposite[sooner])
        assert words == tuple(OPPOSITE[word] for word in how_words(more, sooner))


def test_what_points_the_other_way_comes_last():
    assert against_last(("more", "later"), -1) == ("later", "but more")
    assert against_last(("more", "later"), 1) == ("more", "but later")
    assert against_last(("fewer", "later"), -1) == ("fewer", "later")
    assert against_last(("more", "sooner"), -1) == ("but more", "but sooner")
    assert against_last(("sooner",), 0) == ("sooner",)
    assert against_last((), -1) == ()


def test_spoken():
    assert spoken("better", ("more", "sooner")) == "better: more, sooner"
    assert spoken("trade-off", ("more", "worse by RR@10")) == "trade-off: more, worse by RR@10"
    assert spoken("worse", ()) == "worse"


# Each pair of runs with what is shown of it: the words that the verdict rests on.
CASES = {
    "better: more, sooner": {(4, 2): 20, (2, 2): 10, (0, 3): 10},
    "worse: fewer, later": {(2, 4): 20, (2, 2): 10, (3, 0): 10},
    "better: more": {(0, 3): 12, (1, 2): 3, (2, 1): 3},
    "worse: fewer": {(3, 0): 12, (1, 2): 3, (2, 1): 3},
    "better: sooner": {(4, 2): 20, (0, 3): 4, (3, 0): 3},
    "worse: later": {(2, 4): 20, (0, 3): 3, (3, 0): 4},
    "trade-off: more, later": {(2, 4): 20, (0, 3): 12},
    "trade-off: fewer, sooner": {(4, 2): 20, (3, 0): 12},
    # Eleven documents are won at the top and five lost at the bottom; ranks of what both find are as they were. The
    # sign test asks who finds more on more queries, and cannot tell; the mean can.
    "better, by RR@10 alone": {(0, 1): 11, (10, 0): 5, (2, 2): 9},
    "worse, by RR@10 alone": {(1, 0): 11, (0, 10): 5, (2, 2): 9},
    # Fourteen documents are found at rank 10, which RR hardly counts, and ten first ranks are lost.
    "trade-off: more, worse by RR@10": {(0, 10): 14, (1, 3): 10, (10, 8): 10},
    "trade-off: fewer, better by RR@10": {(10, 0): 14, (3, 1): 10, (8, 10): 10},
    "inconclusive": {(1, 2): 3, (2, 1): 4, (0, 1): 2, (3, 0): 1},
}


@pytest.mark.parametrize("words", CASES)
def test_what_a_verdict_rests_on(words):
    verdict = verdict_at(*repeated(CASES[words]))
    assert verdict.spoken == words
    for name, ahead, behind in (("more", "more", "fewer"), ("sooner", "sooner", "later")):
        facet = verdict.facets[name]
        assert (ahead in verdict.how, behind in verdict.how) == (facet.is_ahead, facet.is_behind)


def test_the_measure_is_named_only_where_it_is_alone_or_against_both():
    for words, pairs in CASES.items():
        verdict = verdict_at(*repeated(pairs))
        assert ("RR@10" in words) == any("RR@10" in word for word in verdict.how)
        if "alone" in words:
            assert [facet.shown for facet in (verdict.more, verdict.sooner)] == [0, 0]
            assert verdict.measure.significant


def test_an_inconclusive_verdict_rests_on_nothing():
    # More is shown; later has p = 0.035, which the correction doubles. They disagree, so nothing is said of how.
    verdict = verdict_at(*repeated({(0, 10): 14, (1, 2): 9, (2, 1): 2, (2, 2): 8}))
    assert verdict.more is not None
    assert verdict.sooner is not None
    assert (verdict.more.shown, verdict.sooner.shown, verdict.sooner.uncorrected(0.05)) == (1, 0, -1)
    assert (verdict.overall, verdict.how) == ("inconclusive", ())


def test_scores_alone_have_no_how():
    verdict = verdict_on_scores([0.1, 0.2, 0.3, 0.4, 0.5], [0.21, 0.3, 0.41, 0.5, 0.61])
    assert (verdict.overall, verdict.how, verdict.spoken) == ("better", (), "better")


def test_how_is_what_is_left_after_the_correction():
    pairs = {(4, 2): 30, (0, 3): 9, (3, 0): 2}  # more: 9 against 2, p = 0.065
    assert verdict_at(*repeated(pairs)).how == ("sooner",)
    assert verdict_at(*repeated(pairs), policy=Policy(alpha=0.1)).how == ("more", "sooner")
