"""The ranks of chosen runs under each condition: do they keep their place with other queries, labels or measures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Literal

from runoff.boards.generalization import GeneralizationResult
from runoff.display.cells import visible
from runoff.display.charts._base import Chart, Spec, number, rank_ticks
from runoff.display.charts._labels import fit, names_column, short_labels, shown_name
from runoff.display.charts._style import SHAPES
from runoff.display.tracks import track
from runoff.errors import UsageError

MOST: Final = len(SHAPES)
"""Runs that colours and shapes can tell apart."""


@dataclass(frozen=True, eq=False)
class Conditions(Chart):
    """Expected ranks, or means, of chosen runs under each condition with their 95% intervals.

    Craswell et al. 2021, Figure 4, https://doi.org/10.1145/3404835.3462804

    chosen  names of runs, at most 7; by default the leaders of every condition
    values  `ranks` or `means`; means of different measures can share no axis, so ranks are the default
    """

    name: ClassVar = "conditions"
    description: ClassVar = "The expected rank of chosen runs under each condition, with 95% intervals."

    generalization: GeneralizationResult
    chosen: Sequence[str] = ()
    values: Literal["ranks", "means"] = "ranks"

    def __post_init__(self) -> None:
        runs = self.generalization.runs
        unknown = [name for name in self.chosen if name not in runs]
        if unknown:
            raise UsageError(f"no run '{unknown[0]}' on this board; expected one of its {len(runs):,} runs; choose one")
        if len(set(self.chosen)) > MOST:
            raise UsageError(f"{len(self.chosen)} runs are chosen; expected at most {MOST}, which can be told apart")
        if self.values not in {"ranks", "means"}:
            raise UsageError(f"values={self.values!r} cannot be used; expected 'ranks' or 'means'")

    @property
    def title(self) -> str:
        """How many runs of how many."""
        runs, shown = len(self.generalization.runs), len(self._places)
        what = "ranks" if self.values == "ranks" else "means"
        return f"Do the {what} hold under other conditions? {shown} of {runs:,} runs"

    @property
    def subtitle(self) -> str:
        """Trials, and what the grey lines are."""
        said = f"95% intervals over {self.generalization.trials:,} bootstrap samples of each condition's queries"
        rest = len(self.generalization.runs) > len(self._places)
        return f"{said}; grey: the other runs" if rest and self.values == "ranks" else said

    @property
    def _places(self) -> tuple[int, ...]:
        found = self.generalization
        if not self.chosen:
            leaders = [
                [run for run in one.order if one.ranks[run] == one.ranks[one.order[0]]] for one in found.stabilities
            ]
            first = [*(tied[0] for tied in leaders), *(run for tied in leaders for run in tied)]
            return tuple(dict.fromkeys(first))[:MOST]
        return tuple(found.runs.index(name) for name in dict.fromkeys(self.chosen))

    def _numbers(self, condition: int, run: int) -> tuple[float, float, float]:
        found = self.generalization.stabilities[condition]
        if self.values == "ranks":
            low, high = found.rank_intervals[run].tolist()
            return float(low), float(found.expected_ranks[run]), float(high)
        low, high = found.mean_ci95[run].tolist()
        return low, float(found.means[run]), high

    def text_alternative(self) -> str:
        """Each chosen run's lowest and highest value, and where."""
        found = self.generalization
        names = [visible(name) for name in found.conditions]
        digits = 1 if self.values == "ranks" else 4
        said = []
        for run in self._places:
            points = [self._numbers(condition, run)[1] for condition in range(len(names))]
            low, high = points.index(min(points)), points.index(max(points))
            ends = f"{points[low]:.{digits}f}", f"{points[high]:.{digits}f}"
            where = f"from {ends[0]} ({names[low]}) to {ends[1]} ({names[high]})"
            said.append(f"{shown_name(found.runs[run])} {where if ends[0] != ends[1] else f'{ends[0]} in all'}")
        what = "Expected ranks" if self.values == "ranks" else "Means"
        return f"{what} under {len(names)} conditions: {'; '.join(said)}."

    def text_lines(self, width: int) -> list[str]:
        """A block per run and a line per condition."""
        found = self.generalization
        names = [visible(name) for name in found.conditions]
        column = names_column(names, width)
        room = max(width - column - 12, 1)
        lines = []
        for run in self._places:
            lines.append(fit(shown_name(found.runs[run]), width).rstrip())
            for at, name in enumerate(names):
                low, point, high = self._numbers(at, run)
                value = f"{point:>6.1f}" if self.values == "ranks" else f"{point:.4f}"
                lines.append(
                    f"  {fit(name, column)}  {value}  {track(low, point, high, span=self._span, width=room)}".rstrip()
                )
            lines.append("")
        return lines[:-1]

    def text_notes(self) -> list[str]:
        """The ends of the scale."""
        (low, high), digits = self._span, 0 if self.values == "ranks" else 4
        return [f"The scale is from {low:.{digits}f} to {high:.{digits}f}; intervals are of 95%."]

    @property
    def _span(self) -> tuple[float, float]:
        conditions = range(len(self.generalization.conditions))
        everything = [self._numbers(at, run) for at in conditions for run in self._places]
        return min(low for low, _, _ in everything), max(high for *_, high in everything)

    def view(self) -> Spec:
        """Points with intervals, joined by lines, above the other runs in grey."""
        found, style, palette = self.generalization, self.style, self.style.palette
        names = short_labels(found.conditions, style.sheet.label)
        labels = short_labels([found.runs[run] for run in self._places], style.sheet.label)
        shown, others = [], []
        for run in range(len(found.runs)):
            is_chosen = run in self._places
            for at, name in enumerate(names):
                low, point, high = self._numbers(at, run)
                row: Spec = {"condition": name, "name": shown_name(found.runs[run]), "value": number(point)}
                if is_chosen:
                    label = labels[self._places.index(run)]
                    shown.append({**row, "run": label, "low": number(low), "high": number(high),
                                  "full": visible(found.conditions[at])})  # fmt: skip
                elif self.values == "ranks":
                    others.append({**row, "key": run})
        is_ranks = self.values == "ranks"
        x = {"field": "condition", "type": "nominal", "title": None, "sort": None,
             "scale": {"domain": list(names), "padding": 0.25},
             "axis": {"labelAngle": 0 if self._is_short(names) else -35, "domain": False, "ticks": False}}  # fmt: skip
        scale: Spec = {"zero": False, "nice": False, "padding": 8}
        axis: Spec = {"tickCount": 6}
        if is_ranks:
            last = math.ceil(max([*(row["high"] for row in shown), *(row["value"] for row in others)]))
            scale = {"reverse": True, "nice": False, "domain": [0.5, last + 0.5]}
            axis = {"values": rank_ticks(last), "format": "d"}
        y = {"type": "quantitative", "title": "Expected rank" if is_ranks else "Mean", "scale": scale, "axis": axis}
        offset = {"field": "run", "type": "nominal", "scale": {"domain": list(labels)}}
        order = {"domain": list(labels)}
        colour = {"field": "run", "type": "nominal", "title": None, "scale": {**order, "range": list(palette.series)},
                  "legend": {"orient": "bottom", "symbolOpacity": 1,
                             "columns": 3 if style.size == "page" else 1}}  # fmt: skip
        shape = {"field": "run", "type": "nominal", "title": None, "scale": {**order, "range": list(SHAPES)}}
        tooltip = [
            {"field": "name", "type": "nominal", "title": "Run"},
            {"field": "full", "type": "nominal", "title": "Condition"},
            {"field": "value", "type": "quantitative", "title": "Expected", "format": ".1f" if is_ranks else ".4f"},
            {"field": "low", "type": "quantitative", "title": "95% from"},
            {"field": "high", "type": "quantitative", "title": "to"},
        ]
        many = len(found.runs) > 30
        grey: Spec = {
            "data": {"values": others},
            "mark": {"type": "line", "color": palette.neutral, "strokeWidth": 0.7 if many else 1.2,
                     "opacity": 0.45 if many else 0.7},
            "encoding": {"x": x, "y": {"field": "value", **y}, "detail": {"field": "key", "type": "nominal"}},
        }  # fmt: skip
        seen = {"x": x, "xOffset": offset, "color": colour}
        return {
            "width": style.sheet.width - 5 * style.sheet.font,
            "height": round(style.sheet.width * 0.5),
            "layer": [
                *([grey] if others else []),
                {
                    "data": {"values": shown},
                    "mark": {"type": "line", "strokeWidth": 1.5, "opacity": 0.55},
                    "encoding": {**seen, "y": {"field": "value", **y}},
                },
                {
                    "data": {"values": shown},
                    "mark": {"type": "rule", "strokeWidth": 2},
                    "encoding": {**seen, "y": {"field": "low", **y}, "y2": {"field": "high"}, "tooltip": tooltip},
                },
                {
                    "data": {"values": shown},
                    "mark": {
                        "type": "point",
                        "filled": True,
                        "opacity": 1,
                        "size": 70 if style.size != "print" else 25,
                    },
                    "encoding": {**seen, "shape": shape, "y": {"field": "value", **y}, "tooltip": tooltip},
                },
            ],
        }

    def _is_short(self, names: Sequence[str]) -> bool:
        room = (self.style.sheet.width - 5 * self.style.sheet.font) / len(names)
        return max(map(self.style.text_width, names)) < room
