"""Tests of recall-paired preference against scipy, and what one relevant document per query makes of them."""

import numpy as np
import pytest
from scipy import stats

from runoff.comparisons import recall_paired, recall_paired_tests
from runoff.comparisons._example import serps_from
from runoff.measures import RR


def lists(rng, queries, relevant):
    rows = []
    for _ in range(queries):
        places = rng.permutation(9)[: rng.integers(0, relevant + 1)]
        rows.append("".join("1" if at in places else "0" for at in range(9)))
    return rows


@pytest.mark.parametrize("seed", range(3))
def test_equals_scipy(seed):
    rng = np.random.default_rng(seed)
    found = recall_paired(*(serps_from(*lists(rng, 40, 4), run=run, relevant=4) for run in ("a", "b")))
    tests = recall_paired_tests(found)
    t = stats.ttest_1samp(found.rpp, 0.0)
    assert (tests.rpp.statistic, tests.rpp.p) == pytest.approx((t.statistic, t.pvalue))
    for side, test in ((found.precision, tests.precision), (found.recall, tests.recall)):
        wins, losses = int((side > 0).sum()), int((side < 0).sum())
        assert test.p == pytest.approx(stats.binomtest(wins, wins + losses).pvalue)
        assert test.favours == np.sign(wins - losses)


def test_one_relevant_document_makes_all_three_the_sign_of_rr():
    rng = np.random.default_rng(5)
    runs = [serps_from(*lists(rng, 50, 1), run=run, relevant=1) for run in ("a", "b")]
    tests = recall_paired_tests(recall_paired(*runs))
    assert tests.same
    difference = np.sign((RR @ 9).values(runs[1]) - (RR @ 9).values(runs[0]))
    assert tests.precision.statistic == tests.recall.statistic == (difference > 0).sum()


def test_the_same_run_is_no_evidence():
    run = serps_from(*["1001"] * 5, relevant=2)
    tests = recall_paired_tests(recall_paired(run, run))
    assert (tests.rpp.p, tests.precision.p, tests.recall.p, tests.same) == (1.0, 1.0, 1.0, True)
