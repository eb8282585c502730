"""How many documents the pools of the queries hold: a histogram."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from runoff.display.charts._base import Chart
from runoff.display.charts._spec import Spec, layer, quantitative, tooltip
from runoff.errors import UsageError
from runoff.phrases import counted

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
    title: ClassVar = "How large are the pools?"

    sizes: Sequence[int]

    def __post_init__(self) -> None:
        if not self.sizes or min(self.sizes) < 0:
            raise UsageError("there are no sizes of pools to show; expected a whole number from 0 for each query")

    @property
    def subtitle(self) -> str:
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
        usual = max(self._bars(), key=lambda bar: bar[2])
        return (
            f"Pools of {_queries(len(self.sizes))} hold {min(self.sizes):,} to {max(self.sizes):,} documents, "
            f"{statistics.fmean(self.sizes):.2f} on average, with a median of {statistics.median(self.sizes):g}. The "
            f"most frequent size is {_words(usual)}, for {_queries(usual[2])}."
        )

    def text_lines(self, width: int) -> list[str]:
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
        return [f"{self.subtitle}."]

    def view(self) -> Spec:
        """Bars, and a dashed line at the mean."""
        style, palette, bars = self.style, self.style.palette, self._bars()
        values = [
            {"from": low - 0.5, "to": high + 0.5, "size": _words((low, high, queries)), "queries": queries}
            for low, high, queries in bars
        ]
        low, high = bars[0][0], bars[-1][1]
        x: Spec = {"type": "quantitative", "title": "Documents in the pool"}
        x["scale"] = {"domain": [low - 0.5, high + 0.5], "nice": False}
        x["axis"] = {"grid": False, "values": _whole_ticks(low, high, 15), "format": "d"}
        ticks = _whole_ticks(0, max(bar[2] for bar in bars), 6)
        y = quantitative("queries", "Queries", axis={"values": ticks, "format": ",d"})
        tips = tooltip(("size", "Documents"), ("queries", "Queries", ","))
        encoding = {"x": {"field": "from", **x}, "x2": {"field": "to"}, "y": y, "y2": {"datum": 0}, "tooltip": tips}
        mean = {"x": {"field": "mean", **x}, "tooltip": tooltip(("mean", "Mean", ".2f"))}
        half = max(len(bars) * 3 * style.sheet.row, style.sheet.width // 2)
        return {
            "width": min(style.sheet.width - 5 * style.sheet.font, half),
            "height": round(style.sheet.width * 0.35),
            "layer": [
                layer("bar", encoding, values, color=palette.second, stroke=palette.paper, strokeWidth=1),
                layer(
                    "rule",
                    mean,
                    [{"mean": statistics.fmean(self.sizes)}],
                    color=palette.accent,
                    strokeDash=[5, 4],
                    strokeWidth=2,
                ),
            ],
        }


def _words(bar: tuple[int, int, int]) -> str:
    return f"{bar[0]:,}" if bar[0] == bar[1] else f"{bar[0]:,} to {bar[1]:,}"


def _queries(count: int) -> str:
    return counted(count, "query", "queries")


def _whole_ticks(low: int, high: int, most: int) -> list[int]:
    """Whole numbers for an axis, in round steps and about as many as `most`.

    >>> _whole_ticks(0, 1, 6), _whole_ticks(2, 31, 15)
    ([0, 1], [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30])
    """
    steps = (step * 10**power for power in range(10) for step in (1, 2, 5))
    step = next(step for step in steps if (high - low) / step <= most)
    return list(range(-(-low // step) * step, high + 1, step))
