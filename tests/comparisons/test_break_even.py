"""Break-even: the sum over levels as it is defined, crossings found by a fine grid, intervals, and what is refused."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from scipy import stats

from runoff.comparisons import break_even
from runoff.errors import UsageError
from runoff.measures._example import serps_from, serps_of
from tests.comparisons.reference import pairs, ranked


def plain(pair, c):
    """What the challenger saves on each query a user who gives up after c results; c need not be whole."""
    saved = []
    for first, second in zip(*pair, strict=True):
        ranks = [[at for at, grade in enumerate(one, start=1) if grade >= 1] for one in (first, second)]
        most = max(map(len, ranks))
        costs = [sum(min(rank, c) for rank in one) + c * (most - len(one)) for one in ranks]
        saved.append(costs[0] - costs[1])
    return np.array(saved, dtype=float)


@given(pairs(max_queries=6))
def test_the_curve_is_as_defined(pair):
    depth = len(pair[0][0])
    result = break_even(*(ranked(lists) for lists in pair), cutoff=depth)
    for c in range(1, depth + 1):
        saved = plain(pair, c)
        assert result.saved[c - 1] == pytest.approx(saved.mean())
        if len(saved) > 1:
            assert result.error[c - 1] == pytest.approx(saved.std(ddof=1) / np.sqrt(len(saved)))


@given(pairs(max_queries=6))
def test_changes_are_where_the_curve_crosses_zero(pair):
    depth = len(pair[0][0])
    result = break_even(*(ranked(lists) for lists in pair), cutoff=depth)
    fine = np.linspace(1, depth, 64 * (depth - 1) + 1) if depth > 1 else np.array([1.0])
    curve = np.array([plain(pair, c).mean() for c in fine])
    signs = [(c, np.sign(value)) for c, value in zip(fine, curve, strict=True) if abs(value) > 1e-9]
    crossings = [(one[0], other[0]) for one, other in pairwise(signs) if one[1] != other[1]]
    assert len(crossings) == len(result.changes)
    for (low, high), change in zip(crossings, result.changes, strict=True):
        assert low - 1e-9 <= change.results <= high + 1e-9
        assert change.challenger_above == (plain(pair, high).mean() > 0)


@given(pairs(max_queries=6))
def test_swapping_the_runs_mirrors_everything(pair):
    depth = len(pair[0][0])
    there = break_even(*(ranked(lists) for lists in pair), cutoff=depth)
    back = break_even(*(ranked(lists) for lists in pair[::-1]), cutoff=depth)
    assert np.array_equal(there.saved, -back.saved)
    assert [(one.results, one.ci95) for one in there.changes] == [(one.results, one.ci95) for one in back.changes]


def test_the_interval_is_where_the_t_test_does_not_reject():
    rng = np.random.default_rng(4)
    depth, queries = 40, 120
    # The champion finds its one document soon; the challenger finds two, later.
    champion, challenger = np.zeros((2, queries, depth), dtype=int)
    champion[np.arange(queries), rng.integers(0, 14, queries)] = 1
    challenger[np.arange(queries), rng.integers(3, 25, queries)] = 1
    challenger[np.arange(queries), rng.integers(12, 30, queries)] = 1
    lists = [one.tolist() for one in (champion, challenger)]
    runs = [serps_of(*one, judged=[[0, 3]] * queries) for one in lists]
    (change,) = break_even(*runs, cutoff=depth).changes
    assert change.challenger_above
    kept = [c for c in range(1, depth + 1) if c == 1 or stats.ttest_1samp(plain(lists, c), 0).pvalue >= 0.05]
    around = [c for c in kept if c > 8]
    low, high = change.ci95
    assert (low, high) == (min(around), max(around))
    assert low is not None
    assert high is not None
    assert low < change.results < high


def test_an_open_end():
    # Three queries show nothing, whatever the number of results.
    champion = serps_from("1000000000", "1000000000", "0000000000")
    challenger = serps_from("0100000000", "0100000000", "0001000000")
    (change,) = break_even(champion, challenger, cutoff=10).changes
    assert (change.results, change.ci95) == (6.0, (None, None))


def test_no_change_and_no_query():
    better, worse = serps_from("100", "100"), serps_from("010", "000")
    assert break_even(worse, better, cutoff=3).changes == ()
    empty = replace(serps_from("000"), judged=np.array([[3, 0]]))
    with pytest.raises(UsageError, match="no query has a relevant document at level 1"):
        break_even(empty, empty, cutoff=3)


def test_an_extra_document_never_makes_a_run_worse():
    rng = np.random.default_rng(5)
    lists = rng.integers(0, 2, (30, 12))
    with_more = lists.copy()
    with_more[np.arange(30), rng.integers(0, 12, 30)] = 1
    runs = [serps_of(*one.tolist(), judged=[[0, 12]] * 30) for one in (lists, with_more)]
    assert (break_even(*runs, cutoff=12).saved >= 0).all()
