"""Effectiveness beside cost: a point per run, and the frontier of those that no cheaper run beats."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from runoff.display.charts._base import Chart
from runoff.display.charts._labels import fit, names_column, shorten, shown_name
from runoff.display.charts._spec import Place, Spec, first_free, layer, nominal, points, quantitative, text, tooltip
from runoff.errors import UsageError
from runoff.phrases import counted, listed

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
    frontiers    for each run, whether it is on the frontier of each cost alone
    frontier     whether each run is on the frontier of all costs together
    """

    name: ClassVar = "cost_frontier"
    description: ClassVar = "The mean of each run against its cost, and the runs that no cheaper run beats."
    subtitle: ClassVar = (
        "Lines join the runs that no other run beats on mean and cost; intervals of means are not shown"
    )

    runs: Sequence[tuple[str, float]]
    costs: Sequence[tuple[float, ...]]
    names: tuple[str, ...]
    frontiers: Sequence[tuple[bool, ...]]
    frontier: Sequence[bool]
    measure: str
    best_is_low: bool = False

    def __post_init__(self) -> None:
        if not self.runs or not self.names or any(len(row) != len(self.names) for row in self.costs):
            raise UsageError("no runs, no costs or too few of them; expected every cost of at least one run; give them")

    @property
    def _means(self) -> list[float]:
        """The means, a higher one better."""
        return [-mean if self.best_is_low else mean for _, mean in self.runs]

    @property
    def _kinds(self) -> list[str]:
        """What a run can be; with one cost there is no frontier but its own."""
        if len(self.names) == 1:
            return ["on the frontier", "beaten on both"]
        return ["on the frontier of this cost", "on that of all costs", "beaten on all"]

    def _kind(self, at: int, place: int) -> str:
        own, *others, beaten = self._kinds
        if self.frontiers[at][place]:
            return own
        return others[0] if others and self.frontier[at] else beaten

    def _steps(self, place: int) -> list[tuple[str, float, float]]:
        """Name, cost and mean of the frontier of one cost, from cheap to expensive."""
        steps = [
            (name, row[place], mean)
            for (name, mean), row, free in zip(self.runs, self.costs, self.frontiers, strict=True)
            if free[place]
        ]
        return sorted(steps, key=lambda step: (step[1], step[0]))

    @property
    def title(self) -> str:
        return f"What does {self.measure} cost? {' and '.join(self.names[:MOST_PANELS])}"

    def text_alternative(self) -> str:
        frontiers = [
            f"by {shown_name(name)}: {listed([shown_name(step[0]) for step in self._steps(place)], 5)}"
            for place, name in enumerate(self.names[:MOST_PANELS])
        ]
        best, mean = (min if self.best_is_low else max)(self.runs, key=lambda run: run[1])
        return (
            f"{shown_name(best)} has the best mean {self.measure} of {counted(len(self.runs), 'run')}, {mean:.4f}. "
            f"Runs that no other run beats on mean and cost are, {'; '.join(frontiers)}."
        )

    def text_lines(self, width: int) -> list[str]:
        """A line per run in the order of the means: a star on the frontier, the mean, the first cost."""
        order = sorted(range(len(self.runs)), key=lambda at: self.runs[at][1], reverse=not self.best_is_low)
        names = [shown_name(name) for name, _ in self.runs]
        column = max(names_column(names, width), 3)
        room = max(width - column - 24, 1)
        most = max(row[0] for row in self.costs) or 1.0
        lines = [fit(f"  {fit('Run', column)}  {'Mean':>6}  {shown_name(self.names[0])}", width).rstrip()]
        for at in order:
            cost, star = self.costs[at][0], "*" if self.frontiers[at][0] else " "
            bar = "▪" * round(room * cost / most)
            lines.append(f"{star} {fit(names[at], column)}  {self.runs[at][1]:>6.4f}  {cost:>10.4g}  {bar}".rstrip())
        return lines

    def text_notes(self) -> list[str]:
        return [f"* no other run is at least as good and as cheap in {shown_name(self.names[0])}, and better in one."]

    def view(self) -> Spec:
        """A panel per cost."""
        panels = [self._panel(place) for place in range(min(len(self.names), MOST_PANELS))]
        return {"vconcat": panels, "spacing": 20}

    def _panel(self, place: int) -> Spec:
        style, palette, kinds = self.style, self.style.palette, self._kinds
        colours = [palette.second, *([palette.accent] if len(kinds) > 2 else []), palette.neutral]
        steps = {name: order for order, (name, _, _) in enumerate(self._steps(place))}
        prices = [row[place] for row in self.costs]
        is_log = min(prices) > 0.0 and max(prices) / min(prices) > LOG_FROM
        width, height = style.sheet.width - style.sheet.font * 10, style.sheet.row * 12
        sides = self._sides(place, width, height, is_log=is_log)
        values = []
        for at, ((name, mean), cost) in enumerate(zip(self.runs, prices, strict=True)):
            drawn = {"label": self._short(name), "side": sides.get(name, ""), "step": steps.get(name)}
            values.append(
                {"name": shown_name(name), "mean": mean, "cost": cost, "kind": self._kind(at, place), **drawn}
            )
        values.sort(key=lambda row: kinds.index(str(row["kind"])), reverse=True)  # the frontier is drawn last
        x = quantitative("cost", shorten(shown_name(self.names[place]), 40), axis={"tickCount": 5, "format": ",~r"})
        x["scale"] = {"type": "log"} if is_log else {"zero": False, "nice": True}
        y = quantitative("mean", f"Mean {self.measure}", axis={"tickCount": 5})
        y["scale"] = {"zero": False, "nice": True, "reverse": self.best_is_low}
        columns = len(kinds) if style.size == "page" else 1
        legend = {"orient": "top", "direction": "horizontal", "columns": columns} if place == 0 else None
        colour = nominal("kind", scale={"domain": kinds, "range": colours}, legend=legend)
        tips = tooltip(("name", "Run"), ("mean", "Mean", ".4f"), ("cost", "Cost", ".4~g"), ("kind", "It is"))
        axes = {"x": x, "y": y}
        line = axes | {"order": {"field": "step", "type": "quantitative"}}
        font = style.sheet.font - 1
        names = [
            layer("text", axes | {"text": text()}, where=("side", side), align=align, dx=dx, dy=dy, fontSize=font)
            for side, align, dx, dy in (("left", "right", -6, -4), ("right", "left", 6, 9))
        ]
        return {
            "width": width,
            "height": height,
            "data": {"values": values},
            "layer": [
                layer("line", line, where=("kind", kinds[0]), color=palette.second, opacity=0.6),
                points(axes | {"color": colour, "tooltip": tips}, style, size=60),
                *names,
            ],
        }

    def _short(self, name: str) -> str:
        return shorten(shown_name(name), self.style.sheet.label // 2)

    def _sides(self, place: int, width: int, height: int, *, is_log: bool) -> dict[str, str]:
        """On which side of its point a run of the frontier has its name; those that have no room are left out.

        Above and left of the frontier there is no run, so that is tried first; the best mean is never left out.
        """
        font = self.style.sheet.font
        prices = [math.log10(row[place]) if is_log else row[place] for row in self.costs]
        low, high = (math.floor(min(prices)), math.ceil(max(prices))) if is_log else (min(prices), max(prices))
        means = self._means
        taken: list[Place] = []
        sides: dict[str, str] = {}
        for name, price, mean in reversed(self._steps(place)):
            across = ((math.log10(price) if is_log else price) - low) / ((high - low) or 1.0) * width
            good = -mean if self.best_is_low else mean
            up = (good - min(means)) / ((max(means) - min(means)) or 1.0) * height
            length = self.style.text_width(self._short(name)) + 6
            options = Place(across - length, across, up, "left"), Place(across, across + length, up - font, "right")
            if (side := first_free(options, taken, math.inf, font)) is not None:
                sides[name] = side.align
        return sides
