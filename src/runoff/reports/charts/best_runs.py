"""Who could be best: each run against the best of the others, with an interval for all runs at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from runoff.boards.best_set import BestSetResult
from runoff.reports.charts._base import Chart, Spec, best_of, check_most
from runoff.reports.charts._labels import fit, listed, names_column, short_labels, shown_name
from runoff.reports.tracks import track


@dataclass(frozen=True, eq=False)
class BestRuns(Chart):
    """The mean of every run minus that of the best other run; an interval that ends below 0 shows that it is not best.

    Hsu 1996, Multiple comparisons, chapter 4 (multiple comparisons with the best), ISBN 978-0-412-98281-1

    most  how many runs are shown, the best ones
    """

    name: ClassVar = "best_runs"
    description: ClassVar = "The lead of each run over the best of the others, and which runs could be best."

    best: BestSetResult
    most: int = 40

    def __post_init__(self) -> None:
        check_most(self.most)

    @cached_property
    def _leads(self) -> NDArray[np.float64]:
        """Runs x 3: the low end, the lead over the best other run, and the high end."""
        found, count = self.best, len(self.best.runs)
        others = ~np.eye(count, dtype=np.bool_)
        wide = found.critical * found.errors
        parts = [found.differences - wide, found.differences, found.differences + wide]
        if count == 1:
            return np.zeros((1, 3))
        return np.column_stack([np.where(others, part, np.inf).min(axis=1) for part in parts])

    @cached_property
    def _places(self) -> tuple[int, ...]:
        order = np.argsort(-self._leads[:, 1], kind="stable")
        return tuple(order[: self.most].tolist())

    @property
    def title(self) -> str:
        """The measure, and how many runs are shown."""
        return f"Which runs could be best? {self.best.measure}{best_of(len(self._places), len(self.best.runs))}"

    @property
    def subtitle(self) -> str:
        """The level, the samples and the queries."""
        found = self.best
        return (
            f"Lead over the best other run; intervals for all pairs at once, {found.level:.0%}, from {found.trials:,} "
            f"bootstrap samples of {found.queries:,} queries"
        )

    def text_alternative(self) -> str:
        """The runs that could be best."""
        found = self.best
        runs = f"{len(found.runs):,} {'run' if len(found.runs) == 1 else 'runs'}"
        return (
            f"Of {runs}, {len(found.best):,} could be the best with {found.level:.0%} confidence: {listed(found.best)}."
        )

    def text_lines(self, width: int) -> list[str]:
        """Name, lead and interval, a line per run; a star for those that could be best."""
        names = [shown_name(self.best.runs[place]) for place in self._places]
        column = max(names_column(names, width), 3)
        room = max(width - column - 13, 1)
        lines = []
        for name, place in zip(names, self._places, strict=True):
            low, lead, high = self._leads[place].tolist()
            star = "*" if self.best.could_be_best[place] else " "
            drawn = track(low, lead, high, span=self._span, width=room)
            lines.append(f"{star} {fit(name, column)}  {lead:>+7.4f}  {drawn}".rstrip())
        return [f"  {fit('Run', column)}  {'Lead':>7}", *lines]

    def text_notes(self) -> list[str]:
        """The star, and the ends of the scale."""
        low, high = self._span
        return [f"* could be the best. The scale is from {low:+.4f} to {high:+.4f}."]

    @property
    def _span(self) -> tuple[float, float]:
        shown = self._leads[list(self._places)]
        return float(min(shown[:, 0].min(), 0.0)), float(max(shown[:, 2].max(), 0.0))

    def view(self) -> Spec:
        """A rule and a point per run, and the line of no lead."""
        style, palette = self.style, self.style.palette
        names = [self.best.runs[place] for place in self._places]
        labels = short_labels(names, style.sheet.label)
        values = []
        for label, name, place in zip(labels, names, self._places, strict=True):
            low, lead, high = self._leads[place].tolist()
            kind = "could be best" if self.best.could_be_best[place] else "shown not to be"
            values.append({"run": label, "name": shown_name(name), "low": low, "lead": lead, "high": high,
                           "kind": kind})  # fmt: skip
        y = {"field": "run", "type": "nominal", "title": None, "scale": {"domain": list(labels)}}
        x = {"type": "quantitative", "title": "Lead over the best other run",
             "axis": {"format": "+.3~f", "tickCount": 5},
             "scale": {"zero": True, "nice": False, "padding": 8}}  # fmt: skip
        kinds = ["could be best", "shown not to be"]
        colour = {"field": "kind", "type": "nominal", "title": None,
                  "scale": {"domain": kinds, "range": [palette.second, palette.neutral]},
                  "legend": {"orient": "top", "direction": "horizontal", "symbolType": "circle"}}  # fmt: skip
        tooltip = [
            {"field": "name", "type": "nominal", "title": "Run"},
            {"field": "kind", "type": "nominal", "title": "It"},
            *({"field": field, "type": "quantitative", "title": title, "format": "+.4f"}
              for field, title in (("lead", "Lead"), ("low", "from"), ("high", "to"))),
        ]  # fmt: skip
        small = style.size == "print"
        return {
            "width": style.plot_width(*labels),
            "height": style.row_height(len(values)) * len(values),
            "data": {"values": values},
            "layer": [
                {"data": {"values": [{}]}, "mark": {"type": "rule", "color": palette.soft, "strokeDash": [3, 3]},
                 "encoding": {"x": {**x, "datum": 0}}},
                {"mark": {"type": "rule", "strokeWidth": 1.2 if small else 2},
                 "encoding": {"y": y, "x": {"field": "low", **x}, "x2": {"field": "high"}, "color": colour,
                              "tooltip": tooltip}},
                {"mark": {"type": "point", "filled": True, "opacity": 1, "size": 16 if small else 50},
                 "encoding": {"y": y, "x": {"field": "lead", **x}, "color": colour, "tooltip": tooltip}},
            ],
        }  # fmt: skip
