"""Is a measure an interval scale: the paper's example, fractions, and the solvability condition word by word."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest

from runoff.boards.scales import (
    BASED,
    FREE,
    MOST_WITNESSES,
    ScaleResult,
    all_states,
    count_states,
    interval_scores,
    scale,
)
from runoff.errors import UsageError
from runoff.measures import AP, ERR, ESL, MEASURES, RBP, RR, P, R, Success, nDCG, parse_measure
from runoff.tables.scores import Scores


def rr(state):
    return next((Fraction(1, rank) for rank, grade in enumerate(state, 1) if grade), Fraction(0))


def rbp(state):
    p = Fraction(4, 5)
    return (1 - p) * sum((grade * p**rank for rank, grade in enumerate(state)), Fraction(0))


def err(state):
    total, goes_on = Fraction(0), Fraction(1)
    for rank, grade in enumerate(state, 1):
        stops = Fraction(2**grade - 1, 2**4)
        total += goes_on * stops / rank
        goes_on *= 1 - stops
    return total


def ap(state, relevant):
    found = [rank for rank, grade in enumerate(state, 1) if grade]
    return sum((Fraction(place, rank) for place, rank in enumerate(found, 1)), Fraction(0)) / relevant


def precision(state):
    return Fraction(sum(map(bool, state)), len(state))


EXACT: list[Any] = [
    (RR, {}, rr),
    (P, {}, precision),
    (Success, {}, lambda state: Fraction(any(state))),
    (RBP, {}, rbp),
    (ERR, {}, err),
    (ERR, {"highest": 3}, err),
    (AP, {"relevant": (3,)}, lambda state: ap(state, 3)),
    (R, {"relevant": (3,)}, lambda state: Fraction(sum(state), 3)),
]


@pytest.mark.parametrize("kind, options, value", EXACT)
@pytest.mark.parametrize("depth", [1, 2, 3, 5])
def test_fractions_find_the_same_values_and_steps(kind, options, value, depth):
    result = scale(kind @ depth, **options)
    grades = range(options.get("highest", 1) + 1)
    most = options.get("relevant", (depth,))[0]
    states = [state for state in product(grades, repeat=depth) if sum(map(bool, state)) <= most]
    fewest: dict[Fraction, int] = {}
    for state in states:
        fewest[value(state)] = min(sum(state), fewest.get(value(state), sum(state)))
    expected = sorted(fewest)
    assert result.states == len(states)
    assert result.values.tolist() == pytest.approx([float(one) for one in expected], abs=1e-14)
    steps = {high - low for low, high in pairwise(expected)}
    assert result.is_equispaced == (len(steps) < 2)
    for found, example in zip(expected, result.examples, strict=True):
        assert value(example) == found
        assert sum(example) == fewest[found]
    assert bool(result.witnesses) != result.is_equispaced
    assert len(expected) > 40 or bool(result.witnesses) != is_solvable(expected)
    for one in result.witnesses:
        a, b, c, d = (value(state) for state in (one.a, one.b, one.c, one.d))
        assert float(c - d) == pytest.approx(one.gap, abs=1e-14)
        assert 0 <= c - d <= a - b
        for wanted, missing in ((a - (c - d), one.missing_x), (b + (c - d), one.missing_y)):
            assert (missing is None) == (wanted in expected)
        assert one.missing_x is not None or one.missing_y is not None


def is_solvable(values) -> bool:
    """Axiom iv of a difference structure, for all a, b, c, d."""
    there = set(values)
    gaps = {high - low for high in values for low in values if high >= low}
    return all(
        a - gap in there and b + gap in there for a in values for b in values if a >= b for gap in gaps if gap <= a - b
    )


def test_the_example_of_the_paper():
    # Craswell et al. 2021, section 4.2 and Table 3: C = (0,1,0), D = (0,0,1), 0.83 and 0.17 are not realizable.
    result = scale(RR @ 3)
    assert (result.states, result.values.tolist()) == (8, [0.0, 1 / 3, 0.5, 1.0])
    one = result.witnesses[0]
    assert (one.c, one.d, one.b) == ((0, 1, 0), (0, 0, 1), (0, 0, 0))
    assert [round(value or 0, 2) for value in (one.gap, one.missing_x, one.missing_y)] == [0.17, 0.83, 0.17]
    assert result.interval_values.tolist() == [0, 1 / 3, 2 / 3, 1]


def test_every_gap_can_be_there_from_top_and_bottom_and_the_scale_still_be_uneven():
    # Of 0, 1, 2, 4, 5, 6 every step fits below the top and above the bottom, but 1 does not fit between 2 and 4.
    uneven = ScaleResult(
        measure=RR @ 1, depth=1, grades=(0, 1), relevant=None, states=6, undefined=0,
        values=np.array([0.0, 1, 2, 4, 5, 6]), examples=tuple((place,) for place in range(6)),
    )  # fmt: skip
    assert not uneven.is_equispaced
    assert [(one.a, one.b, one.gap, one.missing_x, one.missing_y) for one in uneven.witnesses] == [
        ((3,), (2,), 1.0, 3.0, 3.0)
    ]


def test_the_scale_type_that_a_measure_claims_is_found():
    for kind in (*FREE, *BASED):
        measure = kind @ 6
        if measure.scale in ("interval", "ratio"):
            assert scale(measure).is_equispaced
        elif kind is not R:  # equal steps for one number of relevant documents, others for another
            assert not scale(measure, relevant=(3,)).is_equispaced
    assert scale(RBP(p=0.5) @ 6).is_equispaced
    assert RBP(p=0.5, cutoff=6).scale == "interval"


def test_to_rank_2_reciprocal_rank_has_equal_steps():
    assert [scale(RR @ depth).is_equispaced for depth in (1, 2, 3, 4)] == [True, True, False, False]


def test_esl_is_undefined_for_one_list():
    result = scale(ESL @ 5)
    assert (result.undefined, result.values.tolist(), result.is_equispaced) == (1, [1, 2, 3, 4, 5], True)


def test_a_relevance_level_and_graded_gains():
    assert scale(RR(rel=2) @ 3).examples == ((0, 0, 0), (0, 0, 2), (0, 2, 0), (2, 0, 0))
    assert scale(RR(rel=2) @ 3, highest=3).states == 64
    result = scale(nDCG @ 3, highest=2, relevant=(1, 1))
    assert (result.states, result.values[-1], result.examples[-1]) == (13, 1.0, (2, 1, 0))
    assert scale(RBP(p=0.5, gains={1: 0.5, 2: 1.0}) @ 2, highest=2).values.tolist() == [
        0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75,
    ]  # fmt: skip


def test_large_scales():
    result = scale(RBP @ 16)
    assert (result.states, len(result.values), len(result.witnesses)) == (65536, 65536, MOST_WITNESSES)
    assert np.diff(result.values).min() > 1e-9
    assert np.diff(scale(ERR @ 16).values).min() > 1e-10
    assert scale(RR @ 1000, relevant=(1,)).states == 1001


@pytest.mark.parametrize("limits", [None, (1,), (2, 1), (0, 3)])
def test_states_are_those_of_a_plain_product(limits):
    grades = (0, 1, 2)[: 2 if limits == (1,) else 3]
    for depth in (1, 2, 4):
        expected = [
            state
            for state in sorted(product(grades, repeat=depth), reverse=True)
            if limits is None or all(state.count(grade) <= most for grade, most in zip(grades[1:], limits, strict=True))
        ]
        assert [tuple(state) for state in all_states(grades, limits, depth).tolist()] == expected
        assert count_states(len(grades), limits, depth) == len(expected)


def scores_of(measure, values) -> Scores:
    matrix = np.array(values, dtype=np.float64)
    queries, runs = matrix.shape
    return Scores(
        measure=measure, query_ids=tuple(f"q{at}" for at in range(queries)), runs=tuple("abc"[:runs]), values=matrix
    )


def test_interval_scaled_scores():
    found = scale(RR @ 3)
    for spelling in ("RR@3", "MRR@3", "score"):
        result = interval_scores(scores_of(spelling, [[1.0, 1 / 3], [0.0, 0.5]]), found)
        assert result.values.tolist() == [[1, 1 / 3], [0, 2 / 3]]
        assert result.measure == f"interval-scaled {spelling}"
    rounded = scores_of("score", [[0.3333], [0.5]])
    assert interval_scores(rounded, found, tolerance=5e-5).values.tolist() == [[1 / 3], [2 / 3]]
    esl = interval_scores(scores_of("ESL@3", [[1.0], [np.nan], [3.0]]), scale(ESL @ 3)).values
    assert np.array_equal(esl, np.array([[0.0], [np.nan], [1.0]]), equal_nan=True)
    even = scores_of("P@4", [[0.25, 1.0]])
    assert interval_scores(even, scale(P @ 4)).values.tolist() == even.values.tolist()


@pytest.mark.parametrize(
    "measure, values, message",
    [
        ("RR@3", [[1.0, 0.3]], r"1 scores are no values of RR@3, first .*0.3.* of run 'b' for query 'q0'"),
        ("RR@3", [[-0.5, 2.0]], "2 scores are no values of RR@3"),
        ("RR@10", [[1.0, 0.0]], "scores of RR@10 and the scale is that of RR@3"),
    ],
)
def test_scores_that_are_not_on_the_scale(measure, values, message):
    with pytest.raises(UsageError, match=message):
        interval_scores(scores_of(measure, values), scale(RR @ 3))


@pytest.mark.parametrize(
    "text, options, message",
    [
        ("RR", {}, "RR has no cutoff; .* write RR@3"),
        ("RR@17", {}, "all lists of 17 ranks with 2 grades are too many"),
        ("RR@1000000000", {}, "too many"),
        ("RR@1000000000", {"relevant": (1,)}, "too many"),
        ("RR@1400", {"relevant": (700,)}, "too many"),
        ("ERR@12", {"highest": 3}, "all lists of 12 ranks with 4 grades are too many"),
        ("nDCG@3", {}, "depend on how many relevant documents"),
        ("AP@3", {}, "depend on how many relevant documents"),
        ("R@3", {}, "depend on how many relevant documents"),
        ("bpref", {}, "depends on more than a list of grades; expected one of RR"),
        ("Judged@3", {}, "depends on more than a list of grades"),
        ("RR(rel=3)@3", {"highest": 2}, "highest=2 cannot be used"),
        ("RR@3", {"highest": 128}, "highest=128 cannot be used"),
        ("RR@3", {"relevant": (1, 1)}, "expected 1 counts of 0 or more"),
        ("RR@3", {"relevant": (0,)}, "one document at least"),
        ("RR@3", {"relevant": (-1,)}, "counts of 0 or more"),
    ],
)
def test_what_cannot_be_asked(text, options, message):
    with pytest.raises(UsageError, match=message):
        scale(parse_measure(text), **options)


def test_every_measure_has_a_scale_or_is_refused():
    assert {*FREE, *BASED} <= set(MEASURES)
