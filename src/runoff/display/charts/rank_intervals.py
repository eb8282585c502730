"""Means with their 95% intervals and the possible ranks of every run, in groups."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from runoff.boards.rank_sets import RankSetsResult
from runoff.boards.stability import StabilityResult
from runoff.display.charts._base import Chart, Spec, best_of, check_most, number
from runoff.display.charts._labels import fit, listed, names_column, short_labels, shown_name
from runoff.display.tracks import track


@dataclass(frozen=True, eq=False)
class RankIntervals(Chart):
    """The mean of every run with its 95% interval over bootstrap samples, and the ranks that it could have.

    Possible ranks are right for all runs at once, so runs whose ranks start at 1 could be the best; these are blue.
    Runs on one band of the background are one group: none of them is shown to be worse than the first of it.

    most  how many runs are shown, the best ones
    """

    name: ClassVar = "rank_intervals"
    description: ClassVar = "The mean of each run with its 95% interval, the ranks that it could have, and groups."

    stability: StabilityResult
    decisions: RankSetsResult
    most: int = 60

    def __post_init__(self) -> None:
        check_most(self.most)

    @property
    def title(self) -> str:
        """The measure, and how many runs are shown."""
        return f"Which runs differ? {self.stability.measure}{best_of(len(self._places), self._runs)}"

    @property
    def subtitle(self) -> str:
        """Trials and queries."""
        found = self.stability
        return (
            f"95% intervals of means over {found.trials:,} bootstrap samples of {found.queries:,} queries; possible "
            f"ranks with {1 - self.decisions.alpha:.0%} confidence for all runs together; blue: could be the best; "
            "bands: groups"
        )

    @cached_property
    def _groups(self) -> NDArray[np.int64]:
        return self.decisions.groups(self.stability.order)

    @property
    def _runs(self) -> int:
        return len(self.stability.runs)

    @property
    def _places(self) -> tuple[int, ...]:
        return self.stability.order[: self.most]

    def text_alternative(self) -> str:
        """Who leads, its intervals, and who is not shown to be worse."""
        found, groups = self.stability, self._groups
        first = found.order[0]
        (low, high), (top, bottom) = found.mean_ci95[first].tolist(), self.decisions.rank_sets[first].tolist()
        mean = f"a mean {found.measure} of {found.means[first]:.4f} (95% interval {low:.4f} to {high:.4f}"
        if self._runs == 1:
            return f"{shown_name(found.runs[first])} is the only run, with {mean})."
        ranks = f"possible rank {top}" if top == bottom else f"possible ranks {top} to {bottom}"
        group = [found.runs[place] for place in found.order[1:] if groups[place] == groups[first]]
        others = f"Not significantly different from it: {listed(group)}" if group else "Every other run is worse"
        best = int(np.count_nonzero(self.decisions.could_be_best))
        return (
            f"{shown_name(found.runs[first])} leads {self._runs:,} runs with {mean}; {ranks}). {others}. "
            f"{best:,} {'run' if best == 1 else 'runs'} could be the best. The runs form {int(groups.max()):,} "
            f"{'group' if groups.max() == 1 else 'groups'}."
        )

    def text_lines(self, width: int) -> list[str]:
        """Group, name, mean and the interval of the mean, a line per run."""
        found, places = self.stability, list(self._places)
        names = [shown_name(found.runs[place]) for place in places]
        means = [f"{found.means[place]:.4f}" for place in places]
        sets = [self.decisions.rank_sets[place].tolist() for place in places]
        ranks = [f"{top}" if top == bottom else f"{top}-{bottom}" for top, bottom in sets]
        column, wide = max(names_column(names, width), 3), max(map(len, means))
        room = max(width - column - wide - max(len("Ranks"), *map(len, ranks)) - 11, 1)
        lines = []
        for name, mean, shown, place in zip(names, means, ranks, places, strict=True):
            low, high = found.mean_ci95[place].tolist()
            line = track(low, float(found.means[place]), high, span=self._span, width=room)
            lines.append(f"{self._groups[place]:>3}  {fit(name, column)}  {mean:>{wide}}  {line}  {shown}".rstrip())
        return [f"Grp  {fit('Run', column)}  {'Mean':<{wide}}  {fit('95% interval of the mean', room)}  Ranks", *lines]

    def text_notes(self) -> list[str]:
        """The ends of the scale, and what the ranks are."""
        low, high = self._span
        sure = f"{1 - self.decisions.alpha:.0%} confidence for all runs together"
        return [
            f"The scale is from {low:.4f} to {high:.4f}. Ranks: those that each run could have ({sure}).",
            "A run whose ranks begin at 1 could be the best.",
        ]

    @property
    def _span(self) -> tuple[float, float]:
        places = list(self._places)
        return float(self.stability.mean_ci95[places, 0].min()), float(self.stability.mean_ci95[places, 1].max())

    def _values(self, labels: tuple[str, ...]) -> list[Spec]:
        found = self.stability
        values = []
        opened: set[int] = set()
        for label, place in zip(labels, self._places, strict=True):
            group = int(self._groups[place])
            low, high = found.mean_ci95[place].tolist()
            top, bottom = self.decisions.rank_sets[place].tolist()
            values.append({
                "run": label, "name": shown_name(found.runs[place]), "mean": number(found.means[place]),
                "low": number(low), "high": number(high), "rank": number(found.ranks[place]),
                "top": top, "bottom": bottom, "group": group, "band": group % 2,
                "best": "yes" if self.decisions.could_be_best[place] else "no",
                "mark": "" if group in opened else f"group {group}",
            })  # fmt: skip
            opened.add(group)
        return values

    def view(self) -> Spec:
        """Two panels that share their rows."""
        style, palette = self.style, self.style.palette
        labels = short_labels([self.stability.runs[place] for place in self._places], style.sheet.label)
        values = self._values(labels)
        height = style.row_height(len(values))
        room = style.plot_width(*labels, beside=style.text_width("group 99") + style.sheet.font)
        means = {"zero": False, "nice": False, "padding": 8}
        last = max(row["bottom"] for row in values)
        ranks = {"domain": [0.5, last + 0.5], "nice": False}
        left = self._panel(labels, ("low", "mean", "high"), f"Mean {self.stability.measure}", means, {"tickCount": 5})
        right = self._panel(
            labels, ("top", "rank", "bottom"), "Possible ranks", ranks,
            {"values": self._ticks(last, round(room * 0.4)), "format": "d"},
        )  # fmt: skip
        right["layer"].append({
            "mark": {"type": "text", "align": "left", "dx": style.sheet.font // 2, "color": palette.soft},
            "encoding": {"y": _rows(labels, shown=False), "x": {"value": "width"},
                         "text": {"field": "mark", "type": "nominal"}},
        })  # fmt: skip
        for panel, part in ((left, 0.6), (right, 0.4)):
            panel |= {"width": round(room * part), "height": height * len(values)}
        right["layer"][0]["encoding"]["y"] = _rows(labels, shown=False)
        return {"data": {"values": values}, "spacing": 14, "hconcat": [left, right]}

    def _ticks(self, last: int, width: int) -> list[int]:
        """The ranks that an axis of so many pixels names: the first, and then whole steps."""
        between = self.style.text_width(f"{last}") + self.style.sheet.font // 2
        for step in (1, 2, 5, 10, 20, 50, 100, 200, 500):
            ticks = [1, *(rank for rank in range(step, last + 1, step) if 2 * (rank - 1) >= step)]
            if all((after - before) * width >= between * last for before, after in itertools.pairwise(ticks)):
                return ticks
        return [1]

    def _panel(
        self, labels: tuple[str, ...], fields: tuple[str, str, str], title: str, scale: Spec, axis: Spec
    ) -> Spec:
        low, point, high = fields
        style, palette = self.style, self.style.palette
        y = _rows(labels, shown=low == "low")
        x = {"type": "quantitative", "title": title, "scale": scale, "axis": axis}
        tooltip = [
            {"field": "name", "type": "nominal", "title": "Run"},
            {"field": "mean", "type": "quantitative", "title": "Mean", "format": ".4f"},
            {"field": "low", "type": "quantitative", "title": "95% from", "format": ".4f"},
            {"field": "high", "type": "quantitative", "title": "to", "format": ".4f"},
            {"field": "rank", "type": "quantitative", "title": "Rank of the mean", "format": ".1~f"},
            {"field": "top", "type": "quantitative", "title": "Possible ranks from"},
            {"field": "bottom", "type": "quantitative", "title": "to "},
            {"field": "best", "type": "nominal", "title": "Could be the best"},
            {"field": "group", "type": "quantitative", "title": "Group"},
        ]
        colour = {"field": "best", "type": "nominal", "legend": None,
                  "scale": {"domain": ["yes", "no"], "range": [palette.second, palette.strong]}}  # fmt: skip
        thick = 2 if style.size != "print" else 1.2
        return {
            "layer": [
                {
                    "mark": {"type": "rect", "color": palette.neutral, "opacity": 0.25},
                    "transform": [{"filter": {"field": "band", "equal": 1}}],
                    "encoding": {"y": y},
                },
                {
                    "mark": {"type": "rule", "strokeWidth": thick, "opacity": 0.75},
                    "encoding": {"y": y, "x": {"field": low, **x}, "x2": {"field": high}, "color": colour,
                                 "tooltip": tooltip},
                },
                {
                    "mark": {"type": "point", "filled": True, "opacity": 1,
                             "size": 50 if style.size != "print" else 16},
                    "encoding": {"y": y, "x": {"field": point, **x}, "color": colour, "tooltip": tooltip},
                },
            ]
        }  # fmt: skip


def _rows(labels: tuple[str, ...], *, shown: bool) -> Spec:
    axis: Spec = {"axis": {"title": None}} if shown else {"axis": None}
    return {"field": "run", "type": "nominal", "scale": {"domain": list(labels), "padding": 0}, **axis}
