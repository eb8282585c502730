"""The order that all measures share: every list of a small depth above those that it must not score below."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from runoff.comparisons import AllSerpsResult
from runoff.display.charts._base import Chart
from runoff.display.charts._spec import Spec, layer, text, tooltip
from runoff.display.charts.relation_grid import check_drawable


@dataclass(frozen=True, eq=False)
class Hasse(Chart):
    """The Hasse diagram of all lists of k ranks: a line up is a better list, and none is between its ends.

    Lists of one height have the same number of steps from the worst; those that no way up joins are non-separable.
    Moffat & Mackenzie 2024, Figure 1, https://doi.org/10.1002/asi.24874
    """

    name: ClassVar = "hasse"
    description: ClassVar = "Which lists of a small depth every measure must place above which others."
    subtitle: ClassVar = (
        "1 is relevant, 0 is not, rank 1 first. Every way up leads to lists that no measure scores lower"
    )

    all_serps: AllSerpsResult

    def __post_init__(self) -> None:
        check_drawable(self.all_serps.depth)

    @property
    def title(self) -> str:
        return f"The order of the lists of {self.all_serps.depth} that all measures share"

    @cached_property
    def _levels(self) -> list[tuple[int, ...]]:
        """The places of the lists by their steps from the worst, each level in the order with the fewest crossings."""
        found = self.all_serps
        levels = [np.flatnonzero(found.steps == step).tolist() for step in range(int(found.steps.max()) + 1)]
        ways = [list(itertools.permutations(level)) for level in levels]
        # Lines join neighbouring levels only, so the best order of all levels is found step by step.
        costs, comes_from = [0] * len(ways[0]), [[0] * len(way) for way in ways]
        for at in range(1, len(ways)):
            totals = []
            for here, order in enumerate(ways[at]):
                options = [
                    cost + self._crossings(order, below) for cost, below in zip(costs, ways[at - 1], strict=True)
                ]
                comes_from[at][here] = options.index(min(options))
                totals.append(min(options))
            costs = totals
        here, chosen = costs.index(min(costs)), []
        for at in reversed(range(len(ways))):
            chosen.append(ways[at][here])
            here = comes_from[at][here]
        return chosen[::-1]

    def _crossings(self, above: Sequence[int], below: Sequence[int]) -> int:
        """How many pairs of lines between two levels cross."""
        covers = self.all_serps.covers
        lines = [(high, low) for high, up in enumerate(above) for low, down in enumerate(below) if covers[up, down]]
        return sum((a - c) * (b - d) < 0 for (a, b), (c, d) in itertools.combinations(lines, 2))

    def text_alternative(self) -> str:
        result = self.all_serps
        widest = max(self._levels, key=len)
        sentence = (
            f"{len(result.serps):,} lists of {result.depth} on {len(self._levels):,} levels, from {result.serps[0]} to "
            f"{result.serps[-1]}, joined by {int(result.covers.sum()):,} lines"
        )
        if len(widest) == 1:
            return f"{sentence}. Each level has one list: every two are ordered alike by all measures."
        first = next(level for level in self._levels if len(level) > 1)
        names = " and ".join(result.serps[place] for place in sorted(first))
        return f"{sentence}. The first level with several has {names}; the widest has {len(widest)} lists."

    def text_lines(self, width: int) -> list[str]:
        """A line per list, the best first: its level, and the lists just below it."""
        found = self.all_serps
        digits = len(str(len(self._levels) - 1))
        lines = []
        for step, level in reversed(list(enumerate(self._levels))):
            for at, place in enumerate(level):
                below = " ".join(found.serps[other] for other in np.flatnonzero(found.covers[place]).tolist()[::-1])
                number = f"{step:>{digits}}" if at == 0 else " " * digits
                lines.append(f"{number}  {found.serps[place]}{'  > ' if below else ''}{below}"[:width])
        return lines

    def text_notes(self) -> list[str]:
        """What the columns are."""
        return ["Steps from the worst list; the list; > the lists just below it."]

    def view(self) -> Spec:
        """Lists as boxes on their levels, joined by lines."""
        result, style, palette = self.all_serps, self.style, self.style.palette
        box = style.text_width("0" * result.depth) + style.sheet.font
        room = style.sheet.width - 4 * style.sheet.font - 2 * box
        apart = min(box * 1.7, room / max(max(map(len, self._levels)) - 1, 1))
        height = style.sheet.row * 1.75
        where = {
            place: ((at - (len(level) - 1) / 2) * apart, step)
            for step, level in enumerate(self._levels)
            for at, place in enumerate(level)
        }
        free = (result.relations == 2).sum(axis=1).tolist()
        part = 0.6 if style.size == "print" else 1.0
        # A box is named in data units, of which one is a pixel across and `height` pixels up.
        tall = (style.sheet.font + 6 * part) / height
        boxes = [
            {"list": result.serps[place], "x": x, "step": step, "free": free[place]}
            | {"left": x - box / 2, "right": x + box / 2, "low": step - tall / 2, "high": step + tall / 2}
            for place, (x, step) in sorted(where.items())
        ]
        lines = [
            {"x": where[up][0], "step": where[up][1], "x2": where[down][0], "step2": where[down][1]}
            | {"above": result.serps[up], "below": result.serps[down]}
            for up, down in np.argwhere(result.covers).tolist()
        ]
        half, top = max(abs(x) for x, _ in where.values()) + box, len(self._levels) - 1
        wide = {"type": "quantitative", "axis": None, "scale": {"domain": [-half, half], "nice": False}}
        high: Spec = {"type": "quantitative", "title": "Steps from the worst list"}
        high["scale"] = {"domain": [-0.5, top + 0.5], "nice": False}
        high["axis"] = {"tickCount": min(top + 1, 12), "tickMinStep": 1, "grid": False, "format": "d"}
        middle = {"x": {"field": "x", **wide}, "y": {"field": "step", **high}}
        edges = {"x": {"field": "left", **wide}, "x2": {"field": "right"}, "y": {"field": "low", **high}}
        tips = tooltip(("list", "List"), ("step", "Steps from the worst", None), ("free", "Non-separable from", None))
        frame: Spec = {"color": palette.band, "stroke": palette.second, "cornerRadius": 3, "strokeWidth": 1.2 * part}
        joined = middle | {"x2": {"field": "x2"}, "y2": {"field": "step2"}}
        return {
            "width": round(half * 2),
            "height": round(height * (top + 1)),
            "layer": [
                layer("rule", joined, lines, color=palette.soft, strokeWidth=1.2 * part),
                layer("rect", edges | {"y2": {"field": "high"}, "tooltip": tips}, boxes, **frame),
                layer("text", middle | {"text": text("list")}, boxes),
            ],
        }
