"""Charts of numeric results, and the ordered list of them."""

from __future__ import annotations

from typing import Final

from runoff.reports.charts._base import SUFFIXES, Chart, start_drawing
from runoff.reports.charts._style import SHEETS, Size, Style
from runoff.reports.charts.agreement_bars import AgreementBars, AgreementCase
from runoff.reports.charts.agreement_triangle import AgreementTriangle
from runoff.reports.charts.best_found import BestFoundLines
from runoff.reports.charts.break_even_curve import BreakEvenCurve
from runoff.reports.charts.conditions import Conditions
from runoff.reports.charts.cost_frontier import CostFrontier
from runoff.reports.charts.differences import Differences
from runoff.reports.charts.evidence_matrix import EvidenceMatrix
from runoff.reports.charts.half_splits import HalfSplits
from runoff.reports.charts.hasse import Hasse
from runoff.reports.charts.ipso_shares import IpsoShares, RelationShares
from runoff.reports.charts.ipso_strips import IpsoStrips
from runoff.reports.charts.label_impact import LabelImpact
from runoff.reports.charts.outcome_bars import OutcomeBars
from runoff.reports.charts.overfitting import Overfitting
from runoff.reports.charts.pool_sizes import PoolSizes
from runoff.reports.charts.promises import Promises
from runoff.reports.charts.rank_heat_map import RankHeatMap
from runoff.reports.charts.rank_intervals import RankIntervals
from runoff.reports.charts.relation_grid import RelationGrid
from runoff.reports.charts.relation_orders import RelationOrders
from runoff.reports.charts.sample_check import SampleCheck
from runoff.reports.charts.scale_values import ScaleValues
from runoff.reports.charts.timeline import Timeline
from runoff.reports.charts.unjudged import Unjudged
from runoff.reports.charts.verdict_matrix import VerdictMatrix
from runoff.reports.charts.win_ratio_matrix import WinRatioMatrix

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
