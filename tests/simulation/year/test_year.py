"""A year as a whole: sizes, sets, reproducibility, and numbers of its own."""

import numpy as np
import pytest

from runoff import UsageError
from runoff.simulation._streams import BOARD, COMPARISON, YEAR, generator
from runoff.simulation.year import YearConfig, simulate_year

CONFIG = YearConfig(public=200, private=40, deep=10, judged=15, seed=3)
MADE = simulate_year(CONFIG)


def test_sizes_and_sets():
    assert len(MADE.questions) == 240
    assert MADE.is_public.sum() == 200
    for chosen, size in ((MADE.deep, 10), (MADE.judged, 15)):
        assert len(set(chosen.tolist())) == size
        assert not MADE.is_public[chosen].any()
    for name, ranked in MADE.ranked.items():
        assert ranked.shape == (240, 20)
        assert all(len(set(row)) == 20 for row in ranked.tolist())
        scores = MADE.run_scores(name)
        assert (np.diff(scores, axis=1) < 0).all()
        assert scores.min() >= 100_000
        assert scores.max() < 1_000_000


def test_the_same_seed_gives_the_same_year_and_another_another():
    again, other = simulate_year(CONFIG), simulate_year(YearConfig(public=200, private=40, deep=10, judged=15, seed=4))
    assert all((again.documents(name) == MADE.documents(name)).all() for name in MADE.ranked)
    assert not (other.documents("ebro-3") == MADE.documents("ebro-3")).all()


def test_a_role_is_that_of_the_last_run_that_plays_it():
    assert MADE.plan("overfitted").name == "clyde-6"
    assert MADE.plan("champion").name == "ebro-3"


def test_deep_pools_hold_what_runs_show():
    for row, pool in zip(MADE.deep.tolist(), MADE.deep_pools(), strict=True):
        assert set(pool.tolist()) == {one for ranked in MADE.ranked.values() for one in ranked[row, :10].tolist()}


@pytest.mark.parametrize("bad", [{"public": 1}, {"deep": 99}, {"judged": 0}, {"depth": 5}, {"seed": -1}])
def test_bad_sizes_are_refused(bad):
    with pytest.raises(UsageError, match=f"{next(iter(bad))}( is |=.* cannot be used)"):
        YearConfig(**{"private": 50, "judged": 50} | bad)


def test_no_two_kinds_of_simulation_and_no_test_share_random_numbers():
    first = {
        tuple(np.random.default_rng(np.random.SeedSequence(0, spawn_key=key)).integers(0, 2**60, 4).tolist())
        for key in [(), *((purpose,) for purpose in range(6)), (3, 0), (3, 1), (4, 0), (4, 1)]
    }
    own = {tuple(generator(0, kind, stream).integers(0, 2**60, 4).tolist())
           for kind in (YEAR, BOARD, COMPARISON) for stream in range(4)}  # fmt: skip
    assert (len(first), len(own)) == (11, 12)
    assert not first & own
