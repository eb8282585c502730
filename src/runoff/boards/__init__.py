"""Boards: many runs over the same queries; what a leaderboard's numbers can carry. No decision."""

from runoff.boards.generalization import GeneralizationResult, generalization
from runoff.boards.history import HistoryResult, Record, history
from runoff.boards.near_duplicates import NearDuplicate, NearDuplicatesResult, near_duplicates
from runoff.boards.overfitting import OverfittingResult, overfitting
from runoff.boards.published_changes import PublishedChange, published_changes
from runoff.boards.reliability import ReliabilityResult, RepeatShares, reliability
from runoff.boards.scales import ScaleResult, Witness, interval_scores, scale
from runoff.boards.stability import StabilityResult, stability
from runoff.boards.submissions import SubmissionRule, SubmissionsResult, TeamSubmissions, Violation, submissions

__all__ = [
    "GeneralizationResult",
    "HistoryResult",
    "NearDuplicate",
    "NearDuplicatesResult",
    "OverfittingResult",
    "PublishedChange",
    "Record",
    "ReliabilityResult",
    "RepeatShares",
    "ScaleResult",
    "StabilityResult",
    "SubmissionRule",
    "SubmissionsResult",
    "TeamSubmissions",
    "Violation",
    "Witness",
    "generalization",
    "history",
    "interval_scores",
    "near_duplicates",
    "overfitting",
    "published_changes",
    "reliability",
    "scale",
    "stability",
    "submissions",
]
