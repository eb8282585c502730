"""Rank sets: a plain loop over steps, trials and pairs; laws; real boards; how often anything false is claimed."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import runoff
from runoff.boards import rank_sets
from runoff.boards._covariance import centred_products, covariance_root, pair_errors
from runoff.errors import UsageError
from runoff.tables import scores as scoring
from tests.boards.matrices import board

module = sys.modules[rank_sets.__module__]


def signs_of(trials, queries, seed):
    """Trials x queries, -1 where a sign is flipped: bit k of the trial's word w is of query 64 w + k."""
    words = -(-queries // 64)
    raw = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(7,))).random_raw(words * trials)
    signs = np.ones((trials, queries))
    for trial in range(trials):
        for query in range(queries):
            word = int(raw[(query // 64) * trials + trial])
            signs[trial, query] = -1.0 if word >> (query % 64) & 1 else 1.0
    return signs


def plain(values, alpha, signs):
    """Quantiles of the largest statistic over the pairs that are left, step by step."""
    n, runs = values.shape
    pairs = [(i, j) for i in range(runs) for j in range(runs) if i != j]
    observed, drawn = {}, {}
    for i, j in pairs:
        difference = values[:, j] - values[:, i]
        variance = difference.var()
        centred = difference - difference.mean()
        if variance < 1e-20:
            observed[i, j], drawn[i, j] = 0.0, np.zeros(len(signs))
            continue
        flipped = (signs * centred).mean(axis=1)
        observed[i, j] = difference.mean() / np.sqrt(variance / (n - 1))
        left = np.maximum(variance - flipped**2, 0.0)
        far = np.where(flipped > 0, np.inf, -np.inf)
        drawn[i, j] = np.where(left > 1e-12 * variance, flipped / np.sqrt(np.maximum(left, 1e-99) / (n - 1)), far)
    left_over, above = set(pairs), np.zeros((runs, runs), dtype=bool)
    while True:
        largest = np.sort(np.max([drawn[pair] for pair in left_over], axis=0))
        critical = largest[int(np.ceil((1 - alpha) * (len(signs) + 1))) - 1]
        rejected = {pair for pair in left_over if observed[pair] > critical}
        if not rejected:
            return above
        for pair in rejected:
            above[pair] = True
        left_over -= rejected


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("queries", [9, 40, 150])
def test_equals_a_plain_loop(seed, queries):
    rng = np.random.default_rng(seed)
    values = rng.random((queries, 1)) + rng.normal(0, 0.2, (queries, 5)) + np.array([0, 0.02, 0.1, 0.2, 0.2])
    result = rank_sets(board(values), alpha=0.1, trials=399, seed=seed)
    above = plain(values, 0.1, signs_of(399, queries, seed))
    assert np.array_equal(result.above, above)
    assert above.any() or queries == 9  # else the loop shows nothing
    for run in range(5):
        assert result.rank_sets[run].tolist() == [1 + above[run].sum(), 5 - above[:, run].sum()]


def test_corrected_p_say_the_same_at_every_level():
    rng = np.random.default_rng(1)
    values = rng.random((30, 1)) + rng.normal(0, 0.2, (30, 4)) + np.array([0, 0.05, 0.12, 0.2])
    signs = signs_of(999, 30, 0)
    result = rank_sets(board(values), trials=999)
    for alpha in (0.01, 0.02, 0.05, 0.1, 0.3, 0.6):
        assert np.array_equal(result.p <= alpha, plain(values, alpha, signs)), alpha


@pytest.mark.parametrize("rows, trials", [(64, 7), (128, 1024), (64, 5000)])
def test_blocks_do_not_matter(monkeypatch, rows, trials):
    values = np.random.default_rng(4).random((300, 6))
    expected = rank_sets(board(values), trials=500)
    # Slabs of queries change where random words come from, so that is left alone.
    monkeypatch.setattr(module, "BLOCK_TRIALS", trials)
    monkeypatch.setattr(module, "PAIR_CELLS", rows)
    assert np.array_equal(rank_sets(board(values), trials=500).p, expected.p)


@given(st.integers(2, 12), st.integers(1, 5), st.integers(0, 10))
def test_laws(queries, runs, seed):
    values = np.random.default_rng(seed).integers(0, 4, size=(queries, runs)) / 3
    result = rank_sets(board(values), trials=99, seed=seed)
    assert result.could_be_best[values.mean(axis=0).argmax()]
    assert not (result.above & result.above.T).any()
    assert (result.rank_sets[:, 0] <= result.rank_sets[:, 1]).all()
    assert np.array_equal(result.statistic, -result.statistic.T)
    low = rank_sets(board(-values), trials=99, seed=seed, best_is_low=True)
    assert np.array_equal(low.above, result.above)
    stricter = rank_sets(board(values), trials=99, seed=seed, alpha=0.02)
    assert not (stricter.above & ~result.above).any()
    turned = rank_sets(board(values[:, ::-1]), trials=99, seed=seed)
    assert np.array_equal(turned.above[::-1, ::-1], result.above)


def test_equal_runs_and_constant_differences():
    values = np.random.default_rng(3).random((50, 1)) * np.ones((1, 3))
    same = rank_sets(board(values), trials=50)
    assert same.could_be_best.all()
    assert not same.is_constant.any()
    clear = rank_sets(board(values + np.array([0.0, 1.0, 2.0])), trials=50)
    assert not clear.above.any()  # nothing varies, so there is nothing to test, and nothing is claimed
    assert clear.is_constant.sum() == 6
    assert clear.rank_sets.tolist() == [[1, 3]] * 3


def test_groups_open_where_the_first_of_the_group_is_above():
    values = np.random.default_rng(5).normal(0, 0.1, (200, 5)) + np.array([1.0, 0.99, 0.5, 0.49, 0.1])
    result = rank_sets(board(values))
    assert result.groups([0, 1, 2, 3, 4]).tolist() == [1, 1, 2, 2, 3]


def test_whoever_the_first_is_not_above_is_in_its_group():
    # The second is steadily a little below the first; the third is further below, and varies too much to tell.
    rng = np.random.default_rng(6)
    shared = rng.normal(0, 0.3, (60, 1))
    values = np.hstack([1.0 + shared, 0.98 + shared + rng.normal(0, 0.01, (60, 1)), 0.97 + rng.normal(0, 1.0, (60, 1))])
    values += np.array([1.0, 0.98, 0.97]) - values.mean(axis=0)
    result = rank_sets(board(values))
    assert result.above[1, 0]
    assert not result.above[2, 0]
    assert result.groups([0, 1, 2]).tolist() == [1, 2, 1]


def test_a_level_outside_is_refused():
    with pytest.raises(UsageError, match="alpha=1 cannot be used"):
        rank_sets(board([[0.1, 0.2], [0.2, 0.3]]), alpha=1)


def test_queries_without_a_score_are_left_out():
    values = np.random.default_rng(8).normal(0, 0.1, (40, 3)) + np.array([1.0, 0.5, 0.9])
    values[3, 0] = values[7, 2] = np.nan
    kept = ~np.isnan(values).any(axis=1)
    assert np.array_equal(rank_sets(board(values)).p, rank_sets(board(values[kept])).p)
    nowhere = rank_sets(board([[np.nan, 0.2], [0.2, np.nan]]))
    assert nowhere.rank_sets.tolist() == [[1, 2], [1, 2]]


def equal_runs(rng, queries, runs):
    """Runs that are equally good, and share which queries are hard; some are near-copies of others."""
    values = np.clip(rng.beta(2, 3, size=(queries, 1)) + rng.normal(0, 0.15, (queries, runs)), 0, 1)
    values[:, 1] = values[:, 0] + rng.normal(0, 0.01, queries)
    return values


@pytest.mark.parametrize("runs", [3, 10])
def test_equal_runs_are_rarely_told_apart(runs):
    rng = np.random.default_rng(6)
    boards = 300
    claims = [rank_sets(board(equal_runs(rng, 50, runs)), trials=399).above.any() for _ in range(boards)]
    assert np.mean(claims) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / boards)


def test_the_set_holds_the_best_and_finds_what_is_clear():
    rng = np.random.default_rng(7)
    held, found = 0, 0
    for _ in range(150):
        shift = np.array([0, 0, 0, 0.02, 0.02, 0.05, 0.05, 0.1, 0.1, 0.3])
        values = np.clip(rng.beta(2, 3, size=(60, 1)) + rng.normal(0, 0.15, (60, 10)) - shift, 0, 1)
        result = rank_sets(board(values), trials=399)
        held += bool(result.could_be_best[:3].all())
        found += not result.could_be_best[9]
    assert held >= 150 * (0.95 - 3 * np.sqrt(0.05 * 0.95 / 150))
    assert found == 150


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_dl_2021(shared_data, seed):
    """Counted once with another program: 8 of 42 runs could be the best, 34 are below the first, at every seed."""
    folder = shared_data / "dl21"
    qrels = runoff.read_qrels(folder / "qrels.nist.txt.gz")
    measure = runoff.parse_measure("nDCG@10")
    serps = [runoff.read_run(path).serps(qrels, depth=10) for path in sorted((folder / "runs").iterdir())]
    values = np.column_stack([measure.values(one) for one in serps])
    result = rank_sets(board(values), seed=seed)
    first = int(values.mean(axis=0).argmax())
    assert (len(serps), serps[first].run) == (42, "pash_f1")
    assert (result.could_be_best.sum(), result.above[:, first].sum()) == (8, 34)


@pytest.mark.parametrize("cells", [1, 20, 10_000])
def test_covariance_slab_by_slab(cells, monkeypatch):
    values = np.random.default_rng(6).random((50, 4))
    monkeypatch.setattr(scoring, "SLAB_CELLS", cells)
    covariance = centred_products(values) / (len(values) - 1)
    np.testing.assert_allclose(covariance, np.cov(values, rowvar=False), rtol=1e-12)
    root = covariance_root(values)
    np.testing.assert_allclose(root.T @ root, np.cov(values, rowvar=False, bias=True) / 50, rtol=1e-10)
    differences = values[:, :, None] - values[:, None, :]
    np.testing.assert_allclose(
        pair_errors(values), differences.std(axis=0, ddof=1) / np.sqrt(50), rtol=1e-10, atol=1e-9
    )
