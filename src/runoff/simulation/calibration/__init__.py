"""Calibration: whether runoff's own statements hold, on boards drawn from given data whose truth is known."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from runoff.simulation.calibration._base import Promise, Quantity, Seen, Settings
from runoff.simulation.calibration._source import Source
from runoff.simulation.calibration.certificates import Certificates
from runoff.simulation.calibration.detection import Detection
from runoff.simulation.calibration.difference_intervals import DifferenceIntervals
from runoff.simulation.calibration.evidence_table import EvidenceTable
from runoff.simulation.calibration.families import Families
from runoff.simulation.calibration.margins import Margins
from runoff.simulation.calibration.monitor import MonitorAlarms
from runoff.simulation.calibration.pair_verdicts import PairVerdicts
from runoff.simulation.calibration.possible_ranks import PossibleRanks
from runoff.simulation.calibration.records import FalseRecords
from runoff.simulation.calibration.redrawn_board import RedrawnBoard
from runoff.simulation.calibration.score_tests import ScoreTests
from runoff.simulation.calibration.simulated import CalibratedLine, CalibrationResult, simulate_calibration
from runoff.simulation.calibration.unequal_shapes import UnequalShapes
from runoff.simulation.calibration.winners import Winners

QUANTITIES: tuple[Quantity, ...] = (
    ScoreTests(),
    UnequalShapes(),
    Families(),
    Margins(),
    PairVerdicts(),
    EvidenceTable(),
    FalseRecords(),
    Certificates(),
    PossibleRanks(),
    Winners(),
    RedrawnBoard(),
    DifferenceIntervals(),
    Detection(),
    MonitorAlarms(),
)
"""Everything that is calibrated, in the order of display."""

QUANTITY_NAMES: tuple[str, ...] = tuple(one.name for one in QUANTITIES)
BY_NAME: Mapping[str, Quantity] = MappingProxyType({one.name: one for one in QUANTITIES})
"""Every name with its quantity."""

__all__ = [
    "BY_NAME",
    "CalibratedLine",
    "CalibrationResult",
    "Promise",
    "QUANTITIES",
    "QUANTITY_NAMES",
    "Quantity",
    "Seen",
    "Settings",
    "Source",
    "simulate_calibration",
]
