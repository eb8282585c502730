import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from runoff.boards.generalization import generalization, tau_b
from runoff.boards.stability import stability
from runoff.errors import UsageError
from tests.boards.redrawn import drawn_means, make_scores, plain_ranks, rr_board


def other_queries(scores, seed=1):
    values = rr_board(len(scores.query_ids), len(scores.runs), seed=seed).values
    return make_scores(values, query_ids=tuple(f"private{k}" for k in range(len(values))))


@settings(max_examples=60)
@given(rows=st.integers(1, 4), runs=st.integers(2, 12), levels=st.integers(2, 9), seed=st.integers(0, 2**32))
def test_tau_equals_scipy(rows, runs, levels, seed):
    rng = np.random.default_rng(seed)
    first, second = rng.integers(0, levels, size=(2, rows, runs)).astype(np.int32)
    for tau, one, other in zip(tau_b(first, second), first, second, strict=True):
        tied = np.ptp(one) == 0 or np.ptp(other) == 0
        assert tau == pytest.approx(0.0 if tied else stats.kendalltau(one, other).statistic, abs=1e-12)


@pytest.mark.parametrize("block", [1, 7, 1 << 20])
def test_blocks_do_not_change_tau(block, monkeypatch):
    first, second = np.random.default_rng(0).integers(0, 9, size=(2, 50, 6)).astype(np.int32)
    expected = tau_b(first, second)
    monkeypatch.setitem(tau_b.__globals__, "BLOCK_CELLS", block)
    np.testing.assert_array_equal(tau_b(first, second), expected)


def test_equals_a_plain_loop_over_the_same_draws():
    public = rr_board(30, 6)
    found = make_scores(np.ceil(public.values), measure="Success@10")
    private = other_queries(public)
    result = generalization({"public": public, "found": found, "private": private}, trials=200, seed=4)
    # The first two draw the same queries, the third its own.
    ranks = [
        plain_ranks(drawn_means(scores, 200, seed=4, query_set=number))
        for scores, number in ((public, 0), (found, 0), (private, 1))
    ]
    np.testing.assert_allclose(result.expected_ranks, np.stack([r.mean(axis=0) for r in ranks], axis=1), atol=1e-12)
    np.testing.assert_array_equal(result.spreads, result.expected_ranks.max(axis=1) - result.expected_ranks.min(axis=1))
    for i, j in ((0, 1), (0, 2), (1, 2)):
        taus = [stats.kendalltau(one, other).statistic for one, other in zip(ranks[i], ranks[j], strict=True)]
        ordered = np.sort(np.nan_to_num(taus))
        np.testing.assert_allclose(result.tau_ci95[i, j], ordered[[4, 195]], atol=1e-12)
        means = [one.means.round(9) for one in (public, found, private)]
        assert result.taus[i, j] == pytest.approx(stats.kendalltau(means[i], means[j]).statistic, abs=1e-12)


def test_first_condition_is_its_stability():
    public = rr_board(30, 6)
    result = generalization({"public": public, "private": other_queries(public)}, trials=100, seed=2)
    expected = stability(public, trials=100, seed=2)
    np.testing.assert_array_equal(result.stabilities[0].rank_probabilities, expected.rank_probabilities)
    assert (result.conditions, result.runs, result.trials, result.seed) == (("public", "private"), public.runs, 100, 2)


def test_a_condition_agrees_with_itself():
    scores = make_scores(rr_board(30, 5).values + 0.001 * np.arange(5))
    result = generalization({"one": scores, "same": scores}, trials=50)
    np.testing.assert_allclose(result.taus, 1.0)
    np.testing.assert_allclose(result.tau_ci95, 1.0)
    assert (result.spreads == 0).all()


def test_reversed_scores_reverse_the_order_unless_low_is_good():
    scores = make_scores(rr_board(30, 5).values + 0.001 * np.arange(5))
    turned = make_scores(-scores.values, measure="ESL")
    assert generalization({"high": scores, "low": turned}, trials=50).taus[0, 1] == pytest.approx(-1.0)
    result = generalization({"high": scores, "low": turned}, trials=50, best_is_low=["low"])
    assert result.taus[0, 1] == pytest.approx(1.0)


def test_order_of_runs_and_queries_does_not_matter():
    scores = rr_board(30, 5)
    rows, columns = np.random.default_rng(0).permutation(30), np.array([4, 2, 0, 1, 3])
    moved = make_scores(
        scores.values[np.ix_(rows, columns)],
        runs=tuple(scores.runs[k] for k in columns),
        query_ids=tuple(scores.query_ids[k] for k in rows),
    )
    result = generalization({"one": scores, "moved": moved}, trials=50)
    assert (result.spreads == 0).all()


def test_result_is_frozen():
    scores = rr_board(5, 3)
    result = generalization({"one": scores, "two": other_queries(scores)}, trials=9)
    assert not result.taus.flags.writeable
    assert not result.stabilities[0].beats.flags.writeable


def test_bad_input_is_refused():
    scores = rr_board(4, 2)
    with pytest.raises(UsageError, match="1 conditions; expected two or more"):
        generalization({"one": scores})
    with pytest.raises(UsageError, match="run02 in one of them only"):
        generalization({"one": scores, "two": rr_board(4, 3)})
    with pytest.raises(UsageError, match="has 1 run; expected two"):
        generalization({"one": rr_board(4, 1), "two": rr_board(4, 1)})
    with pytest.raises(UsageError, match="best_is_low names"):
        generalization({"one": scores, "two": scores}, best_is_low=["three"])
