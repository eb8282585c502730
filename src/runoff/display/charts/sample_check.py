"""Whether a sample of the queries stands for all of them: each run's score on both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from runoff.display.cells import visible
from runoff.display.charts._base import Chart, Spec, best_of, check_most
from runoff.display.charts._labels import fit, names_column, shorten, shown_name
from runoff.errors import UsageError

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
                "one score per run on all queries and one on the sample, of one run at least"
            )

    @property
    def _places(self) -> list[int]:
        order: list[int] = np.argsort(-self.scores, kind="stable")[: self.most].tolist()
        return order

    @property
    def title(self) -> str:
        """The measure, and how many runs are shown."""
        return f"Does the sample stand for all queries? {self.measure}{best_of(len(self._places), len(self.runs))}"

    @property
    def subtitle(self) -> str:
        """The sizes."""
        everything, sample = self.queries
        return f"{sample:,} of {everything:,} queries; on the line a run scores the same on both"

    def text_alternative(self) -> str:
        """The best run on each, the run that is farthest from the line, and whether the order stays."""
        first, best = self._places[0], int(np.argmax(self.sampled))
        far = int(np.argmax(np.abs(self.sampled - self.scores)))
        order = np.argsort(-self.scores, kind="stable")
        swapped = int((np.diff(self.sampled[order]) > 0).sum())
        said = (
            f"{visible(self.measure)} of {len(self.runs):,} {'run' if len(self.runs) == 1 else 'runs'} on a sample of "
            f"{self.queries[1]:,} of {self.queries[0]:,} queries: {shown_name(self.runs[first])} is first on all "
            f"({self.scores[first]:.4f}; {self.sampled[first]:.4f} on the sample)"
        )
        if best != first:
            said += f", {shown_name(self.runs[best])} on the sample ({self.sampled[best]:.4f})"
        same = "The order is the same on both" if not swapped else _swaps(swapped)
        return (
            f"{said}. {same}; the largest difference is {self.sampled[far] - self.scores[far]:+.4f}, of "
            f"{shown_name(self.runs[far])}."
        )

    def text_lines(self, width: int) -> list[str]:
        """A line per run: both scores and their difference."""
        names = [shown_name(self.runs[place]) for place in self._places]
        column = max(names_column(names, width), 3)
        lines = [f"{fit('Run', column)}  {'All':>6}  {'Sample':>6}  {'Δ':>7}"]
        for name, place in zip(names, self._places, strict=True):
            one, other = float(self.scores[place]), float(self.sampled[place])
            lines.append(f"{fit(name, column)}  {one:>6.4f}  {other:>6.4f}  {other - one:>+7.4f}")
        return lines

    def text_notes(self) -> list[str]:
        """What Δ is."""
        return [f"{self.subtitle}. Δ is the score on the sample less that on all."]

    def view(self) -> Spec:
        """A point per run and the diagonal; names where there is room."""
        style, palette = self.style, self.style.palette
        places = self._places
        both = np.concatenate([self.scores[places], self.sampled[places]])
        pad = max(float(both.max() - both.min()) * 0.05, 0.005)
        low, high = float(both.min()) - pad, float(both.max()) + pad
        side = round(style.sheet.width * (0.62 if style.size == "page" else 0.82))
        named = self._named(side, low, high)
        values = [
            {"name": shown_name(self.runs[place]), "all": float(self.scores[place]),
             "sample": float(self.sampled[place]), "difference": float(self.sampled[place] - self.scores[place]),
             "label": named.get(place, ("", ""))[0], "align": named.get(place, ("", ""))[1]}
            for place in places
        ]  # fmt: skip
        scale = {"domain": [low, high], "nice": False, "zero": False}
        axis = {"tickCount": 5, "format": ".2~f" if high - low > 0.05 else ".3~f"}
        x = {"type": "quantitative", "title": f"{visible(self.measure)} on all {self.queries[0]:,} queries",
             "scale": scale, "axis": axis}  # fmt: skip
        y = {**x, "title": f"On the sample of {self.queries[1]:,}"}
        tooltip = [
            {"field": "name", "type": "nominal", "title": "Run"},
            {"field": "all", "type": "quantitative", "title": "All queries", "format": ".4f"},
            {"field": "sample", "type": "quantitative", "title": "Sample", "format": ".4f"},
            {"field": "difference", "type": "quantitative", "title": "Sample less all", "format": "+.4f"},
        ]
        points = {"x": {"field": "all", **x}, "y": {"field": "sample", **y}}
        names = [
            {
                "data": {"values": [row for row in values if row["align"] == align]},
                "mark": {"type": "text", "align": align, "dx": dx, "fontSize": style.sheet.font - 1},
                "encoding": {**points, "text": {"field": "label", "type": "nominal"}},
            }
            for align, dx in (("left", 6), ("right", -6))
        ]
        return {
            "width": side,
            "height": side,
            "layer": [
                {
                    "data": {"values": [{"all": low, "sample": low}, {"all": high, "sample": high}]},
                    "mark": {"type": "line", "color": palette.soft, "strokeWidth": 1, "strokeDash": [5, 4]},
                    "encoding": points,
                },
                {
                    "data": {"values": values},
                    "mark": {"type": "point", "filled": True, "opacity": 0.85, "color": palette.second,
                             "size": 45 if style.size != "print" else 16},
                    "encoding": {**points, "tooltip": tooltip},
                },
                *names,
            ],
        }  # fmt: skip

    def _named(self, side: int, low: float, high: float) -> dict[int, tuple[str, str]]:
        """The names that have room, each with its side: the best run first, then those farthest from the line."""
        places, style = self._places, self.style
        far = np.argsort(-np.abs(self.sampled[places] - self.scores[places]), kind="stable").tolist()
        across, up = ((values[places] - low) / (high - low) * side for values in (self.scores, self.sampled))
        height = style.sheet.font
        taken = [(x - 4, x + 4, y) for x, y in zip(across.tolist(), up.tolist(), strict=True)]
        named: dict[int, tuple[str, str]] = {}
        for at in dict.fromkeys([0, *far]):
            label = shorten(shown_name(self.runs[places[at]]), style.sheet.label // 2)
            x, y, wide = float(across[at]), float(up[at]), style.text_width(label) + 10
            for align, left, right in (("left", x + 4.1, x + wide), ("right", x - wide, x - 4.1)):
                is_free = all(one >= right or two <= left or abs(y - other) >= height for one, two, other in taken)
                if is_free and left >= 0 and right <= side:
                    named[places[at]] = label, align
                    taken.append((left, right, y))
                    break
            if len(named) == MOST_NAMED:
                break
        return named


def _swaps(count: int) -> str:
    return "1 pair of neighbours changes places" if count == 1 else f"{count:,} pairs of neighbours change places"
