"""Who could be best: a plain loop, laws, and how often the set holds the truly best run."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from runoff.boards import best_set, stability, winner
from runoff.boards._covariance import covariance, covariance_root
from runoff.boards._redraws import draws
from runoff.boards.best_set import pair_errors
from runoff.errors import UsageError
from runoff.tables import scores as scoring
from runoff.tables.scores import Scores


def board(values):
    values = np.asarray(values, dtype=np.float64)
    names = tuple(f"r{place}" for place in range(values.shape[1]))
    return Scores(measure="AP", query_ids=tuple(map(str, range(len(values)))), runs=names, values=values)


def plain(values, level, trials, seed):
    """The same by a loop over samples and pairs."""
    n, runs = values.shape
    means = values.mean(axis=0)
    largest = []
    for drawn in draws(0, trials, n, seed=seed):
        again = values[drawn].mean(axis=0)
        ratios = [0.0]
        for i in range(runs):
            for j in range(runs):
                error = (values[:, i] - values[:, j]).std(ddof=1) / np.sqrt(n)
                if error > 1e-9:
                    ratios.append(((again[i] - again[j]) - (means[i] - means[j])) / error)
        largest.append(max(ratios))
    z = sorted(largest)[min(int(np.ceil(level * (trials + 1))) - 1, trials - 1)]
    c = stats.t(n - 1).isf(stats.norm.sf(z))
    out = {
        i for i in range(runs) for j in range(runs)
        if means[j] - means[i] > c * (values[:, i] - values[:, j]).std(ddof=1) / np.sqrt(n) + 1e-9
    }  # fmt: skip
    return c, set(range(runs)) - out


@pytest.mark.parametrize("seed", [0, 1])
def test_equals_a_plain_loop(seed):
    values = np.random.default_rng(seed).random((25, 5)) + np.array([0, 0.1, 0.2, 0.3, 0.3])
    result = best_set(board(values), level=0.9, trials=60, seed=seed)
    critical, kept = plain(values, 0.9, 60, seed)
    assert result.critical == pytest.approx(critical)
    assert set(np.flatnonzero(result.could_be_best)) == kept


def test_errors_are_those_of_the_differences():
    values = np.random.default_rng(2).random((30, 4))
    values[:, 3] = values[:, 2]
    errors = pair_errors(values)
    for i in range(4):
        for j in range(4):
            assert errors[i, j] == pytest.approx((values[:, i] - values[:, j]).std(ddof=1) / np.sqrt(30), abs=1e-9)
    assert errors[2, 3] == 0


@given(st.integers(2, 12), st.integers(1, 5), st.integers(0, 10))
def test_laws(queries, runs, seed):
    values = np.random.default_rng(seed).integers(0, 4, size=(queries, runs)) / 3
    result = best_set(board(values), trials=40, seed=seed)
    assert result.could_be_best[values.mean(axis=0).argmax()]
    assert np.array_equal(result.alike, result.alike.T)
    assert result.alike.diagonal().all()
    low = best_set(board(-values), trials=40, seed=seed, best_is_low=True)
    assert np.array_equal(low.could_be_best, result.could_be_best)
    wider = best_set(board(values), trials=40, seed=seed, level=0.99)
    assert (wider.could_be_best | ~result.could_be_best).all()


def test_equal_runs_and_clear_runs():
    values = np.random.default_rng(3).random((50, 1)) * np.ones((1, 3))
    assert best_set(board(values), trials=50).could_be_best.all()
    clear = values + np.array([0.0, 1.0, 2.0])
    result = best_set(board(clear), trials=50)
    assert result.best == ("r2",)
    assert not result.alike[0, 2]


def test_a_level_outside_is_refused():
    with pytest.raises(UsageError, match="level=1 cannot be used"):
        best_set(board([[0.1, 0.2]]), level=1)


def coverage(queries, boards, rng, kind):
    """How often the set holds the best of ten runs, three of which are equally good."""
    held = 0
    for _ in range(boards):
        shift = np.array([0, 0, 0, 0.02, 0.02, 0.05, 0.05, 0.1, 0.1, 0.2])
        if kind == "rr":
            values = 1.0 / rng.geometric(0.5 - shift, size=(queries, 10))
            values[values < 0.1] = 0.0
        else:
            values = np.clip(rng.beta(2, 3, size=(queries, 1)) + rng.normal(0, 0.15, (queries, 10)) - shift, 0, 1)
        held += bool(best_set(board(values), trials=200).could_be_best[0])
    return held / boards


def test_equal_runs_are_alike_also_on_few_queries():
    """All pairs at once, on boards of 30 queries; the bootstrap's own quantile would tell some apart on 9%."""
    rng = np.random.default_rng(6)
    alike = [best_set(board(rng.normal(size=(30, 6))), trials=200, seed=seed).alike.all() for seed in range(400)]
    assert np.mean(alike) >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / 400)


@pytest.mark.parametrize("kind", ["rr", "ap"])
def test_the_set_holds_the_best_run(kind):
    assert coverage(60, 150, np.random.default_rng(5), kind) >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / 150)


@pytest.mark.parametrize("low", [False, True])
def test_samples_that_are_known_are_not_drawn_again(low, monkeypatch):
    scores = board(np.random.default_rng(5).random((60, 4)))
    asked = {"trials": 90, "seed": 3, "best_is_low": low}
    expected = best_set(scores, **asked), winner(scores, **asked)
    known = stability(scores, **asked).drawn_means
    monkeypatch.setattr("runoff.boards._redraws.redraws", None)
    found = best_set(scores, drawn=known, **asked), winner(scores, drawn=known, **asked)
    assert found[0].critical == expected[0].critical
    assert found[1] == expected[1]


@pytest.mark.parametrize("cells", [1, 20, 10_000])
def test_covariance_slab_by_slab(cells, monkeypatch):
    values = np.random.default_rng(6).random((50, 4))
    monkeypatch.setattr(scoring, "SLAB_CELLS", cells)
    np.testing.assert_allclose(covariance(values), np.cov(values, rowvar=False), rtol=1e-12)
    root = covariance_root(values)
    np.testing.assert_allclose(root.T @ root, np.cov(values, rowvar=False, bias=True) / 50, rtol=1e-10)
    differences = values[:, :, None] - values[:, None, :]
    np.testing.assert_allclose(
        pair_errors(values), differences.std(axis=0, ddof=1) / np.sqrt(50), rtol=1e-10, atol=1e-9
    )
