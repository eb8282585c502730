"""Preferences: judged pairs in; tournaments, win ratios, agreement and quality out. Nothing here decides."""

from runoff.preferences.agreement import AssessorAgreement, JudgmentAgreement, agreement
from runoff.preferences.better_than_perfect import (
    BetterThanPerfectResult,
    Category,
    Split,
    better_than_perfect,
    split_queries,
)
from runoff.preferences.bradley_terry import BradleyTerryResult, bradley_terry
from runoff.preferences.candidates import candidates_of, settled_labels
from runoff.preferences.contradictions import Contradiction, contradictions
from runoff.preferences.cost import JudgingCost, judging_cost
from runoff.preferences.impact import ImpactResult, impact
from runoff.preferences.judge_error import (
    CorrectedRatios,
    JudgeError,
    corrected_ratios,
    corrected_share,
    implied_error,
)
from runoff.preferences.known_pairs import draw_known_pairs
from runoff.preferences.krippendorff import nominal_alpha
from runoff.preferences.left_out import LeftOut
from runoff.preferences.maintenance import NeededPairs, UpdatedLabels, needed_pairs, updated_labels, with_answers
from runoff.preferences.order_agreement import OrderShare, RunOrder, order_agreement
from runoff.preferences.pairings import PairingsResult, pairings_won
from runoff.preferences.pairs import PairCounts, count_pairs
from runoff.preferences.pools import Pools, make_pools, pools_of_pairs
from runoff.preferences.quality import AssessorQuality, Exclude, QualityResult, Reissue, mark_test_pairs, quality
from runoff.preferences.sampling import SampleCheckResult, check_sample, sample_queries
from runoff.preferences.sequential import Match, SequentialPlan, SequentialResult, sequential
from runoff.preferences.shares import PreferredShare
from runoff.preferences.side_bias import AssessorSides, SideBiasResult, side_bias
from runoff.preferences.tasks import TaskPlan, make_tasks
from runoff.preferences.timing import PairTimes, TimingResult, timing
from runoff.preferences.tops import PERFECT, TopDocs
from runoff.preferences.tournament import TournamentResult, tournament
from runoff.preferences.win_ratios import WinRatiosResult, win_ratios

__all__ = [
    "with_answers",
    "split_queries",
    "order_agreement",
    "implied_error",
    "corrected_share",
    "corrected_ratios",
    "Split",
    "RunOrder",
    "OrderShare",
    "JudgeError",
    "Exclude",
    "CorrectedRatios",
    "JudgmentAgreement",
    "AssessorAgreement",
    "AssessorQuality",
    "AssessorSides",
    "BetterThanPerfectResult",
    "BradleyTerryResult",
    "Category",
    "Contradiction",
    "ImpactResult",
    "JudgingCost",
    "LeftOut",
    "Match",
    "NeededPairs",
    "PERFECT",
    "PairCounts",
    "PairTimes",
    "PairingsResult",
    "Pools",
    "PreferredShare",
    "QualityResult",
    "Reissue",
    "SampleCheckResult",
    "SequentialPlan",
    "SequentialResult",
    "SideBiasResult",
    "TaskPlan",
    "TimingResult",
    "TopDocs",
    "TournamentResult",
    "UpdatedLabels",
    "WinRatiosResult",
    "agreement",
    "better_than_perfect",
    "bradley_terry",
    "candidates_of",
    "check_sample",
    "contradictions",
    "count_pairs",
    "draw_known_pairs",
    "impact",
    "judging_cost",
    "make_pools",
    "make_tasks",
    "mark_test_pairs",
    "needed_pairs",
    "nominal_alpha",
    "pairings_won",
    "pools_of_pairs",
    "quality",
    "sample_queries",
    "sequential",
    "settled_labels",
    "side_bias",
    "timing",
    "tournament",
    "updated_labels",
    "win_ratios",
]
