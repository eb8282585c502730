"""Boards with a known truth, for the demo and for checking every verdict and interval."""

from __future__ import annotations

from runoff.simulation.simulated_run import RankLaw, SimulatedRun, System
from runoff.simulation.sparse_board import SparseBoard, SparseBoardConfig, simulate_sparse_board

__all__ = [
    "RankLaw",
    "SimulatedRun",
    "SparseBoard",
    "SparseBoardConfig",
    "System",
    "simulate_sparse_board",
]
