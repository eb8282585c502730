"""Calibration: whether runoff's own statements hold, on boards drawn from given data whose truth is known."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from runoff.simulation.calibration._base import Promise, Quantity, Seen, Settings
from runoff.simulation.calibration._source import Source
from runoff.simulation.calibration.boards import (
    Certificates,
    FalseRecords,
    Families,
    MonitorAlarms,
    PossibleRanks,
    RedrawnBoard,
    Winners,
)
from runoff.simulation.calibration.pairs import (
    Detection,
    DifferenceIntervals,
    EvidenceTable,
    Margins,
    PairVerdicts,
    ScoreTests,
    UnequalShapes,
)
from runoff.simulation.calibration.simulated import CalibratedLine, CalibrationResult, simulate_calibration

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

QUANTITY_NAMES: tuple[str, ...] = tuple(quantity.name for quantity in QUANTITIES)
BY_NAME: Mapping[str, Quantity] = MappingProxyType({quantity.name: quantity for quantity in QUANTITIES})
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
