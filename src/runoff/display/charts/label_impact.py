"""What other labels do to a board: each run's mean under two sets of labels, with its intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from runoff.display.cells import visible
from runoff.display.charts._base import check_most, first_of
from runoff.display.charts._intervals import IntervalLine, Intervals
from runoff.display.charts._labels import short_labels, shorten, shown_name
from runoff.display.charts._spec import Spec, nominal, tooltip
from runoff.errors import UsageError
from runoff.phrases import counted
from runoff.preferences import PERFECT, ImpactResult


@dataclass(frozen=True, eq=False)
class LabelImpact(Intervals):
    """The mean of every run under the old and under the new labels; runs in the order of the old ones.

    Arabzadeh et al. 2021, Figure 6, https://arxiv.org/abs/2109.00062

    runs              their names; the perfect ranking, if it is one of them, is shown above the others without a rank
    old, new          float64, runs: the means
    old_ci, new_ci    float64, runs x 2: the ends of their 95% intervals
    labels            what the two sets of labels are called
    measure           what the means are of
    most              how many runs are shown, the best ones under the old labels
    """

    name: ClassVar = "label_impact"
    description: ClassVar = "Each run's mean under the old and under the new labels, with 95% intervals."
    align: ClassVar = "<<>"

    runs: Sequence[str]
    old: NDArray[np.float64]
    old_ci: NDArray[np.float64]
    new: NDArray[np.float64]
    new_ci: NDArray[np.float64]
    labels: tuple[str, str] = ("original", "preference")
    measure: str = "RR@10"
    most: int = 60

    def __post_init__(self) -> None:
        check_most(self.most)
        count = len(self.runs)
        shapes = [array.shape for array in (self.old, self.old_ci, self.new, self.new_ci)]
        if not count or shapes != [(count,), (count, 2), (count,), (count, 2)]:
            raise UsageError(
                f"{count:,} runs with arrays of shapes {', '.join(map(str, shapes))}; expected a mean and the two ends "
                "of its interval per run, under both labels, of at least one run"
            )

    @classmethod
    def of(cls, impact: ImpactResult) -> LabelImpact:
        """The chart of an impact: all runs, and the perfect ranking."""
        boards = (impact.perfect_original, impact.original), (impact.perfect, impact.preference)
        (old, old_ci), (new, new_ci) = (
            (np.concatenate([board.means for board in both]), np.concatenate([board.mean_ci95 for board in both]))
            for both in boards
        )
        return cls((PERFECT, *impact.runs), old, old_ci, new, new_ci, measure=impact.measure)

    def _ranks(self, means: NDArray[np.float64]) -> dict[int, int]:
        """The rank of each run, the first first; the perfect ranking has none."""
        order = [place for place in np.argsort(-means, kind="stable").tolist() if self.runs[place] != PERFECT]
        return {place: rank for rank, place in enumerate(order, start=1)}

    @property
    def _places(self) -> list[int]:
        perfect = [place for place, run in enumerate(self.runs) if run == PERFECT]
        return [*perfect, *list(self._ranks(self.old))[: self.most]]

    @property
    def title(self) -> str:
        old, new = (shorten(name, 30) for name in self.labels)
        runs = len(self._ranks(self.old))
        shown = first_of(min(runs, self.most), runs, "runs", "best")
        return f"What do other labels change? {self.measure}, {old} and {new} labels{shown}"

    @property
    def subtitle(self) -> str:
        order = f"Means with 95% intervals; runs in the order of the {shorten(self.labels[0], 30)} labels"
        return f"{order}, below the ranking that is perfect under them" if PERFECT in self.runs else order

    def text_alternative(self) -> str:
        old, new = map(visible, self.labels)
        before, after = self._ranks(self.old), self._ranks(self.new)
        first, best = next(iter(before)), next(iter(after))
        moved = max(before, key=lambda place: abs(after[place] - before[place]))
        name, score = shown_name(self.runs[first]), f"{visible(self.measure)} {self.old[first]:.4f}"
        there = f"rank {after[first]:,} under the {new} labels ({self.new[first]:.4f})"
        runs = counted(len(before), "run")
        sentences = [f"Of {runs}, {name} is first under the {old} labels ({score}) and has {there}."]
        if best != first:
            sentences.append(f"{shown_name(self.runs[best])} is first there ({self.new[best]:.4f}).")
        if after[moved] != before[moved]:
            name = shown_name(self.runs[moved])
            sentences.append(f"{name} moves most, from rank {before[moved]:,} to {after[moved]:,}.")
        if PERFECT in self.runs:
            mean = self.new[list(self.runs).index(PERFECT)]
            sentences.append(f"The {PERFECT} under the {old} labels has {mean:.4f} under the {new} labels.")
        return " ".join(sentences)

    def _means(self) -> list[tuple[int, int, float, float, float]]:
        """Of each run shown and set of labels: their places, the mean and its ends."""
        both = (self.old, self.old_ci), (self.new, self.new_ci)
        return [
            (place, at, float(ends[place, 0]), float(means[place]), float(ends[place, 1]))
            for place in self._places
            for at, (means, ends) in enumerate(both)
        ]

    def intervals(self) -> Sequence[IntervalLine]:
        sets = [shorten(visible(name), 12) for name in self.labels]
        return [
            IntervalLine(("" if at else shown_name(self.runs[place]), sets[at], f"{mean:.4f}"), (low, mean, high))
            for place, at, low, mean, high in self._means()
        ]

    def text_notes(self) -> list[str]:
        (scale,) = super().text_notes()
        return [f"{scale.removesuffix('.')}; intervals are of 95%."]

    def view(self) -> Spec:
        style, palette = self.style, self.style.palette
        labels = short_labels([self.runs[place] for place in self._places], style.sheet.label)
        label_of = dict(zip(self._places, labels, strict=True))
        sets = short_labels(self.labels, style.sheet.label)
        ranks = self._ranks(self.old), self._ranks(self.new)
        values = []
        for place, at, low, mean, high in self._means():
            fields = {"row": label_of[place], "name": shown_name(self.runs[place]), "labels": sets[at]}
            values.append({**fields, "mean": mean, "low": low, "high": high, "rank": ranks[at].get(place)})
        rows = len(labels)
        x = {"type": "quantitative", "title": f"Mean {visible(self.measure)}", "axis": {"tickCount": 6}}
        x["scale"] = {"zero": False, "nice": False, "padding": 8}
        colours = {"domain": list(sets), "range": [palette.first, palette.second]}
        legend = {"orient": "top", "direction": "horizontal", "symbolOpacity": 1}
        mean_tips = ("mean", "Mean", ".4f"), ("low", "95% from", ".4f"), ("high", "to", ".4f"), ("rank", "Rank", ",")
        encoding = {
            "y": nominal("row", scale={"domain": list(labels), "padding": 0.3}),
            "yOffset": {"field": "labels", "type": "nominal", "scale": {"domain": list(sets)}},
            "color": nominal("labels", "Labels", scale=colours, legend=legend),
            "tooltip": tooltip(("name", "Run"), ("labels", "Labels"), *mean_tips),
        }
        shape = nominal("labels", "Labels", scale={"domain": list(sets), "range": ["circle", "diamond"]})
        return {
            "data": {"values": values},
            "width": style.plot_width(*labels),
            "height": round(style.row_height(rows) * rows * (1.3 if rows <= 20 else 1.1)),
            "layer": self.interval_layers(encoding, x, ("low", "mean", "high"), shape=shape),
        }
