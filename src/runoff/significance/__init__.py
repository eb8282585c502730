"""Significance: paired scores in; statistic, p and effect out. One test per file; list order is display order."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from runoff.errors import UsageError
from runoff.significance._base import (
    DEFAULT_TRIALS,
    SignificanceResult,
    SignificanceTest,
    check_sampling,
    permission_reason,
    permitted,
    whole_differences,
)
from runoff.significance._intervals import binomial_intervals
from runoff.significance._resampling import grid_exponent, on_grid, to_grid
from runoff.significance.all_pairs import (
    AllPairsResult,
    rank_sum_all_pairs,
    sign_all_pairs,
    signed_rank_all_pairs,
    t_all_pairs,
)
from runoff.significance.bootstrap import Bootstrap
from runoff.significance.corrections import CORRECTIONS, CorrectionResult, Family, correct
from runoff.significance.equivalence import EquivalenceResult, equivalence
from runoff.significance.half_pairs import (
    LEAST_QUERIES,
    Counted,
    HalfCounts,
    HalfPairsResult,
    half_pairs,
    half_pairs_of_counts,
    half_pairs_of_sums,
)
from runoff.significance.paired_t import PairedT
from runoff.significance.power import POWER, Power, score_powers, vote_power
from runoff.significance.randomization import Randomization, flip_sums
from runoff.significance.rank_sum import RankSum
from runoff.significance.sign import Sign, binomial_p
from runoff.significance.signed_rank import MOST_EXACT, SignedRank, signed_rank_p
from runoff.significance.split_sums import PackedSplits, ScoreTable, half_sums, score_table
from runoff.significance.tukey_hsd import TukeyHsdResult, tukey_hsd

SIGNIFICANCE_TESTS: tuple[SignificanceTest, ...] = (
    PairedT(),
    SignedRank(),
    RankSum(),
    Sign(),
    Randomization(),
    Bootstrap(),
)
"""Every significance test of two runs, in the order of display."""

BY_NAME: Mapping[str, SignificanceTest] = MappingProxyType({test.name: test for test in SIGNIFICANCE_TESTS})
"""Every name with its test."""


def find_significance_test(name: str) -> SignificanceTest:
    """The test of this name.

    >>> find_significance_test("signed_rank").needs
    'interval'
    """
    if name not in BY_NAME:
        raise UsageError(f"no significance test is called {name!r}; expected one of {', '.join(BY_NAME)}")
    return BY_NAME[name]


__all__ = [
    "AllPairsResult",
    "BY_NAME",
    "Bootstrap",
    "CORRECTIONS",
    "CorrectionResult",
    "Counted",
    "DEFAULT_TRIALS",
    "EquivalenceResult",
    "Family",
    "HalfCounts",
    "HalfPairsResult",
    "LEAST_QUERIES",
    "MOST_EXACT",
    "POWER",
    "PackedSplits",
    "PairedT",
    "Power",
    "Randomization",
    "RankSum",
    "SIGNIFICANCE_TESTS",
    "ScoreTable",
    "Sign",
    "SignedRank",
    "SignificanceResult",
    "SignificanceTest",
    "TukeyHsdResult",
    "binomial_intervals",
    "binomial_p",
    "check_sampling",
    "correct",
    "equivalence",
    "find_significance_test",
    "flip_sums",
    "grid_exponent",
    "half_pairs",
    "half_pairs_of_counts",
    "half_pairs_of_sums",
    "half_sums",
    "on_grid",
    "permission_reason",
    "permitted",
    "rank_sum_all_pairs",
    "score_powers",
    "score_table",
    "sign_all_pairs",
    "signed_rank_all_pairs",
    "signed_rank_p",
    "t_all_pairs",
    "to_grid",
    "tukey_hsd",
    "vote_power",
    "whole_differences",
]
