"""Means with their 95% intervals and the possible ranks of every run, in groups."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from runoff.boards.rank_sets import RankSetsResult
from runoff.boards.stability import StabilityResult
from runoff.display.charts._base import check_most, first_of
from runoff.display.charts._intervals import IntervalLine, Intervals
from runoff.display.charts._labels import short_labels, shown_name
from runoff.display.charts._spec import Spec, finite, layer, nominal, text, tooltip
from runoff.phrases import counted, listed

TIPS: Final = (
    ("name", "Run"),
    ("mean", "Mean", ".4f"),
    ("low", "95% from", ".4f"),
    ("high", "to", ".4f"),
    ("rank", "Rank of the mean", ".1~f"),
    ("top", "Possible ranks from", None),
    ("bottom", "to ", None),
    ("best", "Could be the best"),
    ("group", "Group", None),
)


@dataclass(frozen=True, eq=False)
class RankIntervals(Intervals):
    """The mean of every run with its 95% interval over bootstrap samples, and the ranks that it could have.

    Possible ranks are right for all runs at once, so runs whose ranks start at 1 could be the best; these are blue.
    Runs on one band of the background are one group: none of them is shown to be worse than the first of it.

    most  how many runs are shown, the best ones
    """

    name: ClassVar = "rank_intervals"
    description: ClassVar = "The mean of each run with its 95% interval, the ranks that it could have, and groups."
    head: ClassVar = ("Grp", "Run", "Mean", "95% interval of the mean", "Ranks")
    align: ClassVar = "><>"

    stability: StabilityResult
    decisions: RankSetsResult
    most: int = 60

    def __post_init__(self) -> None:
        check_most(self.most)

    @property
    def title(self) -> str:
        shown = first_of(len(self._places), len(self.stability.runs), "runs", "best")
        return f"Which runs differ? {self.stability.measure}{shown}"

    @property
    def subtitle(self) -> str:
        result = self.stability
        return (
            f"95% intervals of means over {result.trials:,} bootstrap samples of {result.queries:,} queries; possible "
            f"ranks with {self._confidence}; blue: could be the best; bands: groups"
        )

    @property
    def _confidence(self) -> str:
        return f"{1 - self.decisions.alpha:.0%} confidence for all runs together"

    @cached_property
    def _groups(self) -> NDArray[np.int64]:
        return self.decisions.groups(self.stability.order)

    @property
    def _places(self) -> tuple[int, ...]:
        return self.stability.order[: self.most]

    def text_alternative(self) -> str:
        result, groups = self.stability, self._groups
        first, runs = result.order[0], len(result.runs)
        (low, high), (top, bottom) = result.mean_ci95[first].tolist(), self.decisions.rank_sets[first].tolist()
        mean = f"a mean {result.measure} of {result.means[first]:.4f} (95% interval {low:.4f} to {high:.4f}"
        if runs == 1:
            return f"{shown_name(result.runs[first])} is the only run, with {mean})."
        ranks = f"possible rank {top}" if top == bottom else f"possible ranks {top} to {bottom}"
        group = [shown_name(result.runs[place]) for place in result.order[1:] if groups[place] == groups[first]]
        others = f"Not significantly different from it: {listed(group, 5)}" if group else "Every other run is worse"
        best = counted(int(np.count_nonzero(self.decisions.could_be_best)), "run")
        return (
            f"{shown_name(result.runs[first])} leads {runs:,} runs with {mean}; {ranks}). {others}. {best} could "
            f"be the best. The runs form {counted(int(groups.max()), 'group')}."
        )

    def intervals(self) -> Sequence[IntervalLine]:
        result, intervals = self.stability, []
        for place in self._places:
            low, high = result.mean_ci95[place].tolist()
            top, bottom = self.decisions.rank_sets[place].tolist()
            before = f"{self._groups[place]}", shown_name(result.runs[place]), f"{result.means[place]:.4f}"
            ranks = f"{top}" if top == bottom else f"{top}-{bottom}"
            intervals.append(IntervalLine(before, (low, float(result.means[place]), high), ranks))
        return intervals

    def text_notes(self) -> list[str]:
        (scale,) = super().text_notes()
        return [
            f"{scale} Ranks: those that each run could have ({self._confidence}).",
            "A run whose ranks begin at 1 could be the best.",
        ]

    def _values(self, labels: tuple[str, ...]) -> list[Spec]:
        result, values = self.stability, []
        named: set[int] = set()
        for label, place in zip(labels, self._places, strict=True):
            group = int(self._groups[place])
            low, high = result.mean_ci95[place].tolist()
            top, bottom = self.decisions.rank_sets[place].tolist()
            mean = {"mean": finite(result.means[place]), "low": finite(low), "high": finite(high)}
            ranks = {"rank": finite(result.ranks[place]), "top": top, "bottom": bottom}
            groups = {"group": group, "band": group % 2, "mark": "" if group in named else f"group {group}"}
            best = "yes" if self.decisions.could_be_best[place] else "no"
            values.append(
                {"row": label, "name": shown_name(result.runs[place]), **mean, **ranks, **groups, "best": best}
            )
            named.add(group)
        return values

    def view(self) -> Spec:
        style = self.style
        labels = short_labels([self.stability.runs[place] for place in self._places], style.sheet.label)
        values = self._values(labels)
        room = style.plot_width(*labels, beside=style.text_width("group 99") + style.sheet.font)
        means = {"title": f"Mean {self.stability.measure}", "scale": {"zero": False, "nice": False, "padding": 8}}
        means["axis"] = {"tickCount": 5}
        last = max(row["bottom"] for row in values)
        ranks = {"title": "Possible ranks", "scale": {"domain": [0.5, last + 0.5], "nice": False}}
        ranks["axis"] = {"values": self._ticks(last, round(room * 0.4)), "format": "d", "labelOverlap": False}
        left = self._panel(self.row_axis(labels), means, ("low", "mean", "high"))
        right = self._panel(self.row_axis(labels, named=False), ranks, ("top", "rank", "bottom"))
        marks = {"y": self.row_axis(labels, named=False), "x": {"value": "width"}, "text": text("mark")}
        right.append(layer("text", marks, align="left", dx=style.sheet.font // 2, color=style.palette.soft))
        height = style.row_height(len(values)) * len(values)
        panels = [
            {"width": round(room * part), "height": height, "layer": layers}
            for layers, part in ((left, 0.6), (right, 0.4))
        ]
        return {"data": {"values": values}, "spacing": 14, "hconcat": panels}

    def _ticks(self, last: int, width: int) -> list[int]:
        """The ranks that an axis of so many pixels names: the first, and then whole steps."""
        between = self.style.text_width(f"{last}") + self.style.sheet.font // 2
        for step in (1, 2, 5, 10, 20, 50, 100, 200, 500):
            ticks = [1, *(rank for rank in range(step, last + 1, step) if 2 * (rank - 1) >= step)]
            if all((after - before) * width >= between * last for before, after in itertools.pairwise(ticks)):
                return ticks
        return [1]

    def _panel(self, y: Spec, axis: Spec, ends: tuple[str, str, str]) -> list[Spec]:
        palette = self.style.palette
        scale = {"domain": ["yes", "no"], "range": [palette.second, palette.strong]}
        encoding = {"y": y, "color": nominal("best", scale=scale, legend=None), "tooltip": tooltip(*TIPS)}
        band = layer("rect", {"y": y}, where=("band", 1), color=palette.neutral, opacity=0.25)
        return [band, *self.interval_layers(encoding, {"type": "quantitative", **axis}, ends)]
