"""Boards and comparisons with a known truth, for the demo and for checking every verdict and interval."""

from __future__ import annotations

from runoff.simulation.assessors import AssessorsConfig, SimulatedJudgments, simulate_judgments
from runoff.simulation.best_found import BestFound, best_found
from runoff.simulation.comparison import ComparisonConfig, ComparisonTruth, SimulatedComparison, simulate_comparison
from runoff.simulation.rank_law import RankLaw
from runoff.simulation.simulated_run import SimulatedRun
from runoff.simulation.sparse_board import SparseBoard, SparseBoardConfig, simulate_sparse_board
from runoff.simulation.system import System

__all__ = [
    "AssessorsConfig",
    "BestFound",
    "ComparisonConfig",
    "ComparisonTruth",
    "RankLaw",
    "SimulatedComparison",
    "SimulatedJudgments",
    "SimulatedRun",
    "SparseBoard",
    "SparseBoardConfig",
    "System",
    "best_found",
    "simulate_comparison",
    "simulate_judgments",
    "simulate_sparse_board",
]
