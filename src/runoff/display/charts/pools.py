"""Pools and samples of queries: how large pools are, and whether a sample represents all queries."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from runoff.display.charts._base import Chart, check_most, first_of
from runoff.display.charts._labels import fit, names_column, shorten, shown_name
from runoff.display.charts._spec import Place, Spec, first_free, layer, points, quantitative, text, tooltip
from runoff.display.grid import visible
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


MOST_NAMED: Final = 12
"""Points that are named, if they have room."""


@dataclass(frozen=True, eq=False)
class SampleCheck(Chart):
    """The score of every run on all queries against its score on a sample; on the diagonal both are the same.

    Arabzadeh et al. 2021, Figure 5, https://arxiv.org/abs/2109.00062

    runs         their names
    scores       float64, runs: the mean on all queries
    sampled      float64, runs: the mean on the sample
    queries      how many queries there are: in all, and in the sample
    measure      what the means are of
    most         how many runs are shown, the best ones on all queries
    """

    name: ClassVar = "sample_check"
    description: ClassVar = "Each run's score on all queries against its score on a sample of them."

    runs: Sequence[str]
    scores: NDArray[np.float64]
    sampled: NDArray[np.float64]
    queries: tuple[int, int]
    measure: str = "RR@10"
    most: int = 500

    def __post_init__(self) -> None:
        check_most(self.most)
        shape = (len(self.runs),)
        if not self.runs or self.scores.shape != shape or self.sampled.shape != shape:
            raise UsageError(
                f"{len(self.runs):,} runs with scores of shapes {self.scores.shape} and {self.sampled.shape}; expected "
                "one score per run on all queries and one on the sample, of at least one run"
            )

    @property
    def _places(self) -> list[int]:
        order: list[int] = np.argsort(-self.scores, kind="stable")[: self.most].tolist()
        return order

    @property
    def title(self) -> str:
        shown = first_of(len(self._places), len(self.runs), "runs", "best")
        return f"Does the sample represent all queries? {self.measure}{shown}"

    @property
    def subtitle(self) -> str:
        everything, sample = self.queries
        return f"{sample:,} of {everything:,} queries; on the line a run scores the same on both"

    def text_alternative(self) -> str:
        first, best = self._places[0], int(np.argmax(self.sampled))
        far = int(np.argmax(np.abs(self.sampled - self.scores)))
        order = np.argsort(-self.scores, kind="stable")
        swapped = int((np.diff(self.sampled[order]) > 0).sum())
        on_sample = f", {shown_name(self.runs[best])} on the sample ({self.sampled[best]:.4f})" if best != first else ""
        swaps = f"{counted(swapped, 'pair')} of neighbours {'changes' if swapped == 1 else 'change'} places"
        return (
            f"{visible(self.measure)} of {counted(len(self.runs), 'run')} on a sample of {self.queries[1]:,} of "
            f"{self.queries[0]:,} queries: {shown_name(self.runs[first])} is first on all ({self.scores[first]:.4f}; "
            f"{self.sampled[first]:.4f} on the sample){on_sample}. "
            f"{swaps if swapped else 'The order is the same on both'}; the largest difference is "
            f"{self.sampled[far] - self.scores[far]:+.4f}, of {shown_name(self.runs[far])}."
        )

    def text_lines(self, width: int) -> list[str]:
        names = [shown_name(self.runs[place]) for place in self._places]
        column = max(names_column(names, width), 3)
        lines = [f"{fit('Run', column)}  {'All':>6}  {'Sample':>6}  {'Δ':>7}"]
        for name, place in zip(names, self._places, strict=True):
            score, sampled = float(self.scores[place]), float(self.sampled[place])
            lines.append(f"{fit(name, column)}  {score:>6.4f}  {sampled:>6.4f}  {sampled - score:>+7.4f}")
        return lines

    def text_notes(self) -> list[str]:
        return [f"{self.subtitle}. Δ is the score on the sample minus that on all."]

    def view(self) -> Spec:
        """A point per run and the diagonal; names where there is room."""
        style, palette, places = self.style, self.style.palette, self._places
        both = np.concatenate([self.scores[places], self.sampled[places]])
        pad = max(float(both.max() - both.min()) * 0.05, 0.005)
        low, high = float(both.min()) - pad, float(both.max()) + pad
        side = round(style.sheet.width * (0.62 if style.size == "page" else 0.82))
        named = self._named(side, low, high)
        values: list[Spec] = []
        for place in places:
            score, sampled = float(self.scores[place]), float(self.sampled[place])
            label = named.get(place, Place(0, 0, 0))
            row: Spec = {
                "all": score,
                "sample": sampled,
                "difference": sampled - score,
                "name": shown_name(self.runs[place]),
            }
            values.append({**row, "label": label.label, "align": label.align})
        x: Spec = {"type": "quantitative", "title": f"{visible(self.measure)} on all {self.queries[0]:,} queries"}
        x["scale"] = {"domain": [low, high], "nice": False, "zero": False}
        x["axis"] = {"tickCount": 5, "format": ".2~f" if high - low > 0.05 else ".3~f"}
        y = {**x, "title": f"On the sample of {self.queries[1]:,}"}
        axes = {"x": {"field": "all", **x}, "y": {"field": "sample", **y}}
        tips = tooltip(
            ("name", "Run"),
            ("all", "All queries", ".4f"),
            ("sample", "Sample", ".4f"),
            ("difference", "Sample minus all", "+.4f"),
        )
        ends = [{"all": end, "sample": end} for end in (low, high)]
        font = style.sheet.font - 1
        names = [
            layer(
                "text",
                axes | {"text": text()},
                [row for row in values if row["align"] == align],
                align=align,
                dx=dx,
                fontSize=font,
            )
            for align, dx in (("left", 6), ("right", -6))
        ]
        return {
            "width": side,
            "height": side,
            "layer": [
                layer("line", axes, ends, color=palette.soft, strokeWidth=1, strokeDash=[5, 4]),
                points(axes | {"tooltip": tips}, style, values, 45, opacity=0.85, color=palette.second),
                *names,
            ],
        }

    def _named(self, side: int, low: float, high: float) -> dict[int, Place]:
        """The names that have room, each with its place: the best run first, then those farthest from the line."""
        places, style = self._places, self.style
        far = np.argsort(-np.abs(self.sampled[places] - self.scores[places]), kind="stable").tolist()
        across, up = ((values[places] - low) / (high - low) * side for values in (self.scores, self.sampled))
        taken = [Place(x - 4, x + 4, y) for x, y in zip(across.tolist(), up.tolist(), strict=True)]
        named: dict[int, Place] = {}
        for at in dict.fromkeys([0, *far]):
            label = shorten(shown_name(self.runs[places[at]]), style.sheet.label // 2)
            x, y, wide = float(across[at]), float(up[at]), style.text_width(label) + 10
            options = Place(x + 4.1, x + wide, y, "left", label), Place(x - wide, x - 4.1, y, "right", label)
            if (place := first_free(options, taken, side, style.sheet.font)) is not None:
                named[places[at]] = place
            if len(named) == MOST_NAMED:
                break
        return named
