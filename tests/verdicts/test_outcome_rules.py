"""The rules: every combination of facets, against the words of the specification."""

from itertools import product

import pytest

from runoff.verdicts import do_no_harm, overall, strict
from runoff.verdicts.facet import Direction
from tests.verdicts.cases import MIRROR, facet

# (challenger finds, what both find comes) -> strict, do no harm. Written from section 5 of Lin et al.: strict is better
# when it finds significantly more and significantly sooner. Do no harm is better when it is ahead in one of the two
# without being behind in the other. Worse is mirrored. Else trade-off: one facet significantly up, the other
# significantly down; or inconclusive.
TABLE = {
    ("more", "sooner"): ("better", "better"),
    ("more", "no different"): ("inconclusive", "better"),
    ("more", "later"): ("trade-off", "trade-off"),
    ("no different", "sooner"): ("inconclusive", "better"),
    ("no different", "no different"): ("inconclusive", "inconclusive"),
    ("no different", "later"): ("inconclusive", "worse"),
    ("fewer", "sooner"): ("trade-off", "trade-off"),
    ("fewer", "no different"): ("inconclusive", "worse"),
    ("fewer", "later"): ("worse", "worse"),
}
SIDES: dict[str, Direction] = {"more": 1, "sooner": 1, "fewer": -1, "later": -1, "no different": 0}


def test_the_table_is_whole():
    assert set(TABLE) == {*product(("more", "no different", "fewer"), ("sooner", "no different", "later"))}


@pytest.mark.parametrize("case", TABLE, ids=", ".join)
def test_every_combination(case):
    more, sooner = (SIDES[state] for state in case)
    assert (strict(more, sooner), do_no_harm(more, sooner)) == TABLE[case]


@pytest.mark.parametrize("case", TABLE, ids=", ".join)
def test_mirrored_facets_give_mirrored_verdicts(case):
    opposite: dict[Direction, Direction] = {1: -1, 0: 0, -1: 1}
    more, sooner = (opposite[SIDES[state]] for state in case)
    assert (strict(more, sooner), do_no_harm(more, sooner)) == tuple(MIRROR[verdict] for verdict in TABLE[case])


def test_what_is_strictly_better_does_no_harm():
    for strictly, harmless in TABLE.values():
        if strictly != "inconclusive":
            assert harmless == strictly


# What one facet can be, for the overall rule: shown after the correction; significant without it alone; neither; and a
# test that speaks against the mean, which counts for nothing, however small its p is.
STATES = {
    "up": facet(1, p=0.01),
    "up, uncorrected": facet(1, significant=False, p=0.06, raw_p=0.02),
    "leans up": facet(1, significant=False, p=0.6, raw_p=0.2),
    "flat": facet(0, significant=False, p=1.0),
    "disagrees": facet(1, significant=False, p=0.001, agrees=False),
    "leans down": facet(-1, significant=False, p=0.6, raw_p=0.2),
    "down, uncorrected": facet(-1, significant=False, p=0.06, raw_p=0.02),
    "down": facet(-1, p=0.01),
}
OPPOSITE = {name: name.replace("up", "down") if "up" in name else name.replace("down", "up") for name in STATES}


def expected_overall(states):
    """Section 3 of the specification, read as it is written."""
    up, down = "up" in states, "down" in states
    up_raw, down_raw = up or "up, uncorrected" in states, down or "down, uncorrected" in states
    if up and not down_raw:
        return "better"
    if down and not up_raw:
        return "worse"
    return "trade-off" if up and down else "inconclusive"


@pytest.mark.parametrize("width", [1, 2, 3])
def test_overall_on_every_combination_of_facets(width):
    seen = set()
    for states in product(STATES, repeat=width):
        verdict = overall([STATES[state] for state in states], 0.05)
        assert verdict == expected_overall(states), states
        assert overall([STATES[OPPOSITE[state]] for state in states], 0.05) == MIRROR[verdict], states
        seen.add(verdict)
    assert len(seen) == (3 if width == 1 else 4)  # a trade-off takes two


@pytest.mark.parametrize(
    "states, verdict",
    [
        (("up", "up", "up"), "better"),
        (("up", "flat", "flat"), "better"),
        (("flat", "up", "leans down"), "better"),
        (("flat", "flat", "down"), "worse"),
        (("up", "flat", "down, uncorrected"), "inconclusive"),
        (("up, uncorrected", "flat", "down"), "inconclusive"),
        (("up", "up", "down, uncorrected"), "inconclusive"),
        (("up", "down", "flat"), "trade-off"),
        (("flat", "up", "down"), "trade-off"),
        (("up", "up", "down"), "trade-off"),
        (("up, uncorrected", "down, uncorrected", "flat"), "inconclusive"),
        (("up, uncorrected", "up, uncorrected", "up, uncorrected"), "inconclusive"),
        (("up", "disagrees", "flat"), "better"),
    ],
)
def test_overall_by_hand(states, verdict):
    assert overall([STATES[state] for state in states], 0.05) == verdict


def test_any_verdict_but_inconclusive_rests_on_a_facet_that_is_shown():
    for states in product(STATES, repeat=3):
        shown = {STATES[state].shown for state in states} - {0}
        verdict = overall([STATES[state] for state in states], 0.05)
        assert verdict == "inconclusive" or {"better": {1}, "worse": {-1}, "trade-off": {1, -1}}[verdict] == shown


def test_the_uncorrected_level_is_the_one_that_is_given():
    facets = [STATES["up"], facet(-1, significant=False, p=0.3, raw_p=0.07)]
    assert overall(facets, 0.05) == "better"
    assert overall(facets, 0.1) == "inconclusive"
    assert overall([STATES["up"], facet(-1, significant=False, p=0.15, raw_p=0.05)], 0.05) == "better"  # below, not at
