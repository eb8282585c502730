"""The paper's central claim: where two SERPs are separable, no reasonable measure may order them the other way."""

import itertools

import numpy as np
import pytest
from hypothesis import given

from runoff.comparisons import ipso
from runoff.measures import AP, ERR, ESL, RBP, RR, P, R, Rprec, Success, nDCG
from tests.comparisons.reference import pairs, ranked

BINARY = [
    *(measure @ 12 for measure in (RR, AP, nDCG, P, R, Success, RBP, ERR)),
    *(measure() for measure in (RR, AP, nDCG, R, RBP, ERR, Rprec)),
    nDCG(dcg="exp-log2") @ 12,
    RBP(p=0.5) @ 12,
    RBP(p=0.99) @ 12,
]
GAINS = {0: 0, 1: 0.2, 2: 0.8, 3: 1}
GRADED = [nDCG(gains=GAINS) @ 12, RBP(gains=GAINS) @ 12, RBP(p=0.5, gains=GAINS) @ 12]


def check_no_contradiction(measures, result, first, second):
    last = result.relations[:, -1]
    for measure in measures:
        difference = measure.values(first) - measure.values(second)
        assert (difference[last == 1] >= -1e-12).all(), measure
        assert (difference[last == -1] <= 1e-12).all(), measure
        assert (difference[last == 0] == 0).all(), measure


@given(pair=pairs(max_queries=12))
def test_binary_measures_follow_a_separable_pair(pair):
    first, second = (ranked(lists) for lists in pair)
    check_no_contradiction(BINARY, ipso(first, second, depth=first.depth), first, second)


@given(pair=pairs(highest=3, max_queries=12))
def test_measures_of_the_same_gains_follow_a_separable_pair(pair):
    first, second = (ranked(lists, highest=3) for lists in pair)
    check_no_contradiction(GRADED, ipso(first, second, depth=first.depth, gains=[0, 0.2, 0.8, 1]), first, second)


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5])
def test_all_pairs_of_short_serps(depth):
    serps = list(itertools.product((0, 1), repeat=depth))
    first, second = zip(*itertools.product(serps, repeat=2), strict=True)
    runs = ranked(first), ranked(second)
    check_no_contradiction(BINARY, ipso(*runs, depth=depth), *runs)


@given(pairs())
def test_esl_follows_where_it_is_defined(pair):
    first, second = (ranked(lists) for lists in pair)
    last = ipso(first, second, depth=first.depth).relations[:, -1]
    one, other = (np.nan_to_num(ESL().values(serps), nan=np.inf) for serps in (first, second))
    assert (one[last == 1] <= other[last == 1]).all()
    assert (one[last == -1] >= other[last == -1]).all()


def test_measures_disagree_about_the_smallest_non_separable_pair():
    # Table 1: [1,0,0] and [0,1,1].
    first, second = ranked([[1, 0, 0]]), ranked([[0, 1, 1]])
    signs = {
        str(measure): float(np.sign(measure.values(first) - measure.values(second))[0])
        for measure in (P @ 3, RBP(p=0.8) @ 3, AP @ 3, nDCG @ 3, Success @ 3, RR @ 3, RBP(p=0.5) @ 3)
    }
    assert signs == {
        "P@3": -1,
        "RBP@3": -1,
        "AP@3": -1,
        "nDCG@3": -1,
        "Success@3": 0,
        "RR@3": 1,
        "RBP(p=0.5)@3": 1,
    }
