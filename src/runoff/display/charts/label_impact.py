"""What other labels do to a board: each run's mean under two sets of labels, with its intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from runoff.display.cells import visible
from runoff.display.charts._base import Chart, Spec, best_of, check_most
from runoff.display.charts._labels import fit, names_column, short_labels, shorten, shown_name
from runoff.display.tracks import track
from runoff.errors import UsageError
from runoff.preferences import PERFECT, ImpactResult


@dataclass(frozen=True, eq=False)
class LabelImpact(Chart):
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
                "of its interval per run, under both labels, of one run at least"
            )

    @classmethod
    def of(cls, found: ImpactResult) -> LabelImpact:
        """The chart of an impact: all runs, and the perfect ranking."""
        boards = (found.perfect_original, found.original), (found.perfect, found.preference)
        (old, old_ci), (new, new_ci) = (
            (np.concatenate([one.means for one in both]), np.concatenate([one.mean_ci95 for one in both]))
            for both in boards
        )
        return cls((PERFECT, *found.runs), old, old_ci, new, new_ci, measure=found.measure)

    def _ranked(self, means: NDArray[np.float64]) -> list[int]:
        order: list[int] = np.argsort(-means, kind="stable").tolist()
        return [place for place in order if self.runs[place] != PERFECT]

    @property
    def _order(self) -> list[int]:
        return self._ranked(self.old)

    @property
    def _places(self) -> list[int]:
        return [*(place for place, run in enumerate(self.runs) if run == PERFECT), *self._order[: self.most]]

    @property
    def _new_ranks(self) -> dict[int, int]:
        return {place: rank for rank, place in enumerate(self._ranked(self.new), start=1)}

    @property
    def title(self) -> str:
        """The measure and the labels, and how many runs are shown."""
        old, new = (shorten(name, 30) for name in self.labels)
        shown = best_of(min(len(self._order), self.most), len(self._order))
        return f"What do other labels change? {self.measure}, {old} and {new} labels{shown}"

    @property
    def subtitle(self) -> str:
        """The order."""
        said = f"Means with 95% intervals; runs in the order of the {shorten(self.labels[0], 30)} labels"
        return f"{said}, below the ranking that is perfect under them" if PERFECT in self.runs else said

    def text_alternative(self) -> str:
        """The best run under each, and the run whose rank changes most."""
        old, new = map(visible, self.labels)
        order, ranks = self._order, self._new_ranks
        first = order[0]
        best = min(ranks, key=ranks.__getitem__)
        moved = max(range(len(order)), key=lambda at: abs(ranks[order[at]] - at - 1))
        said = (
            f"Of {len(order):,} {'run' if len(order) == 1 else 'runs'}, {shown_name(self.runs[first])} is "
            f"first under the {old} labels ({visible(self.measure)} {self.old[first]:.4f}) and has rank "
            f"{ranks[first]:,} under the {new} labels ({self.new[first]:.4f})."
        )
        if best != first:
            said += f" {shown_name(self.runs[best])} is first there ({self.new[best]:.4f})."
        if ranks[order[moved]] != moved + 1:
            run = order[moved]
            said += f" {shown_name(self.runs[run])} moves most, from rank {moved + 1:,} to {ranks[run]:,}."
        if PERFECT in self.runs:
            perfect = list(self.runs).index(PERFECT)
            said += f" The {PERFECT} under the {old} labels has {self.new[perfect]:.4f} under the {new} labels."
        return said

    def text_lines(self, width: int) -> list[str]:
        """Two lines per run."""
        names = [shown_name(self.runs[place]) for place in self._places]
        sets = [shorten(visible(name), 12) for name in self.labels]
        column, wide = names_column(names, width), max(map(len, sets))
        room = max(width - column - wide - 12, 1)
        lines = []
        for name, place in zip(names, self._places, strict=True):
            for which, means, ends, shown in zip(
                sets, (self.old, self.new), (self.old_ci, self.new_ci), (name, ""), strict=True
            ):
                low, high = ends[place].tolist()
                drawn = track(low, float(means[place]), high, span=self._span, width=room)
                lines.append(f"{fit(shown, column)}  {fit(which, wide)}  {means[place]:.4f}  {drawn}".rstrip())
        return lines

    def text_notes(self) -> list[str]:
        """The ends of the scale."""
        low, high = self._span
        return [f"The scale is from {low:.4f} to {high:.4f}; intervals are of 95%."]

    @property
    def _span(self) -> tuple[float, float]:
        ends = np.concatenate([self.old_ci[self._places], self.new_ci[self._places]])
        return float(ends.min()), float(ends.max())

    def view(self) -> Spec:
        """Two points with intervals per run, one below the other."""
        style, palette = self.style, self.style.palette
        names = [self.runs[place] for place in self._places]
        labels = short_labels(names, style.sheet.label)
        sets = short_labels(self.labels, style.sheet.label)
        old_ranks = {place: rank for rank, place in enumerate(self._order, start=1)}
        values = [
            {"run": label, "name": shown_name(self.runs[place]), "labels": which, "mean": float(means[place]),
             "low": float(ends[place, 0]), "high": float(ends[place, 1]), "rank": rank.get(place)}
            for label, place in zip(labels, self._places, strict=True)
            for which, means, ends, rank in zip(
                sets, (self.old, self.new), (self.old_ci, self.new_ci), (old_ranks, self._new_ranks), strict=True)
        ]  # fmt: skip
        rows = len(labels)
        y = {"field": "run", "type": "nominal", "title": None, "scale": {"domain": list(labels), "padding": 0.3}}
        offset = {"field": "labels", "type": "nominal", "scale": {"domain": list(sets)}}
        x = {"type": "quantitative", "title": f"Mean {visible(self.measure)}",
             "scale": {"zero": False, "nice": False, "padding": 8}, "axis": {"tickCount": 6}}  # fmt: skip
        colour = {"field": "labels", "type": "nominal", "title": "Labels",
                  "scale": {"domain": list(sets), "range": [palette.first, palette.second]},
                  "legend": {"orient": "top", "direction": "horizontal", "symbolOpacity": 1}}  # fmt: skip
        shape = {"field": "labels", "type": "nominal", "title": "Labels",
                 "scale": {"domain": list(sets), "range": ["circle", "diamond"]}}  # fmt: skip
        tooltip = [
            {"field": "name", "type": "nominal", "title": "Run"},
            {"field": "labels", "type": "nominal", "title": "Labels"},
            {"field": "mean", "type": "quantitative", "title": "Mean", "format": ".4f"},
            {"field": "low", "type": "quantitative", "title": "95% from", "format": ".4f"},
            {"field": "high", "type": "quantitative", "title": "to", "format": ".4f"},
            {"field": "rank", "type": "quantitative", "title": "Rank", "format": ","},
        ]
        seen = {"y": y, "yOffset": offset, "color": colour, "tooltip": tooltip}
        return {
            "data": {"values": values},
            "width": style.plot_width(*labels),
            "height": round(style.row_height(rows) * rows * (1.3 if rows <= 20 else 1.1)),
            "layer": [
                {
                    "mark": {"type": "rule", "strokeWidth": 2 if style.size != "print" else 1.2, "opacity": 0.75},
                    "encoding": {**seen, "x": {"field": "low", **x}, "x2": {"field": "high"}},
                },
                {
                    "mark": {"type": "point", "filled": True, "opacity": 1,
                             "size": (50 if rows <= 20 else 30) if style.size != "print" else 14},
                    "encoding": {**seen, "shape": shape, "x": {"field": "mean", **x}},
                },
            ],
        }  # fmt: skip
