import os
import subprocess
import sys
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runoff.boards import _bootstrap, _spread
from runoff.boards._bootstrap import draws, make_grid, places, query_counts
from runoff.boards.stability import percentiles, redraw_board, stability
from runoff.errors import UsageError
from tests.boards.redrawn import drawn_means, latent_board, make_scores, plain_probabilities, plain_ranks, rr_board

ARRAYS = ("means", "mean_ci95", "ranks", "rank_probabilities", "expected_ranks", "rank_intervals", "beats")


def assert_same(result, expected):
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(result, name), getattr(expected, name), err_msg=name)


@pytest.mark.parametrize("queries, runs", [(8, 6), (60, 12), (31, 1), (1, 3)])
def test_equals_a_plain_loop_over_the_same_draws(queries, runs):
    scores = rr_board(queries, runs)
    means = drawn_means(scores, trials=400, seed=5)
    ranks = plain_ranks(means)
    result = stability(scores, trials=400, seed=5)
    np.testing.assert_allclose(result.rank_probabilities, plain_probabilities(means), atol=1e-12)
    np.testing.assert_array_equal(result.expected_ranks, ranks.mean(axis=0))
    ahead = (ranks[:, :, None] < ranks[:, None, :]).mean(axis=0)
    tied = (ranks[:, :, None] == ranks[:, None, :]).mean(axis=0)
    np.testing.assert_allclose(result.beats, ahead + tied / 2, atol=1e-12)
    np.testing.assert_allclose(result.mean_ci95, np.sort(means, axis=0)[[9, 390]].T, atol=1e-9)
    np.testing.assert_allclose(result.means, scores.means, atol=1e-9)
    np.testing.assert_array_equal(result.ranks, plain_ranks(scores.means))


def test_comes_near_another_generator():
    scores = rr_board(50, 5)
    rng = np.random.default_rng(9)
    means = np.array([scores.values[rng.integers(0, 50, 50)].mean(axis=0) for _ in range(20_000)])
    result = stability(scores, trials=20_000)
    # Two shares of 20,000 trials each: 5 standard errors.
    np.testing.assert_allclose(result.rank_probabilities, plain_probabilities(means), atol=5 * np.sqrt(0.5 / 20_000))


def test_paper_shape():
    # Craswell et al. 2021, table 2: the first run is on top in 91% of the trials, and lower ranks are less certain.
    shifts = np.array([0.2, 0.1, 0.08, 0.07, 0.05, 0.04])
    result = stability(latent_board(np.random.default_rng(1), 5793, shifts, rr=True))
    assert result.p_first[0] > 0.9
    assert np.diag(result.rank_probabilities)[1:].max() < result.p_first[0]


def test_identical_runs_share_every_place():
    column = rr_board(40, 1).values[:, 0]
    result = stability(make_scores(np.stack([column, column], axis=1)), trials=50)
    assert result.rank_probabilities.tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert result.expected_ranks.tolist() == result.ranks.tolist() == [1.5, 1.5]
    assert (result.beats == 0.5).all()
    same = stability(make_scores(np.full((9, 7), 0.1)), trials=5)
    np.testing.assert_allclose(same.rank_probabilities, 1 / 7, rtol=1e-12)
    assert same.rank_intervals.tolist() == [[1, 7]] * 7


def test_equal_sums_of_unlike_terms_are_ties():
    # 1/3 + 1/6 is 1/2 and 0.1 + 0.2 is 0.3, but not in float64; one query each is drawn as often as the other here.
    starts, sizes = places(make_grid(make_scores([[1 / 3, 1 / 2, 0.1], [1 / 6, 0, 0.4]])).whole.sum(axis=0)[None, :], 2)
    assert (starts.tolist(), sizes.tolist()) == ([[0, 0, 0]], [[3, 3, 3]])


@settings(max_examples=30, deadline=None)
@given(queries=st.integers(1, 30), runs=st.integers(1, 8), seed=st.integers(0, 2**64))
def test_laws(queries, runs, seed):
    scores = rr_board(queries, runs, seed=queries)
    result = stability(scores, trials=60, seed=seed)
    chances = result.rank_probabilities
    np.testing.assert_allclose(chances.sum(axis=0), 1.0, atol=1e-12)
    np.testing.assert_allclose(chances.sum(axis=1), 1.0, atol=1e-12)
    np.testing.assert_allclose(chances @ np.arange(1, runs + 1), result.expected_ranks, atol=1e-9)
    np.testing.assert_allclose(0.5 + result.beats.sum(axis=0), result.expected_ranks, atol=1e-9)
    np.testing.assert_array_equal(result.beats + result.beats.T, 1.0)
    assert (result.rank_intervals[:, 0] <= result.rank_intervals[:, 1]).all()
    assert (result.mean_ci95[:, 0] <= result.mean_ci95[:, 1]).all()


def test_permuting_runs_permutes_the_result():
    scores = rr_board(25, 7)
    order = np.array([3, 1, 6, 0, 5, 2, 4])
    moved = stability(make_scores(scores.values[:, order], runs=tuple(scores.runs[k] for k in order)), trials=200)
    result = stability(scores, trials=200)
    for name in ("mean_ci95", "expected_ranks", "rank_intervals", "rank_probabilities"):
        np.testing.assert_array_equal(getattr(moved, name), getattr(result, name)[order])
    np.testing.assert_array_equal(moved.beats, result.beats[np.ix_(order, order)])
    assert [moved.runs[k] for k in moved.order] == [result.runs[k] for k in result.order]


def test_adding_a_constant_moves_only_the_means():
    scores = rr_board(25, 7)
    result, moved = stability(scores, trials=200), stability(make_scores(scores.values + 0.7), trials=200)
    np.testing.assert_allclose(moved.means, result.means + 0.7, atol=1e-12)
    np.testing.assert_allclose(moved.mean_ci95, result.mean_ci95 + 0.7, atol=1e-12)
    for name in ARRAYS[2:]:
        np.testing.assert_array_equal(getattr(moved, name), getattr(result, name))


def test_low_is_good_where_asked():
    scores = rr_board(25, 4)
    low = stability(make_scores(-scores.values), trials=100, best_is_low=True)
    high = stability(scores, trials=100)
    np.testing.assert_array_equal(low.mean_ci95, -high.mean_ci95[:, ::-1])
    for name in ARRAYS[2:]:
        np.testing.assert_array_equal(getattr(low, name), getattr(high, name))


@settings(max_examples=20, deadline=None)
@given(block_cells=st.integers(1, 3000), seed=st.integers(0, 2**64))
def test_blocks_do_not_change_the_result(block_cells, seed):
    scores = rr_board(13, 5)
    grid = make_grid(scores)
    blocks = redraw_board(scores, grid, trials=150, seed=seed, block_cells=block_cells)
    assert_same(blocks, stability(scores, trials=150, seed=seed))


@pytest.mark.parametrize("queries", [1, 40, 41])
def test_blocks_of_queries_do_not_change_the_result(queries, monkeypatch):
    """Blocks done in any order: each adds whole numbers, and draws the same queries as all the others."""
    scores = rr_board(queries, 5)
    asked = []

    def backwards(function, blocks, trials):
        asked.append((len(blocks), len(trials)))
        done = [[function(block, some) for block in reversed(blocks)][::-1] for some in reversed(trials)]
        return (one for some in reversed(done) for one in some)

    expected = stability(scores, trials=60, seed=9)
    monkeypatch.setattr(_bootstrap, "SPREAD_CELLS", 35)
    monkeypatch.setattr(_bootstrap, "SPREAD_DRAWS", 700)
    for long_trial in (8, 1000):
        monkeypatch.setattr(_bootstrap, "LONG_TRIAL", long_trial)
        for spread in (None, backwards):
            assert_same(stability(scores, trials=60, seed=9, spread=spread), expected)
    assert asked == [(-(-queries // 7), -(-60 // max(1, 700 // queries)))] * 2


@pytest.mark.parametrize("queries", [1, 40, 41])
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_board_that_is_not_held_in_memory(queries, order, monkeypatch):
    scores = rr_board(queries, 5)
    expected = stability(scores, trials=60, seed=9)
    monkeypatch.setattr(_bootstrap, "SLAB_CELLS", 32)
    monkeypatch.setattr(_bootstrap, "BLOCK_CELLS", 20)
    laid = replace(scores, values=np.array(scores.values, order=order))
    for held in (1, 500, 10_000):
        monkeypatch.setattr(_bootstrap, "HELD_COUNTS", held)
        assert_same(stability(laid, trials=60, seed=9), expected)


@pytest.mark.parametrize("trials", [1, 60])
def test_blocks_are_away_some_at_a_time(trials, monkeypatch):
    scores = rr_board(41, 5)
    expected = stability(scores, trials=trials, seed=9)
    monkeypatch.setattr(_bootstrap, "SPREAD_CELLS", 35)
    monkeypatch.setattr(_bootstrap, "SPREAD_DRAWS", 200)
    monkeypatch.setattr(_spread, "BLOCKS_AT_ONCE", 2)
    seen = []

    def watched(function, blocks, asked):
        seen.append(len(blocks))
        return _spread.here(function, blocks, asked)

    assert_same(stability(scores, trials=trials, seed=9, spread=watched), expected)
    assert set(seen) == {2}
    assert sum(seen) >= 6


@pytest.mark.parametrize("spread", [None, _spread.here])
def test_progress(spread, monkeypatch):
    monkeypatch.setattr(_bootstrap, "SPREAD_CELLS", 35)
    monkeypatch.setattr(_bootstrap, "SPREAD_DRAWS", 200)
    for at_once, slab in ((2, 32), (99, 1 << 20)):
        monkeypatch.setattr(_spread, "BLOCKS_AT_ONCE", at_once)
        monkeypatch.setattr(_bootstrap, "SLAB_CELLS", slab)
        told: list[tuple[int, int]] = []
        stability(rr_board(41, 5), trials=60, spread=spread, progress=lambda *one, told=told: told.append(one))
        assert [done for done, _ in told] == sorted({done for done, _ in told})
        assert told[-1][0] == told[-1][1] == (60 if spread is None else 6 * 15)


def test_means_of_the_samples():
    scores = rr_board(30, 4)
    result = stability(scores, trials=80, seed=2)
    for trial, drawn in enumerate(draws(0, 80, 30, seed=2)):
        np.testing.assert_allclose(result.drawn_means[trial], scores.values[drawn].mean(axis=0), atol=1e-12)


def test_threads_do_not_change_the_result():
    program = (
        "import hashlib; from tests.boards.redrawn import rr_board; from runoff.boards.stability import stability\n"
        "result = stability(rr_board(701, 40), trials=700, seed=3)\n"
        f"print(hashlib.sha256(b''.join(getattr(result, name).tobytes() for name in {ARRAYS})).hexdigest())"
    )
    digests = set()
    for threads in ("1", "2"):
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads, "PYTHONPATH": "."}
        result = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=True)
        digests.add(result.stdout)
    assert len(digests) == 1


def test_memory_does_not_grow_with_the_trials():
    scores = rr_board(20, 10)
    peaks = []
    for trials in (20_000, 200_000):
        tracemalloc.start()
        redraw_board(scores, make_grid(scores), trials=trials, seed=0, block_cells=1 << 16)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0]


def test_draws_are_fair():
    counts = query_counts(0, 4000, 11, seed=0)
    np.testing.assert_array_equal(counts.sum(axis=1), 11)
    np.testing.assert_allclose(counts.mean(axis=0), 1.0, atol=5 / np.sqrt(4000))
    np.testing.assert_allclose(counts.var(axis=0), 10 / 11, atol=0.12)
    assert not (draws(0, 5, 11, seed=0) == draws(0, 5, 11, seed=0, query_set=1)).all()


def test_percentiles_of_few_trials_are_their_range():
    assert percentiles(np.array([[3.0], [1.0], [2.0]])).tolist() == [[1.0], [3.0]]


def test_bad_input_is_refused():
    scores = rr_board(4, 2)
    with pytest.raises(UsageError, match="trials=0"):
        stability(scores, trials=0)
    with pytest.raises(UsageError, match="seed=-1"):
        stability(scores, seed=-1)
    with pytest.raises(UsageError, match="1 of the 2 scores of RR@10 are undefined"):
        stability(make_scores([[np.nan, 1.0]]))
    with pytest.raises(UsageError, match="0 queries and 2 runs"):
        stability(make_scores(np.empty((0, 2))))
    with pytest.raises(UsageError, match="same name"):
        stability(make_scores([[0.1, 0.2]], runs=("a", "a")))
