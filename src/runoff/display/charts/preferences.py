"""What preference judgments say of runs: win ratios of all pairs, and means under old and new labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from runoff.display.charts import _spec as vl
from runoff.display.charts._base import Words, best_of
from runoff.display.charts._intervals import IntervalLine, Intervals
from runoff.display.charts._labels import short_labels, shorten, shown_name
from runoff.display.charts._matrix import FEW, Matrix
from runoff.display.charts._spec import Spec
from runoff.display.charts._style import letters_on
from runoff.display.grid import visible
from runoff.errors import UsageError
from runoff.phrases import counted
from runoff.preferences import PERFECT, ImpactResult, WinRatiosResult
from runoff.preferences.win_ratios import NOT_POOLED
from runoff.significance.corrections import spoken_correction
from runoff.verdicts import WinRatioMarks

NARROWEST: Final = 0.05
"""The scale of colours reaches at least so far from one half, so that noise does not look like a difference."""


@dataclass(frozen=True, eq=False)
class WinRatioMatrix(Matrix):
    """The win ratio of the run of each column against the run of each row.

    The perfect ranking comes first, then pooled runs, those with most wins first; then those that were not pooled.

    Arabzadeh et al. 2021, Table 4, https://arxiv.org/abs/2109.00062

    win_ratios  all pairs of runs; the perfect ranking may be one of them, and is always shown
    marks       the significant pairs, which are framed
    most        how many runs are shown
    """

    name: ClassVar = "win_ratio_matrix"
    description: ClassVar = "How often the top document of each run is preferred to that of each other run."
    column_title: ClassVar = "Run of the column"
    widest: ClassVar = 2.4
    tips: ClassVar = (
        ("other", "Column"),
        ("name", "Row"),
        ("ratio", "Column preferred", ".1%"),
        ("queries", "Of queries", ","),
        ("wins", "Wins", ","),
        ("losses", "Losses", ","),
        ("even", "Even", ","),
        ("p", "p, corrected", ".4f"),
    )

    win_ratios: WinRatiosResult
    marks: WinRatioMarks
    most: int = 40

    @cached_property
    def _places(self) -> list[int]:
        return self.win_ratios.order[: self.most]

    def words(self) -> Words:
        result, alpha, runs = self.win_ratios, self.marks.alpha, len(self.win_ratios.runs)
        leaders = [
            f"{shown_name(result.runs[place])} is preferred to {result.run_wins[place]:,} of {runs - 1:,} other runs"
            for place in np.argsort(-result.run_wins, kind="stable")[:3].tolist()
        ]
        summary = f"Win ratios of {runs:,} runs over {result.queries:,} queries: {'; '.join(leaders)}."
        subtitle = ["How often the column's document is preferred to the row's, and of how many judged queries"]
        if result.family is not None:
            framed = int(self.marks.is_preferred.sum())
            summary += f" {framed:,} of {result.family.size:,} pairs differ significantly at {alpha:g}."
            correction = spoken_correction(result.correction)
            subtitle.append(f"framed: significant at {alpha:g}, {correction} over {result.family}")
        if not result.is_pooled[self._places].all():
            subtitle.append(f"{NOT_POOLED} not pooled, so of fewer queries and not tested")
        signs = "+ the column's document is preferred more often than the row's, - less often, = as often, ? not judged"
        return Words(
            f"Whose top document is preferred? Win ratios{best_of(len(self._places), runs)}",
            summary,
            "; ".join(subtitle),
            (f"Columns are in the order of the rows. {signs}. ▲ ▼ the same with p < {alpha:g}.",),
        )

    def sign(self, row: int, column: int) -> str:
        place = self._places[row], self._places[column]
        ratio = float(self.win_ratios.ratios[place])
        if row == column:
            return " "
        if math.isnan(ratio):
            return "?"
        if self.marks.is_significant[place]:
            return "▲" if ratio > 0.5 else "▼"
        return "+" if ratio > 0.5 else "-" if ratio < 0.5 else "="

    def rows(self) -> Sequence[str]:
        return [self.win_ratios.marked_runs[place] for place in self._places]

    @cached_property
    def _reach(self) -> float:
        """How far the scale of colours reaches from one half."""
        return max(float(np.nanmax(np.abs(self.win_ratios.ratios - 0.5), initial=0.0)), NARROWEST)

    def cell(self, row: int, column: int) -> Spec | None:
        result, palette = self.win_ratios, self.style.palette
        place = self._places[row], self._places[column]
        ratio, queries = float(result.ratios[place]), int(result.counted[place])
        if row == column or math.isnan(ratio):
            return None
        colour = _mixed(palette.band, palette.second if ratio > 0.5 else palette.first, abs(ratio - 0.5) / self._reach)
        counts = {"wins": int(result.wins[place]), "losses": int(result.losses[place]), "even": int(result.even[place])}
        test = {"p": vl.finite(result.p[place]), "framed": bool(self.marks.is_significant[place])}
        drawn = {"label": f"{ratio:.0%}", "number": f"{queries:,}", "light": letters_on(colour) == "#ffffff"}
        return {"ratio": ratio, "queries": queries, **counts, **test, **drawn}

    @property
    def _two_lines(self) -> int:
        """The height of the ratio and, below it, the number of queries."""
        return 2 * (self.style.sheet.font - 1) + 6

    def cell_size(self, labels: tuple[str, ...], columns: int) -> tuple[float, float]:
        width, height = super().cell_size(labels, columns)
        return width, max(height, self._two_lines) if columns <= FEW else height

    def colour(self) -> Spec:
        palette, reach = self.style.palette, self._reach
        ends = {"domain": [0.5 - reach, 0.5, 0.5 + reach], "range": [palette.first, palette.band, palette.second]}
        length = min(200, self.style.sheet.width // 2)
        legend = {"orient": "bottom", "format": ".0%", "gradientLength": length, "tickCount": 3, "offset": 10}
        return vl.quantitative("ratio", "The column is preferred", scale=ends | {"interpolate": "rgb"}, legend=legend)

    def texts(self, axes: Spec, cell: tuple[float, float]) -> list[Spec]:
        size, is_high = self.style.sheet.font - 1, cell[1] >= self._two_lines
        if self.style.text_width("99%") + 4 > cell[0]:
            return []
        letters = {"condition": {"test": {"field": "light", "equal": True}, "value": "#ffffff"}, "value": "#15181d"}
        lines = [("label", size, -size / 2 * is_high), ("number", size - 1, size / 2 + 1)]
        return [
            vl.layer("text", {**axes, "text": vl.text(field), "color": letters}, fontSize=font, dy=offset)
            for field, font, offset in lines[: 1 + is_high]
        ]

    def more_layers(self, axes: Spec, cell: tuple[float, float]) -> list[Spec]:
        thick = 1.6 if min(cell) >= 12 else 0.8
        ink = self.style.palette.ink
        return [vl.layer("rect", axes, where=("framed", True), filled=False, stroke=ink, strokeWidth=thick)]


def _mixed(start: str, end: str, share: float) -> str:
    """The colour that is so far on the way from one to the other."""
    parts = [(int(start[at : at + 2], 16), int(end[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(low + (high - low) * share):02x}" for low, high in parts)


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
        super().__post_init__()
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
        """The rank of each run, best first; the perfect ranking has none."""
        order = [place for place in np.argsort(-means, kind="stable").tolist() if self.runs[place] != PERFECT]
        return {place: rank for rank, place in enumerate(order, start=1)}

    @property
    def _places(self) -> list[int]:
        perfect = [place for place, run in enumerate(self.runs) if run == PERFECT]
        return [*perfect, *list(self._ranks(self.old))[: self.most]]

    def words(self) -> Words:
        (old, new), (short_old, short_new) = map(visible, self.labels), (shorten(name, 30) for name in self.labels)
        before, after = self._ranks(self.old), self._ranks(self.new)
        first, best, runs = next(iter(before)), next(iter(after)), len(before)
        moved = max(before, key=lambda place: abs(after[place] - before[place]))
        name, score = shown_name(self.runs[first]), f"{visible(self.measure)} {self.old[first]:.4f}"
        rank = f"has rank {after[first]:,} under the {new} labels ({self.new[first]:.4f})"
        sentences = [f"Of {counted(runs, 'run')}, {name} is first under the {old} labels ({score}) and {rank}."]
        if best != first:
            sentences.append(f"{shown_name(self.runs[best])} is first there ({self.new[best]:.4f}).")
        if after[moved] != before[moved]:
            name = shown_name(self.runs[moved])
            sentences.append(f"{name} moves most, from rank {before[moved]:,} to {after[moved]:,}.")
        order = f"Means with 95% intervals; runs in the order of the {short_old} labels"
        if PERFECT in self.runs:
            mean = self.new[list(self.runs).index(PERFECT)]
            sentences.append(f"The {PERFECT} under the {old} labels has {mean:.4f} under the {new} labels.")
            order += ", below the ranking that is perfect under them"
        part = best_of(min(runs, self.most), runs)
        title = f"What do other labels change? {self.measure}, {short_old} and {short_new} labels{part}"
        return Words(title, " ".join(sentences), order, ("95% intervals.",))

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
        x = vl.numbers(f"Mean {visible(self.measure)}", vl.NOT_FROM_ZERO, tickCount=6)
        legend = vl.legend_above(symbolOpacity=1)
        mean_tips = ("mean", "Mean", ".4f"), *vl.ends_tips(".4f"), ("rank", "Rank", ",")
        look = {
            "yOffset": {"field": "labels", "type": "nominal", "scale": {"domain": list(sets)}},
            "color": vl.words_as("labels", sets, [palette.first, palette.second], "Labels", legend=legend),
            "shape": vl.words_as("labels", sets, ["circle", "diamond"], "Labels"),
            "tooltip": vl.tooltip(("name", "Run"), ("labels", "Labels"), *mean_tips),
        }
        size = style.plot_width(*labels), self.rows_height(labels) * (1.3 if len(labels) <= 20 else 1.1)
        return self.panel(self.rows(labels, padding=0.3), values, x, ("low", "mean", "high"), size, **look)
