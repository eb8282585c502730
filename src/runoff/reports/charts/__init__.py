"""Charts of numeric results, and the ordered list of them."""

from __future__ import annotations

from typing import Final

from runoff.reports.charts._base import SUFFIXES, Chart
from runoff.reports.charts._style import SHEETS, Size, Style
from runoff.reports.charts.conditions import Conditions
from runoff.reports.charts.differences import Differences
from runoff.reports.charts.half_splits import HalfSplits
from runoff.reports.charts.ipso_strips import IpsoStrips
from runoff.reports.charts.outcome_bars import OutcomeBars
from runoff.reports.charts.overfitting import Overfitting
from runoff.reports.charts.rank_heat_map import RankHeatMap
from runoff.reports.charts.rank_intervals import RankIntervals
from runoff.reports.charts.scale_values import ScaleValues
from runoff.reports.charts.timeline import Timeline

__all__ = [
    "CHARTS",
    "Chart",
    "Conditions",
    "Differences",
    "HalfSplits",
    "IpsoStrips",
    "OutcomeBars",
    "Overfitting",
    "RankHeatMap",
    "RankIntervals",
    "SHEETS",
    "SUFFIXES",
    "ScaleValues",
    "Size",
    "Style",
    "Timeline",
]

CHARTS: Final[tuple[type[Chart], ...]] = (
    RankHeatMap,
    RankIntervals,
    Timeline,
    Conditions,
    OutcomeBars,
    HalfSplits,
    ScaleValues,
    IpsoStrips,
    Differences,
    Overfitting,
)
"""Every chart, in the order in which a report shows them."""
