"""How many documents the pools of the queries hold: a histogram."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from runoff.display.charts._base import Chart, Spec
from runoff.errors import UsageError

MOST_BARS: Final = 40
"""With more sizes than this, neighbours share a bar."""


@dataclass(frozen=True, eq=False)
class PoolSizes(Chart):
    """How many queries have a pool of each size.

    Arabzadeh et al. 2021, Figure 4, https://arxiv.org/abs/2109.00062

    sizes  the number of documents in the pool of each query
    """

    name: ClassVar = "pool_sizes"
    description: ClassVar = "How many queries have a pool of how many documents."

    sizes: Sequence[int]

    def __post_init__(self) -> None:
        if not self.sizes or min(self.sizes) < 0:
            raise UsageError("there are no sizes of pools to show; expected one of 0 or more for each query")

    @property
    def title(self) -> str:
        """What is asked."""
        return "How large are the pools?"

    @property
    def subtitle(self) -> str:
        """Queries, mean, median and pairs."""
        mean, median = statistics.fmean(self.sizes), statistics.median(self.sizes)
        pairs = sum(size * (size - 1) // 2 for size in self.sizes)
        return f"{_queries(len(self.sizes))}; mean {mean:.2f}, median {median:g}; {pairs:,} pairs"

    def _bars(self) -> list[tuple[int, int, int]]:
        """The first and the last size of each bar, and its queries."""
        low, high = min(self.sizes), max(self.sizes)
        step = math.ceil((high - low + 1) / MOST_BARS)
        counts = Counter((size - low) // step for size in self.sizes)
        return [
            (low + at * step, min(low + (at + 1) * step - 1, high), counts[at])
            for at in range((high - low) // step + 1)
        ]

    def text_alternative(self) -> str:
        """The range, the middle and the most frequent size."""
        usual = max(self._bars(), key=lambda bar: bar[2])
        return (
            f"Pools of {_queries(len(self.sizes))} hold {min(self.sizes):,} to {max(self.sizes):,} documents, "
            f"{statistics.fmean(self.sizes):.2f} in the mean and {statistics.median(self.sizes):g} in the median; most "
            f"frequent is {_words(usual)}, for {_queries(usual[2])}."
        )

    def text_lines(self, width: int) -> list[str]:
        """A bar per size."""
        bars = self._bars()
        column = max(len(_words(bar)) for bar in bars)
        digits = max(len(f"{bar[2]:,}") for bar in bars)
        room = max(width - column - digits - 4, 1)
        most = max(bar[2] for bar in bars)
        return [
            f"{_words(bar):>{column}}  {bar[2]:>{digits},}  {'█' * math.ceil(bar[2] / most * room)}".rstrip()
            for bar in bars
        ]

    def text_notes(self) -> list[str]:
        """Queries, mean, median and pairs."""
        return [f"{self.subtitle}."]

    def view(self) -> Spec:
        """Bars, and a dashed line at the mean."""
        style, palette = self.style, self.style.palette
        bars = self._bars()
        values = [{"from": bar[0] - 0.5, "to": bar[1] + 0.5, "size": _words(bar), "queries": bar[2]} for bar in bars]
        x = {"type": "quantitative", "title": "Documents in the pool",
             "scale": {"domain": [bars[0][0] - 0.5, bars[-1][1] + 0.5], "nice": False},
             "axis": {"grid": False, "values": _whole_ticks(bars[0][0], bars[-1][1], 15), "format": "d"}}  # fmt: skip
        y = {"field": "queries", "type": "quantitative", "title": "Queries",
             "axis": {"values": _whole_ticks(0, max(bar[2] for bar in bars), 6), "format": ",d"}}  # fmt: skip
        width = min(
            style.sheet.width - 5 * style.sheet.font, max(len(bars) * 3 * style.sheet.row, style.sheet.width // 2)
        )
        return {
            "width": width,
            "height": round(style.sheet.width * 0.35),
            "layer": [
                {
                    "data": {"values": values},
                    "mark": {"type": "bar", "color": palette.second, "stroke": palette.paper, "strokeWidth": 1},
                    "encoding": {
                        "x": {"field": "from", **x}, "x2": {"field": "to"}, "y": y, "y2": {"datum": 0},
                        "tooltip": [{"field": "size", "type": "nominal", "title": "Documents"},
                                    {"field": "queries", "type": "quantitative", "title": "Queries", "format": ","}],
                    },
                },
                {
                    "data": {"values": [{"mean": statistics.fmean(self.sizes)}]},
                    "mark": {"type": "rule", "color": palette.accent, "strokeDash": [5, 4], "strokeWidth": 2},
                    "encoding": {"x": {"field": "mean", **x},
                                 "tooltip": [{"field": "mean", "type": "quantitative", "title": "Mean",
                                              "format": ".2f"}]},
                },
            ],
        }  # fmt: skip


def _words(bar: tuple[int, int, int]) -> str:
    return f"{bar[0]:,}" if bar[0] == bar[1] else f"{bar[0]:,} to {bar[1]:,}"


def _queries(count: int) -> str:
    return f"{count:,} {'query' if count == 1 else 'queries'}"


def _whole_ticks(low: int, high: int, most: int) -> list[int]:
    """Whole numbers for an axis, in round steps and about as many as `most`.

    >>> _whole_ticks(0, 1, 6), _whole_ticks(2, 31, 15)
    ([0, 1], [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30])
    """
    steps = (step * 10**power for power in range(10) for step in (1, 2, 5))
    step = next(step for step in steps if (high - low) / step <= most)
    return list(range(-(-low // step) * step, high + 1, step))
