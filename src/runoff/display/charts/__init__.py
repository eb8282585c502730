"""Charts of numeric results, and the ordered list of them."""

from __future__ import annotations

from typing import Final

from runoff.display.charts._base import SUFFIXES, Chart, DrawableChart, start_drawing
from runoff.display.charts._style import SHEETS, Size, Style
from runoff.display.charts.break_even_curve import BreakEvenCurve
from runoff.display.charts.generalization import Conditions, Overfitting
from runoff.display.charts.ipso_agreement import (
    AgreementBars,
    AgreementCase,
    AgreementTriangle,
    IpsoShares,
    RelationShares,
)
from runoff.display.charts.ipso_strips import IpsoStrips
from runoff.display.charts.means import CostFrontier, Timeline
from runoff.display.charts.pools import PoolSizes, SampleCheck, Unjudged
from runoff.display.charts.preferences import LabelImpact, WinRatioMatrix
from runoff.display.charts.ranks import RankHeatMap, RankIntervals
from runoff.display.charts.relations import Hasse, RelationGrid, RelationOrders
from runoff.display.charts.reliability import HalfSplits, Promises
from runoff.display.charts.scale_values import ScaleValues
from runoff.display.charts.two_runs import Differences, OutcomeBars
from runoff.display.charts.verdicts import EvidenceMatrix, VerdictMatrix

__all__ = [
    "AgreementBars",
    "AgreementCase",
    "AgreementTriangle",
    "BreakEvenCurve",
    "CHARTS",
    "Chart",
    "Conditions",
    "CostFrontier",
    "Differences",
    "DrawableChart",
    "EvidenceMatrix",
    "HalfSplits",
    "Hasse",
    "IpsoShares",
    "IpsoStrips",
    "LabelImpact",
    "OutcomeBars",
    "Overfitting",
    "PoolSizes",
    "Promises",
    "RankHeatMap",
    "RankIntervals",
    "RelationGrid",
    "RelationOrders",
    "RelationShares",
    "SHEETS",
    "SUFFIXES",
    "SampleCheck",
    "ScaleValues",
    "Size",
    "Style",
    "Timeline",
    "Unjudged",
    "VerdictMatrix",
    "WinRatioMatrix",
    "start_drawing",
]

CHARTS: Final[tuple[type[Chart], ...]] = (
    RankHeatMap,
    RankIntervals,
    Timeline,
    Conditions,
    OutcomeBars,
    BreakEvenCurve,
    HalfSplits,
    ScaleValues,
    IpsoStrips,
    Differences,
    Overfitting,
    VerdictMatrix,
    Unjudged,
    AgreementBars,
    AgreementTriangle,
    IpsoShares,
    RelationGrid,
    RelationOrders,
    Hasse,
    WinRatioMatrix,
    LabelImpact,
    PoolSizes,
    SampleCheck,
    EvidenceMatrix,
    CostFrontier,
    Promises,
)
"""Every chart, in the order in which a report shows them."""
