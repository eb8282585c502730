"""Boards of many runs: stability, rank sets, records, reliability, overfitting, near-duplicates; no decisions."""

from runoff.boards.frontier import frontier
from runoff.boards.generalization import GeneralizationResult, generalization
from runoff.boards.history import HistoryResult, Record, RecordTestResult, history, record_test
from runoff.boards.near_duplicates import NearDuplicate, NearDuplicatesResult, near_duplicates
from runoff.boards.overfitting import (
    FieldChange,
    OverfittingResult,
    TeamChange,
    field_changes,
    overfitting,
    published_changes,
)
from runoff.boards.power import BoardPower, board_power, board_powers
from runoff.boards.rank_sets import RankSetsResult, rank_sets
from runoff.boards.reliability import ReliabilityResult, RepeatShares, reliability
from runoff.boards.scales import ScaleResult, Witness, interval_scores, scale
from runoff.boards.stability import StabilityResult, stability
from runoff.boards.submissions import (
    Rung,
    SubmissionRule,
    SubmissionsResult,
    TeamSubmissions,
    Violation,
    ladder,
    submissions,
)
from runoff.boards.winner import WinnerResult, winner, winner_interval

__all__ = [
    "RankSetsResult",
    "BoardPower",
    "FieldChange",
    "GeneralizationResult",
    "HistoryResult",
    "NearDuplicate",
    "NearDuplicatesResult",
    "OverfittingResult",
    "Record",
    "RecordTestResult",
    "ReliabilityResult",
    "RepeatShares",
    "Rung",
    "ScaleResult",
    "StabilityResult",
    "SubmissionRule",
    "SubmissionsResult",
    "TeamChange",
    "TeamSubmissions",
    "Violation",
    "WinnerResult",
    "Witness",
    "rank_sets",
    "board_power",
    "board_powers",
    "field_changes",
    "frontier",
    "generalization",
    "history",
    "interval_scores",
    "ladder",
    "near_duplicates",
    "overfitting",
    "published_changes",
    "record_test",
    "reliability",
    "scale",
    "stability",
    "submissions",
    "winner",
    "winner_interval",
]
