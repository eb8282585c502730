"""Records that are luck; and the record test against all signs of small cases."""

from itertools import product

import numpy as np
import pytest

from runoff.boards import record_test
from tests.simulation.calibration.sources import ap_like, shares, with_lists


@pytest.mark.parametrize("seed", range(4))
def test_small_cases_by_brute_force(seed):
    """Of all signs under which there is a record, at most a share a has p <= a, for every a; and p is that share."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(0, 4, size=8) / 4 if seed % 2 else rng.random(8)
    sums = np.array([np.dot(signs, sizes) for signs in product((1, -1), repeat=8)])
    records = sums[sums > 1e-12]
    found = []
    for signs in product((1, -1), repeat=8):
        differences = np.array(signs) * sizes
        if differences.sum() > 1e-12:
            result = record_test(np.zeros(8), differences)
            assert result.p == pytest.approx((records >= differences.sum() - 1e-9).mean())
            found.append(result.p)
    for level in np.unique(found):
        assert np.mean(np.array(found) <= level + 1e-12) <= level + 1e-9


@pytest.mark.parametrize("source", [ap_like(), with_lists()], ids=["ap", "rr"])
def test_the_record_test_keeps_its_level_and_the_plain_one_does_not(source):
    found = shares("records", source, queries=50, boards=400)
    assert found["one"].verdict.word in {"not refuted", "conservative"}
    assert found["looks"].verdict.word in {"not refuted", "conservative"}
    assert found["plain"].verdict.word == "off"
    assert not found["plain"].is_broken
    assert found["looks"].boards < 400  # without a record there is nothing to test
