"""Charts of numeric results, and the ordered list of them."""

from __future__ import annotations

from typing import Final

from runoff.display.charts._base import SUFFIXES, Chart, DrawableChart, start_drawing
from runoff.display.charts._style import SHEETS, Size, Style
from runoff.display.charts.agreement_bars import AgreementBars, AgreementCase
from runoff.display.charts.agreement_triangle import AgreementTriangle
from runoff.display.charts.best_found import BestFoundLines
from runoff.display.charts.break_even_curve import BreakEvenCurve
from runoff.display.charts.conditions import Conditions
from runoff.display.charts.cost_frontier import CostFrontier
from runoff.display.charts.differences import Differences
from runoff.display.charts.evidence_matrix import EvidenceMatrix
from runoff.display.charts.half_splits import HalfSplits
from runoff.display.charts.hasse import Hasse
from runoff.display.charts.ipso_shares import IpsoShares, RelationShares
from runoff.display.charts.ipso_strips import IpsoStrips
from runoff.display.charts.label_impact import LabelImpact
from runoff.display.charts.outcome_bars import OutcomeBars
from runoff.display.charts.overfitting import Overfitting
from runoff.display.charts.pool_sizes import PoolSizes
from runoff.display.charts.promises import Promises
from runoff.display.charts.rank_heat_map import RankHeatMap
from runoff.display.charts.rank_intervals import RankIntervals
from runoff.display.charts.relation_grid import RelationGrid
from runoff.display.charts.relation_orders import RelationOrders
from runoff.display.charts.sample_check import SampleCheck
from runoff.display.charts.scale_values import ScaleValues
from runoff.display.charts.timeline import Timeline
from runoff.display.charts.unjudged import Unjudged
from runoff.display.charts.verdict_matrix import VerdictMatrix
from runoff.display.charts.win_ratio_matrix import WinRatioMatrix

__all__ = [
    "AgreementBars",
    "AgreementCase",
    "AgreementTriangle",
    "BestFoundLines",
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
    BestFoundLines,
    EvidenceMatrix,
    CostFrontier,
    Promises,
)
"""Every chart, in the order in which a report shows them."""
