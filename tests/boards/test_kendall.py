"""Kendall's tau and its references, beside plain loops, all splits of few queries, and worlds with a known truth."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from runoff.boards import kendall
from runoff.boards._bootstrap import make_grid
from runoff.boards.kendall import half_orders, half_reference, split_reference, tau_b
from runoff.errors import UsageError
from tests.boards.redrawn import make_scores, rr_board


def two_sets(values, size):
    names = [tuple(f"{letter}{k}" for k in range(count)) for letter, count in (("a", size), ("b", len(values) - size))]
    return make_scores(values[:size], query_ids=names[0]), make_scores(values[size:], query_ids=names[1])


def plain_tau(one, other):
    """Tau-b of mean scores by scipy; equal up to rounding is equal, and no order at all is 0."""
    found = stats.kendalltau(np.round(one, 9), np.round(other, 9)).statistic
    return 0.0 if np.isnan(found) else float(found)


def plain_splits(queries, size, trials, seed):
    """The same random splits, by sorting."""
    bits = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(9,)))
    for _ in range(trials):
        order = np.argsort(bits.random_raw(queries), kind="stable")
        yield np.sort(order[:size]), np.sort(order[size:])


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
    monkeypatch.setattr(kendall, "BLOCK_CELLS", block)
    np.testing.assert_array_equal(tau_b(first, second), expected)


@pytest.mark.parametrize("queries, size", [(40, 11), (7, 3), (2, 1)])
def test_splits_equal_a_plain_loop(queries, size):
    board = rr_board(queries, 6)
    found = split_reference(*two_sets(board.values, size), trials=200, seed=4)
    taus = [
        plain_tau(board.values[one].mean(axis=0), board.values[other].mean(axis=0))
        for one, other in plain_splits(queries, size, 200, 4)
    ]
    observed = plain_tau(board.values[:size].mean(axis=0), board.values[size:].mean(axis=0))
    ordered = np.sort(taus)
    assert found.median == pytest.approx(np.median(taus), abs=1e-12)
    assert found.range95 == pytest.approx(tuple(ordered[[4, 195]]), abs=1e-12)
    assert found.p == (1 + sum(tau <= observed + 1e-12 for tau in taus)) / 201


def test_splits_near_all_splits_of_few_queries():
    board, size = rr_board(9, 5, seed=3), 4
    taus = []
    for chosen in combinations(range(9), size):
        others = [k for k in range(9) if k not in chosen]
        taus.append(plain_tau(board.values[list(chosen)].mean(axis=0), board.values[others].mean(axis=0)))
    exact = np.mean([tau <= taus[0] + 1e-12 for tau in taus])  # the first are the queries 0 to 3
    found = split_reference(*two_sets(board.values, size), trials=10_000)
    assert len(taus) == comb(9, 4)
    assert found.p == pytest.approx(exact, abs=0.02)
    assert found.median == pytest.approx(np.median(taus), abs=1e-12)


@pytest.mark.parametrize("cells", [1, 100, 1 << 22])
def test_blocks_do_not_change_the_references(cells, monkeypatch):
    board = rr_board(30, 6)
    sets = two_sets(board.values, 9)
    expected = split_reference(*sets, trials=50), half_orders(make_grid(board), trials=50, seed=1)
    monkeypatch.setattr(kendall, "HELD_CELLS", cells)
    assert split_reference(*sets, trials=50) == expected[0]
    for one, other in zip(half_orders(make_grid(board), trials=50, seed=1), expected[1], strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_board_in_slabs_has_the_same_orders(monkeypatch):
    board = rr_board(30, 6)
    expected = half_orders(make_grid(board), trials=50, seed=1)
    monkeypatch.setattr("runoff.boards._bootstrap.SLAB_CELLS", 60)
    for one, other in zip(half_orders(make_grid(board), trials=50, seed=1), expected, strict=True):
        np.testing.assert_array_equal(one, other)


def test_halves_equal_a_plain_loop():
    first = rr_board(31, 6)
    second = make_scores(np.ceil(first.values), measure="Success@10")
    orders = [half_orders(make_grid(board), trials=100, seed=2) for board in (first, second)]
    found = half_reference(*orders)
    across: list[float] = []
    within: tuple[list[float], list[float]] = ([], [])
    for one, other in plain_splits(31, 15, 100, 2):
        means = [[board.values[half].mean(axis=0) for half in (one, other)] for board in (first, second)]
        across += [plain_tau(means[0][0], means[1][1]), plain_tau(means[1][0], means[0][1])]
        for place in (0, 1):
            within[place].append(plain_tau(*means[place]))
    assert found.trials == 100
    assert found.across == pytest.approx(np.mean(across), abs=1e-12)
    assert found.within == pytest.approx([np.mean(one) for one in within], abs=1e-12)


def test_runs_that_all_tie_have_tau_0_and_p_1():
    sets = two_sets(np.full((12, 4), 0.1), 5)
    found = split_reference(*sets, trials=99)
    assert (found.median, found.range95, found.p) == (0.0, (0.0, 0.0), 1.0)


def test_many_trials_are_cut():
    board = rr_board(6, 3)
    assert split_reference(*two_sets(board.values, 2), trials=20_000).trials == 10_000


def test_other_runs_are_refused():
    with pytest.raises(UsageError, match="different runs"):
        split_reference(rr_board(4, 3), rr_board(4, 2))


def p_values(draw, sizes, worlds, trials=99):
    rng = np.random.default_rng(sum(sizes))
    return np.array([
        split_reference(*two_sets(draw(rng, sum(sizes)), sizes[0]), trials=trials).p for _ in range(worlds)
    ])  # fmt: skip


def reciprocal_ranks(rng, queries):
    """Six runs of which some are better; RR to rank 3, so many queries and means tie."""
    better = np.array([0.5, 0.5, 0.6, 0.6, 0.7, 0.8])
    hit = rng.random((queries, 6)) < better
    return np.where(hit, 1.0 / rng.integers(1, 4, (queries, 6)), 0.0)


def copies(rng, queries):
    """Six runs, of which three are the same: ties in every split."""
    values = rng.random((queries, 6)) ** 2
    values[:, 3:] = values[:, :1]
    return values


@pytest.mark.parametrize("sizes", [(40, 40), (60, 8), (5, 4)])
@pytest.mark.parametrize("draw", [reciprocal_ranks, copies])
def test_p_is_no_smaller_than_chance_where_the_sets_are_alike(draw, sizes):
    """2,000 worlds: a share 0.05 + 3 standard errors of 0.005 is 0.065."""
    found = p_values(draw, sizes, 2000)
    for level in (0.05, 0.2):
        assert (found <= level).mean() <= level + 3 * np.sqrt(level * (1 - level) / len(found))


def test_p_is_about_uniform_without_ties():
    found = p_values(lambda rng, queries: rng.random((queries, 25)) + np.arange(25) / 200, (60, 30), 1000)
    assert (found <= 0.05).mean() > 0.03
    assert (found <= 0.5).mean() == pytest.approx(0.5, abs=0.06)


def test_p_is_small_where_the_order_differs():
    def turned(rng, queries):
        values = rng.random((queries, 8)) + np.arange(8) / 8
        values[60:] = values[60:, ::-1]
        return values

    assert (p_values(turned, (60, 30), 20) <= 0.01).all()


def test_p_is_small_where_only_the_difficulty_differs():
    """The same order everywhere, but on the second set hardly anybody finds anything."""

    def harder(rng, queries):
        values = rng.random((queries, 12)) + np.arange(12) / 6
        values[200:] *= rng.random((queries - 200, 12)) < 0.05
        return values

    assert (p_values(harder, (200, 60), 50) <= 0.05).mean() > 0.5
