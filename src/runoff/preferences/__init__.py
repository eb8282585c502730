"""Preferences: judged pairs in; tournaments, win ratios, agreement and quality out. Nothing here decides."""

from runoff.preferences.agreement import AgreementResult, AssessorAgreement, agreement
from runoff.preferences.better_than_perfect import BetterThanPerfectResult, Category, better_than_perfect
from runoff.preferences.bradley_terry import BradleyTerryResult, bradley_terry
from runoff.preferences.contradictions import Contradiction, contradictions
from runoff.preferences.krippendorff import nominal_alpha
from runoff.preferences.pairings import PairingsResult, pairings_won
from runoff.preferences.pairs import PairCounts, count_pairs
from runoff.preferences.quality import AssessorQuality, QualityResult, Reissue, mark_test_pairs, quality
from runoff.preferences.shares import PreferredShare
from runoff.preferences.side_bias import AssessorSides, SideBiasResult, side_bias
from runoff.preferences.timing import PairTimes, TimingResult, timing
from runoff.preferences.tops import PERFECT, TopDocs
from runoff.preferences.tournament import TournamentResult, tournament
from runoff.preferences.win_ratios import WinRatiosResult, win_ratios

__all__ = [
    "AgreementResult",
    "AssessorAgreement",
    "AssessorQuality",
    "AssessorSides",
    "BetterThanPerfectResult",
    "BradleyTerryResult",
    "Category",
    "Contradiction",
    "PERFECT",
    "PairCounts",
    "PairTimes",
    "PairingsResult",
    "PreferredShare",
    "QualityResult",
    "Reissue",
    "SideBiasResult",
    "TimingResult",
    "TopDocs",
    "TournamentResult",
    "WinRatiosResult",
    "agreement",
    "better_than_perfect",
    "bradley_terry",
    "contradictions",
    "count_pairs",
    "mark_test_pairs",
    "nominal_alpha",
    "pairings_won",
    "quality",
    "side_bias",
    "timing",
    "tournament",
    "win_ratios",
]
