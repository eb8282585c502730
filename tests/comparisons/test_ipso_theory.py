"""Random SERPs: the paper's Table 2, all pairs counted, and great depths."""

import itertools
import math

import pytest

from runoff.comparisons import ipso_theory
from runoff.errors import UsageError
from tests.comparisons.reference import plain_scan


@pytest.mark.parametrize(
    "depth, separable", [(5, 83.98), (10, 67.08), (15, 55.97), (20, 48.95), (50, 31.52), (100, 22.43)]
)
def test_table_2(depth, separable):
    assert round(100 * ipso_theory(depth).separable, 2) == separable


@pytest.mark.parametrize("depth", range(1, 7))
def test_all_pairs_counted(depth):
    serps = list(itertools.product((0, 1), repeat=depth))
    counts = dict.fromkeys(("ns", "==", "ni", "**"), 0)
    for one, other in itertools.product(serps, repeat=2):
        counts[plain_scan(one, other)[-1]] += 1
    result = ipso_theory(depth)
    pairs = 4**depth
    assert counts["ni"] == counts["ns"]
    assert result.equal == counts["=="] / pairs == 2.0**-depth
    assert result.separable == (counts["ni"] + counts["ns"]) / pairs
    assert result.nonseparable == counts["**"] / pairs
    assert result.non_inferior == (counts["ni"] + counts["=="]) / pairs == math.comb(2 * depth + 1, depth) / pairs


@pytest.mark.parametrize("depth", [1, 7, 100, 1000, 5000])
def test_they_add_to_one(depth):
    result = ipso_theory(depth)
    assert result.equal + result.separable + result.nonseparable == pytest.approx(1.0, abs=1e-15)


def test_great_depths_follow_the_law_of_the_square_root():
    # C(2k + 1, k) / 4^k is about 2 / sqrt(pi k).
    assert ipso_theory(5000).separable == pytest.approx(4 / math.sqrt(math.pi * 5000), rel=1e-3)
    assert ipso_theory(5000).equal == 0.0


@pytest.mark.parametrize("depth", [0, -1, 2.0, True, "10"])
def test_a_bad_depth_is_refused(depth):
    with pytest.raises(UsageError, match="expected a whole number of 1 or more"):
        ipso_theory(depth)
