"""Effectiveness beside cost: a point per run, and the frontier of those that no cheaper run beats."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final

from runoff.boards.frontier import frontier
from runoff.display.charts._base import Chart, Spec
from runoff.display.charts._labels import fit, listed, names_column, shorten, shown_name
from runoff.errors import UsageError

MOST_PANELS: Final = 3
LOG_FROM: Final = 20.0
"""Costs that span more than this are shown on a logarithmic scale."""


@dataclass(frozen=True, eq=False)
class CostFrontier(Chart):
    """The mean of every run against what it costs, a panel per cost, with the frontier of each.

    With several costs a run that is beaten on each of them may still be on the frontier of all together: no one run
    beats it on everything. Such runs have a colour of their own.

    runs         (name, mean) of each run
    costs        the costs of each run, in the order of `names`
    names        what the costs are called; the first three are drawn
    """

    name: ClassVar = "cost_frontier"
    description: ClassVar = "The mean of each run against its cost, and the runs that no cheaper run beats."

    runs: Sequence[tuple[str, float]]
    costs: Sequence[tuple[float, ...]]
    names: tuple[str, ...]
    measure: str
    best_is_low: bool = False

    def __post_init__(self) -> None:
        if not self.runs or not self.names or any(len(row) != len(self.names) for row in self.costs):
            raise UsageError("no runs, no costs or too few of them; expected every cost of at least one run; give them")

    @cached_property
    def _free(self) -> list[list[bool]]:
        """For each cost, whether each run is on its frontier."""
        sign = -1.0 if self.best_is_low else 1.0
        means = [sign * mean for _, mean in self.runs]
        return [frontier(means, prices).tolist() for prices in zip(*self.costs, strict=True)]

    @property
    def _kinds(self) -> list[str]:
        """What a run can be; where there is one cost there is no frontier beside its own."""
        if len(self.names) == 1:
            return ["on the frontier", "beaten on both"]
        return ["on the frontier of this cost", "on that of all costs", "beaten on all"]

    def _kind(self, at: int, place: int) -> str:
        own, *others, beaten = self._kinds
        if self._free[place][at]:
            return own
        return others[0] if others and self._all_free[at] else beaten

    @cached_property
    def _all_free(self) -> list[bool]:
        """Whether each run is on the frontier of all costs."""
        sign = -1.0 if self.best_is_low else 1.0
        free: list[bool] = frontier([sign * mean for _, mean in self.runs], *zip(*self.costs, strict=True)).tolist()
        return free

    def _steps(self, place: int) -> list[tuple[str, float, float]]:
        """Name, cost and mean of the frontier of one cost, from cheap to dear."""
        found = [
            (name, row[place], mean)
            for (name, mean), row, free in zip(self.runs, self.costs, self._free[place], strict=True)
            if free
        ]
        return sorted(found, key=lambda one: (one[1], one[0]))

    @property
    def title(self) -> str:
        """The measure and the costs."""
        return f"What does {self.measure} cost? {' and '.join(self.names[:MOST_PANELS])}"

    @property
    def subtitle(self) -> str:
        """How to read it."""
        return "Lines join the runs that no other run beats on mean and cost; intervals of means are not shown"

    def text_alternative(self) -> str:
        """The frontier of each cost, from cheap to dear."""
        said = [
            f"by {shown_name(name)}: {listed([step[0] for step in self._steps(place)])}"
            for place, name in enumerate(self.names[:MOST_PANELS])
        ]
        pick = min if self.best_is_low else max
        best, mean = pick(self.runs, key=lambda run: run[1])
        runs = f"{len(self.runs):,} {'run' if len(self.runs) == 1 else 'runs'}"
        return (
            f"{shown_name(best)} has the best mean {self.measure} of {runs}, {mean:.4f}. Those that no other run beats "
            f"on mean and cost are, {'; '.join(said)}."
        )

    def text_lines(self, width: int) -> list[str]:
        """A line per run in the order of the means: a star on the frontier, the mean, the first cost."""
        free = self._free[0]
        order = sorted(range(len(self.runs)), key=lambda at: self.runs[at][1], reverse=not self.best_is_low)
        names = [shown_name(name) for name, _ in self.runs]
        column = max(names_column(names, width), 3)
        room = max(width - column - 24, 1)
        most = max(row[0] for row in self.costs) or 1.0
        lines = [fit(f"  {fit('Run', column)}  {'Mean':>6}  {shown_name(self.names[0])}", width).rstrip()]
        for at in order:
            cost = self.costs[at][0]
            bar = "▪" * round(room * cost / most)
            star = "*" if free[at] else " "
            lines.append(f"{star} {fit(names[at], column)}  {self.runs[at][1]:>6.4f}  {cost:>10.4g}  {bar}".rstrip())
        return lines

    def text_notes(self) -> list[str]:
        """The star."""
        return [f"* no other run is at least as good and as cheap in {shown_name(self.names[0])}, and better in one."]

    def view(self) -> Spec:
        """A panel per cost."""
        panels = [self._panel(place) for place in range(min(len(self.names), MOST_PANELS))]
        return {"vconcat": panels, "spacing": 20}

    def _panel(self, place: int) -> Spec:
        style, palette = self.style, self.style.palette
        kinds = self._kinds
        columns = len(kinds) if style.size == "page" else 1
        colours = [palette.second, *([palette.accent] if len(kinds) > 2 else []), palette.neutral]
        steps = {name: order for order, (name, _, _) in enumerate(self._steps(place))}
        values = []
        prices = [row[place] for row in self.costs]
        least, most = min(prices), max(prices)
        is_log = least > 0.0 and most / least > LOG_FROM
        width, height = style.sheet.width - style.sheet.font * 10, style.sheet.row * 12
        sides = self._sides(place, width, height, is_log=is_log)
        for at, ((name, mean), row) in enumerate(zip(self.runs, self.costs, strict=True)):
            values.append({
                "name": shown_name(name), "label": self._short(name), "side": sides.get(name, ""),
                "mean": mean, "cost": row[place], "kind": self._kind(at, place), "step": steps.get(name),
            })  # fmt: skip
        values.sort(key=lambda one: kinds.index(str(one["kind"])), reverse=True)  # the frontier is drawn last
        x = {"field": "cost", "type": "quantitative", "title": shorten(shown_name(self.names[place]), 40),
             "scale": {"type": "log"} if is_log else {"zero": False, "nice": True},
             "axis": {"tickCount": 5, "format": "~g"}}  # fmt: skip
        y = {"field": "mean", "type": "quantitative", "title": f"Mean {self.measure}", "axis": {"tickCount": 5},
             "scale": {"zero": False, "nice": True, "reverse": self.best_is_low}}  # fmt: skip
        colour = {"field": "kind", "type": "nominal", "title": None,
                  "scale": {"domain": kinds, "range": colours},
                  "legend": {"orient": "top", "direction": "horizontal", "columns": columns}
                  if place == 0 else None}  # fmt: skip
        tooltip = [
            {"field": "name", "type": "nominal", "title": "Run"},
            {"field": "mean", "type": "quantitative", "title": "Mean", "format": ".4f"},
            {"field": "cost", "type": "quantitative", "title": "Cost", "format": ".4~g"},
            {"field": "kind", "type": "nominal", "title": "It is"},
        ]
        small = style.size == "print"
        free_only = [{"filter": {"field": "kind", "equal": kinds[0]}}]
        return {
            "width": width,
            "height": height,
            "data": {"values": values},
            "layer": [
                {"transform": free_only, "mark": {"type": "line", "color": palette.second, "opacity": 0.6},
                 "encoding": {"x": x, "y": y, "order": {"field": "step", "type": "quantitative"}}},
                {"mark": {"type": "point", "filled": True, "opacity": 1, "size": 20 if small else 60},
                 "encoding": {"x": x, "y": y, "color": colour, "tooltip": tooltip}},
                *({"transform": [{"filter": {"field": "side", "equal": side}}],
                   "mark": {"type": "text", "align": align, "dx": dx, "dy": dy, "fontSize": style.sheet.font - 1},
                   "encoding": {"x": x, "y": y, "text": {"field": "label", "type": "nominal"}}}
                  for side, align, dx, dy in (("left", "right", -6, -4), ("right", "left", 6, 9))),
            ],
        }  # fmt: skip

    def _short(self, name: str) -> str:
        return shorten(shown_name(name), self.style.sheet.label // 2)

    def _sides(self, place: int, width: int, height: int, *, is_log: bool) -> dict[str, str]:
        """On which side of its point a run of the frontier has its name; those that have no room are left out.

        Above and left of the frontier there is no run, so that is tried first; the best mean is never left out.
        """
        prices, means = [row[place] for row in self.costs], [mean for _, mean in self.runs]
        if is_log:
            prices = [math.log10(price) for price in prices]
        low, high = (math.floor(min(prices)), math.ceil(max(prices))) if is_log else (min(prices), max(prices))
        bottom, top = min(means), max(means)
        font = self.style.sheet.font
        taken: list[tuple[float, float, float]] = []
        sides: dict[str, str] = {}
        for name, price, mean in reversed(self._steps(place)):
            across = ((math.log10(price) if is_log else price) - low) / ((high - low) or 1.0) * width
            up = (mean - bottom) / ((top - bottom) or 1.0) * height * (-1 if self.best_is_low else 1)
            length = self.style.text_width(self._short(name)) + 6
            for side, left, level in (("left", across - length, up), ("right", across, up - font)):
                if left < 0 or any(
                    abs(level - other) < font and left < end and left + length > start for other, start, end in taken
                ):
                    continue
                taken.append((level, left, left + length))
                sides[name] = side
                break
        return sides
