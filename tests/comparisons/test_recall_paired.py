"""Recall-paired preference and lexicographic precision: a plain loop, and laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from runoff.comparisons import recall_paired, recall_paired_tests
from runoff.measures import RR
from runoff.measures._example import serps_from

lists = st.integers(1, 6).flatmap(
    lambda depth: st.lists(st.tuples(*[st.text("01", min_size=depth, max_size=depth)] * 2), min_size=1, max_size=5)
)


def plain(one, other, relevant):
    """RPP and the two lexicographic signs of a query, by the definition."""
    ranks = [[place for place, grade in enumerate(text) if grade == "1"] for text in (one, other)]
    total = max(relevant, *map(len, ranks))
    signs = []
    for i in range(total):
        first, second = (found[i] if i < len(found) else np.inf for found in ranks)
        signs.append(0 if first == second else 1 if second < first else -1)
    telling = [sign for sign in signs if sign]
    return sum(signs) / max(total, 1), telling[0] if telling else 0, telling[-1] if telling else 0


@given(lists, st.integers(1, 4))
def test_equals_a_plain_loop(pairs, relevant):
    result = recall_paired(
        serps_from(*(one for one, _ in pairs), relevant=relevant),
        serps_from(*(other for _, other in pairs), relevant=relevant),
    )
    for place, (one, other) in enumerate(pairs):
        rpp, precision, recall = plain(one, other, relevant)
        assert result.rpp[place] == pytest.approx(rpp)
        assert (result.precision[place], result.recall[place]) == (precision, recall)


@given(lists)
def test_swapping_the_runs_mirrors_and_identical_runs_tie(pairs):
    one, other = (serps_from(*texts, relevant=3) for texts in zip(*pairs, strict=True))
    there, back = recall_paired(one, other), recall_paired(other, one)
    assert np.array_equal(there.rpp, -back.rpp)
    assert np.array_equal(there.precision, -back.precision)
    assert np.array_equal(there.recall, -back.recall)
    assert not recall_paired(one, one).rpp.any()


def test_with_one_relevant_document_it_is_the_sign_of_rr():
    result = recall_paired(serps_from("010", "100", "000"), serps_from("100", "001", "000"))
    assert result.rpp.tolist() == [1, -1, 0]
    assert result.precision.tolist() == result.recall.tolist() == [1, -1, 0]


def lists_recall_paired_tests(rng, queries, relevant):
    rows = []
    for _ in range(queries):
        places = rng.permutation(9)[: rng.integers(0, relevant + 1)]
        rows.append("".join("1" if at in places else "0" for at in range(9)))
    return rows


@pytest.mark.parametrize("seed", range(3))
def test_equals_scipy(seed):
    rng = np.random.default_rng(seed)
    runs = [serps_from(*lists_recall_paired_tests(rng, 40, 4), run=run, relevant=4) for run in ("a", "b")]
    found, tests = recall_paired(*runs), recall_paired_tests(*runs)
    t = stats.ttest_1samp(found.rpp, 0.0)
    assert (tests.rpp.statistic, tests.rpp.p) == pytest.approx((t.statistic, t.pvalue))
    for side, test in ((found.precision, tests.precision), (found.recall, tests.recall)):
        wins, losses = int((side > 0).sum()), int((side < 0).sum())
        assert test.p == pytest.approx(stats.binomtest(wins, wins + losses).pvalue)
        assert test.favours == np.sign(wins - losses)


def test_one_relevant_document_makes_all_three_the_sign_of_rr():
    rng = np.random.default_rng(5)
    runs = [serps_from(*lists_recall_paired_tests(rng, 50, 1), run=run, relevant=1) for run in ("a", "b")]
    tests = recall_paired_tests(*runs)
    assert tests.same
    difference = np.sign((RR @ 9).values(runs[1]) - (RR @ 9).values(runs[0]))
    assert tests.precision.statistic == tests.recall.statistic == (difference > 0).sum()


def test_the_same_run_is_no_evidence():
    run = serps_from(*["1001"] * 5, relevant=2)
    tests = recall_paired_tests(run, run)
    assert (tests.rpp.p, tests.precision.p, tests.recall.p, tests.same) == (1.0, 1.0, 1.0, True)
