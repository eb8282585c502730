"""Boards with a known truth, for the demo and for checking every verdict and interval."""

from __future__ import annotations

from runoff.simulation.rank_law import RankLaw
from runoff.simulation.simulated_run import SimulatedRun
from runoff.simulation.sparse_board import SparseBoard, SparseBoardConfig, simulate_sparse_board
from runoff.simulation.system import System

__all__ = [
    "RankLaw",
    "SimulatedRun",
    "SparseBoard",
    "SparseBoardConfig",
    "System",
    "simulate_sparse_board",
]
