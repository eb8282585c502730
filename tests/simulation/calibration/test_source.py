"""The truth of what is drawn: by counting all that can be drawn, and by laws."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from runoff.errors import UsageError
from runoff.simulation.calibration import Source
from runoff.simulation.calibration._source import (
    as_scores,
    dealt_serps,
    draw_board,
    draw_copies,
    names,
    swapped,
    tilted_weights,
)
from tests.simulation.calibration.sources import ap_like, with_lists


@pytest.mark.parametrize("equal", [0, 3, None])
def test_the_truth_is_the_mean_of_many_boards(equal):
    rng = np.random.default_rng(0)
    errors = []
    for _ in range(300):
        board = draw_board(ap_like(), 60, rng, runs=5, equal=equal)
        errors.append((board.scores.means - board.truth).mean())
    assert abs(np.mean(errors)) < 4 * np.std(errors) / np.sqrt(300)
    assert board.best.sum() == (5 if equal is None else max(equal, 1))


def test_nearly_equal_runs_have_a_tenth_of_their_distances():
    found = draw_board(ap_like(), 4000, np.random.default_rng(3), runs=6, share=0.9)
    assert np.ptp(found.truth) == pytest.approx(0.1 * np.ptp(ap_like().values.mean(axis=0)))
    assert np.abs(found.scores.means - found.truth).max() < 4 * ap_like().values.std() / np.sqrt(4000)


@pytest.mark.parametrize("runs", [3, 6])
def test_near_copies_are_alike_and_truly_equal(runs):
    rng = np.random.default_rng(4)
    errors = []
    for _ in range(200):
        board = draw_copies(ap_like(), 60, rng, runs=runs)
        assert np.ptp(board.truth) == 0.0
        errors.append(board.scores.means[0] - board.truth[0])
    assert abs(np.mean(errors)) < 4 * np.std(errors) / np.sqrt(200)
    values = board.scores.values
    shared = [(values[:, i] == values[:, j]).mean() for i in range(runs) for j in range(i)]
    assert sum(share > 0.75 for share in shared) >= max((runs - 2) * (runs - 3) // 2, 1)


def test_a_query_keeps_the_scores_of_all_its_runs():
    board = draw_board(ap_like(), 30, np.random.default_rng(1), runs=6, equal=None)
    rows = {tuple(sorted(row)) for row in ap_like().values.tolist()}
    assert all(tuple(sorted(row)) in rows for row in board.scores.values.tolist())


def test_swapping_makes_two_runs_exchangeable():
    pair = np.array([[1.0, 0.5], [0.2, 0.9], [0.0, 1.0]])
    counts: dict[tuple[float, ...], int] = {}
    rng = np.random.default_rng(2)
    for _ in range(4000):
        values, swap = swapped(pair, rng)
        assert np.array_equal(values[swap], pair[swap][:, ::-1])
        key = tuple((values[:, 1] - values[:, 0]).round(6).tolist())
        counts[key] = counts.get(key, 0) + 1
    differences = (pair[:, 1] - pair[:, 0]).round(6)
    assert set(counts) == {tuple((np.array(signs) * differences).tolist()) for signs in product((1, -1), repeat=3)}
    assert max(abs(count / 4000 - 1 / 8) for count in counts.values()) < 5 * np.sqrt(1 / 8 * 7 / 8 / 4000)


@given(st.lists(st.integers(-8, 8), min_size=3, max_size=30))
def test_tilted_weights_make_the_mean_zero(whole):
    differences = np.array(whole) / 8
    weights = tilted_weights(differences)
    if weights is None:
        if min(whole) < 0 < max(whole):  # then too few queries would be left
            theta = brentq(lambda t: (np.exp(t * differences) * differences).sum(), -400, 400)
            raw = np.exp(theta * differences)
            assert raw.sum() ** 2 / (raw**2).sum() < 0.5 * len(whole) + 1e-6
        return
    assert weights.min() > 0
    assert weights.sum() == pytest.approx(1)
    assert weights @ differences == pytest.approx(0, abs=1e-9)
    order = np.argsort(differences)  # the weights follow the differences, up or down
    steps = np.diff(weights[order])
    assert (steps >= -1e-12).all() or (steps <= 1e-12).all()


def test_lists_are_dealt_with_their_scores():
    source = with_lists()
    assert source.serps is not None
    rng = np.random.default_rng(4)
    rows = source.rows(25, rng)
    order = rng.permuted(np.tile(np.arange(5), (25, 1)), axis=1)
    dealt = dealt_serps(source.serps, rows, order, names(5))
    for place, one in enumerate(dealt):
        for query in range(25):
            given_list = source.serps[order[query, place]].grades[rows[query]]
            assert np.array_equal(one.grades[query], given_list)


def test_bad_data_are_refused():
    with pytest.raises(UsageError, match="1 run over 3 queries"):
        Source(scores=as_scores(np.zeros((3, 1))))
    with pytest.raises(UsageError, match="undefined"):
        Source(scores=as_scores(np.array([[np.nan, 1.0], [0.0, 1.0]])))
    with pytest.raises(UsageError, match="all runs have the same scores"):
        Source(scores=as_scores(np.ones((4, 2))))
    with pytest.raises(UsageError, match="not those of the scores' runs"):
        Source(scores=as_scores(np.eye(3)), serps=())
