"""Boards and duels with a known truth, for the demo and for checking every verdict and interval."""

from __future__ import annotations

from runoff.simulation.assessors import AssessorsConfig, SimulatedJudgments, simulate_judgments
from runoff.simulation.best_found import BestFound, best_found
from runoff.simulation.duel import DuelConfig, DuelTruth, SimulatedDuel, simulate_duel
from runoff.simulation.rank_law import RankLaw
from runoff.simulation.simulated_run import SimulatedRun
from runoff.simulation.sparse_board import SparseBoard, SparseBoardConfig, simulate_sparse_board
from runoff.simulation.system import System

__all__ = [
    "AssessorsConfig",
    "BestFound",
    "DuelConfig",
    "DuelTruth",
    "RankLaw",
    "SimulatedDuel",
    "SimulatedJudgments",
    "SimulatedRun",
    "SparseBoard",
    "SparseBoardConfig",
    "System",
    "best_found",
    "simulate_duel",
    "simulate_judgments",
    "simulate_sparse_board",
]
