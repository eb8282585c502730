"""The ranks of a board: how likely each is, and means with the ranks that each run could have."""

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
from runoff.display.charts import _spec as vl
from runoff.display.charts._base import Words, best_of, more_of
from runoff.display.charts._intervals import IntervalLine, Intervals
from runoff.display.charts._labels import TextRow, short_labels, shown_name, text_rows
from runoff.display.charts._matrix import Matrix
from runoff.display.charts._spec import Spec
from runoff.display.text_pictures import strip
from runoff.phrases import counted, listed

WRITTEN: Final = 8
"""With at most this many ranks the probabilities are written into the cells."""
SEEN: Final = 0.005
"""Ranks that no shown run has with this probability are left out on the right."""


@dataclass(frozen=True, eq=False)
class RankHeatMap(Matrix):
    """The probability of every rank of every run over bootstrap samples of the queries.

    Craswell et al. 2021, Figure 3, https://doi.org/10.1145/3404835.3462804

    most  how many runs are shown, the best ones
    """

    name: ClassVar = "rank_heat_map"
    description: ClassVar = "How likely each run is at each rank when the queries of the board are sampled again."
    column_title: ClassVar = "Rank"
    tips: ClassVar = (("name", "Run"), ("column", "Rank", "d"), ("p", "Probability", ".1%"))

    stability: StabilityResult
    most: int = 40

    @property
    def _places(self) -> tuple[int, ...]:
        return self.stability.order[: self.most]

    def words(self) -> Words:
        result, leaders = self.stability, []
        for place in self._places[:5]:
            low, high = result.rank_intervals[place].tolist()
            ranks = f"rank {low}" if low == high else f"ranks {low} to {high}"
            name, first = shown_name(result.runs[place]), result.p_first[place]
            leaders.append(f"{name}: {ranks} in 95% of them, first in {first:.1%}")
        samples = f"{result.trials:,} bootstrap samples"
        more = more_of(len(result.runs) - len(leaders), "run")
        return Words(
            f"How certain are the ranks? {result.measure}{best_of(len(self._places), len(result.runs))}",
            f"Ranks by {result.measure} over {samples}. {'; '.join(leaders)}.{more}",
            f"Probability of each rank over {samples} of {result.queries:,} queries",
            ("How often a run has each rank, from first to last: · rarely, then ░ ▒ ▓, █ almost always.",),
        )

    def text_lines(self, width: int) -> list[str]:
        def row(place: int) -> TextRow:
            chances = self.stability.rank_probabilities[place].tolist()
            return TextRow((shown_name(self.stability.runs[place]),), lambda room: strip(chances, width=room))

        return text_rows(list(map(row, self._places)), width)

    def rows(self) -> Sequence[str]:
        return [self.stability.runs[place] for place in self._places]

    @cached_property
    def _chances(self) -> NDArray[np.float64]:
        """The probabilities of the shown runs, to the last rank that is likely for any of them."""
        chances = self.stability.rank_probabilities[list(self._places)]
        likely = np.flatnonzero((chances >= SEEN).any(axis=0))
        return chances[:, : max(int(likely[-1]) + 1 if len(likely) else 1, len(chances))]

    def columns(self) -> Sequence[int]:
        return range(1, self._chances.shape[1] + 1)

    def cell(self, row: int, column: int) -> Spec | None:
        chance = float(self._chances[row, column])
        return {"p": chance} if chance > 0.0 else None

    def cell_size(self, labels: tuple[str, ...], columns: int) -> tuple[float, float]:
        width, height = super().cell_size(labels, columns)
        room = self.style.plot_width(*labels) / columns
        return (min(room, height * 2.4) if columns <= WRITTEN else width), height

    def colour(self) -> Spec:
        legend = {"orient": "bottom", "format": ".0%", "values": [0, 0.25, 0.5, 0.75, 1], "gradientLength": 200}
        scale = {"domain": [0, 0.02, 0.1, 0.4, 1], "range": list(self.style.palette.ramp)}
        return vl.quantitative("p", "Probability", scale=scale, legend=legend)

    def texts(self, axes: Spec, cell: tuple[float, float]) -> list[Spec]:
        font = self.style.sheet.font
        if len(self.columns()) > WRITTEN or cell[0] < 3 * font:
            return []
        on_dark, on_light = ("#15181d", "#e4e7ec") if self.style.dark else ("#ffffff", "#1d2127")
        letters = {"condition": {"test": {"field": "p", "gt": 0.35}, "value": on_dark}, "value": on_light}
        encoding = {**axes, "text": vl.quantitative("p", format=".0%"), "color": letters}
        likely = {"transform": [{"filter": {"field": "p", "gte": SEEN}}]}
        return [vl.layer("text", encoding, fontSize=font - 1) | likely]


TIPS: Final = (
    ("name", "Run"),
    ("mean", "Mean", ".4f"),
    *vl.ends_tips(".4f"),
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

    groups  the group of each run, from 1, in the order of `stability.runs`
    most    how many runs are shown, the best ones
    """

    name: ClassVar = "rank_intervals"
    description: ClassVar = "The mean of each run with its 95% interval, the ranks that it could have, and groups."
    head: ClassVar = ("Grp", "Run", "Mean", "95% interval of the mean", "Ranks")
    align: ClassVar = "><>"

    stability: StabilityResult
    decisions: RankSetsResult
    groups: Sequence[int]
    most: int = 60

    def words(self) -> Words:
        result, groups = self.stability, self.groups
        first, runs = result.order[0], len(result.runs)
        (low, high), (top, bottom) = result.mean_ci95[first].tolist(), self.decisions.rank_sets[first].tolist()
        leader = shown_name(result.runs[first])
        mean = f"a mean {result.measure} of {result.means[first]:.4f} (95% interval {low:.4f} to {high:.4f}"
        summary = f"{leader} is the only run, with {mean})."
        if runs > 1:
            ranks = f"possible rank {top}" if top == bottom else f"possible ranks {top} to {bottom}"
            group = [shown_name(result.runs[place]) for place in result.order[1:] if groups[place] == groups[first]]
            others = f"Not significantly different from it: {listed(group, 5)}" if group else "Every other run is worse"
            best = counted(int(np.count_nonzero(self.decisions.could_be_best)), "run")
            summary = (
                f"{leader} leads {runs:,} runs with {mean}; {ranks}). {others}. {best} could be the best. The runs "
                f"form {counted(max(groups), 'group')}."
            )
        confidence = f"{1 - self.decisions.alpha:.0%} confidence for all runs together"
        return Words(
            f"Which runs differ? {result.measure}{best_of(len(self._places), runs)}",
            summary,
            f"95% intervals of means over {result.trials:,} bootstrap samples of {result.queries:,} queries; possible "
            f"ranks with {confidence}; blue: could be the best; bands: groups",
            (f"Ranks: possible ranks ({confidence}). A run whose ranks start at 1 could be the best.",),
        )

    @property
    def _places(self) -> tuple[int, ...]:
        return self.stability.order[: self.most]

    def intervals(self) -> Sequence[IntervalLine]:
        result, intervals = self.stability, []
        for place in self._places:
            low, high = result.mean_ci95[place].tolist()
            top, bottom = self.decisions.rank_sets[place].tolist()
            before = f"{self.groups[place]}", shown_name(result.runs[place]), f"{result.means[place]:.4f}"
            ranks = f"{top}" if top == bottom else f"{top}-{bottom}"
            intervals.append(IntervalLine(before, (low, float(result.means[place]), high), ranks))
        return intervals

    def view(self) -> Spec:
        result, style, palette = self.stability, self.style, self.style.palette
        labels = short_labels([result.runs[place] for place in self._places], style.sheet.label)
        values: list[Spec] = []
        named: set[int] = set()
        for label, place in zip(labels, self._places, strict=True):
            group = self.groups[place]
            low, high = map(vl.finite, result.mean_ci95[place].tolist())
            top, bottom = self.decisions.rank_sets[place].tolist()
            run = {"row": label, "name": shown_name(result.runs[place])}
            mean = {"mean": vl.finite(result.means[place]), "low": low, "high": high}
            ranks = {"rank": vl.finite(result.ranks[place]), "top": top, "bottom": bottom}
            groups = {"group": group, "band": group % 2, "mark": "" if group in named else f"group {group}"}
            best = "yes" if self.decisions.could_be_best[place] else "no"
            values.append({**run, **mean, **ranks, **groups, "best": best})
            named.add(group)
        room = style.plot_width(*labels, beside=style.text_width("group 99") + style.sheet.font)
        means = vl.numbers(f"Mean {result.measure}", vl.NOT_FROM_ZERO, tickCount=5)
        last = max(row["bottom"] for row in values)
        ticks = self._ticks(last, round(room * 0.4))
        ranks = vl.numbers("Possible ranks", vl.exactly(0.5, last + 0.5), values=ticks, format="d", labelOverlap=False)
        colours = vl.words_as("best", ["yes", "no"], [palette.second, palette.strong], legend=None)
        look = {"color": colours, "tooltip": vl.tooltip(*TIPS)}
        sides = self.rows(labels, padding=0), self.rows(labels, named=False, padding=0)
        axes = (means, ("low", "mean", "high"), 0.6), (ranks, ("top", "rank", "bottom"), 0.4)
        panels = []
        for y, (x, ends, part) in zip(sides, axes, strict=True):
            drawn = self.panel(y, None, x, ends, (room * part, self.rows_height(labels)), **look)
            band = vl.layer("rect", {"y": y}, where=("band", 1), color=palette.neutral, opacity=0.25)
            panels.append(drawn | {"layer": [band, *drawn["layer"]]})
        marks = {"y": sides[1], "x": {"value": "width"}, "text": vl.text("mark")}
        panels[1]["layer"].append(vl.layer("text", marks, align="left", dx=style.sheet.font // 2, color=palette.soft))
        return {"data": {"values": values}, "spacing": 14, "hconcat": panels}

    def _ticks(self, last: int, width: int) -> list[int]:
        """The ranks that an axis of this many pixels names: the first, and then whole steps."""
        between = self.style.text_width(f"{last}") + self.style.sheet.font // 2
        for step in (1, 2, 5, 10, 20, 50, 100, 200, 500):
            ticks = [1, *(rank for rank in range(step, last + 1, step) if 2 * (rank - 1) >= step)]
            if all((after - before) * width >= between * last for before, after in itertools.pairwise(ticks)):
                return ticks
        return [1]
