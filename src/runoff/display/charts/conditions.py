"""The ranks of chosen runs under each condition: do they keep their place with other queries, labels or measures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final, Literal

from runoff.boards.generalization import GeneralizationResult
from runoff.display.cells import visible
from runoff.display.charts._base import rank_ticks
from runoff.display.charts._intervals import IntervalLine, Intervals
from runoff.display.charts._labels import fit, short_labels, shown_name
from runoff.display.charts._spec import Spec, finite, grey_lines, layer, nominal, points, series, tooltip
from runoff.display.charts._style import SHAPES
from runoff.errors import UsageError

MOST: Final = len(SHAPES)
"""Runs that have a colour and a shape of their own."""


@dataclass(frozen=True, eq=False)
class Conditions(Intervals):
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
            raise UsageError(
                f"{len(self.chosen)} runs are chosen; expected at most {MOST}, one per colour; leave some out"
            )
        if self.values not in {"ranks", "means"}:
            raise UsageError(f"values={self.values!r} cannot be used; expected 'ranks' or 'means'")

    @property
    def title(self) -> str:
        runs, shown = len(self.generalization.runs), len(self._places)
        return f"Do the {self.values} hold under other conditions? {shown} of {runs:,} runs"

    @property
    def subtitle(self) -> str:
        samples = f"95% intervals over {self.generalization.trials:,} bootstrap samples of each condition's queries"
        others = len(self.generalization.runs) > len(self._places) and self.values == "ranks"
        return f"{samples}; grey: the other runs" if others else samples

    @cached_property
    def _places(self) -> tuple[int, ...]:
        result = self.generalization
        if self.chosen:
            return tuple(result.runs.index(name) for name in dict.fromkeys(self.chosen))
        leaders = [
            [run for run in board.order if board.ranks[run] == board.ranks[board.order[0]]]
            for board in result.stabilities
        ]
        first = [*(tied[0] for tied in leaders), *(run for tied in leaders for run in tied)]
        return tuple(dict.fromkeys(first))[:MOST]

    def _ends(self, condition: int, run: int) -> tuple[float, float, float]:
        board = self.generalization.stabilities[condition]
        if self.values == "ranks":
            low, high = board.rank_intervals[run].tolist()
            return float(low), float(board.expected_ranks[run]), float(high)
        low, high = board.mean_ci95[run].tolist()
        return low, float(board.means[run]), high

    @property
    def _number(self) -> str:
        return ".1f" if self.values == "ranks" else ".4f"

    def text_alternative(self) -> str:
        result = self.generalization
        names = [visible(name) for name in result.conditions]
        runs = []
        for run in self._places:
            values = [self._ends(condition, run)[1] for condition in range(len(names))]
            (low, at_low), (high, at_high) = (
                (f"{pick(values):{self._number}}", names[values.index(pick(values))]) for pick in (min, max)
            )
            where = f"from {low} ({at_low}) to {high} ({at_high})" if low != high else f"{low} in all"
            runs.append(f"{shown_name(result.runs[run])} {where}")
        what = "Expected ranks" if self.values == "ranks" else "Means"
        return f"{what} under {len(names)} conditions: {'; '.join(runs)}."

    def intervals(self) -> Sequence[IntervalLine]:
        return [
            IntervalLine((f"  {visible(name)}", f"{self._ends(at, run)[1]:{self._number}}"), self._ends(at, run))
            for run in self._places
            for at, name in enumerate(self.generalization.conditions)
        ]

    def text_lines(self, width: int) -> list[str]:
        """A block per run and a line per condition."""
        lines, size = super().text_lines(width), len(self.generalization.conditions)
        blocks: list[str] = []
        for at, run in enumerate(self._places):
            name = fit(shown_name(self.generalization.runs[run]), width).rstrip()
            blocks += ["", name, *lines[at * size : (at + 1) * size]]
        return blocks[1:]

    def text_notes(self) -> list[str]:
        (low, high), digits = self.span(), 0 if self.values == "ranks" else 4
        return [f"The scale is from {low:.{digits}f} to {high:.{digits}f}; intervals are of 95%."]

    def view(self) -> Spec:
        result, style, is_ranks = self.generalization, self.style, self.values == "ranks"
        names = short_labels(result.conditions, style.sheet.label)
        labels = short_labels([result.runs[run] for run in self._places], style.sheet.label)
        label_of = dict(zip(self._places, labels, strict=True))
        shown, others = [], []
        for run, at in ((run, at) for run in range(len(result.runs)) for at in range(len(names))):
            low, value, high = map(finite, self._ends(at, run))
            row: Spec = {"condition": names[at], "name": shown_name(result.runs[run]), "value": value}
            if run in label_of:
                full = visible(result.conditions[at])
                shown.append({**row, "run": label_of[run], "low": low, "high": high, "full": full})
            elif is_ranks:
                others.append({**row, "key": run})
        width = style.sheet.width - 5 * style.sheet.font
        is_narrow = max(map(style.text_width, names)) >= width / len(names)
        x = nominal("condition", sort=None, scale={"domain": list(names), "padding": 0.25})
        x["axis"] = {"labelAngle": -35 if is_narrow else 0, "domain": False, "ticks": False}
        scale: Spec = {"zero": False, "nice": False, "padding": 8}
        axis: Spec = {"tickCount": 6}
        if is_ranks:
            last = math.ceil(max([*(row["high"] for row in shown), *(row["value"] for row in others)]))
            scale = {"reverse": True, "nice": False, "domain": [0.5, last + 0.5]}
            axis = {"values": rank_ticks(last), "format": "d"}
        y = {"type": "quantitative", "title": "Expected rank" if is_ranks else "Mean", "scale": scale, "axis": axis}
        look = series("run", labels, style)
        offset = {"field": "run", "type": "nominal", "scale": {"domain": list(labels)}}
        tips = tooltip(
            ("name", "Run"),
            ("full", "Condition"),
            ("value", "Expected", self._number),
            ("low", "95% from", None),
            ("high", "to", None),
        )
        encoding = {"x": x, "xOffset": offset, "color": look["color"]}
        middle = {"y": {"field": "value", **y}}
        interval = {"y": {"field": "low", **y}, "y2": {"field": "high"}, "tooltip": tips}
        dots = points(encoding | middle | {"shape": look["shape"], "tooltip": tips}, style, shown, 70)
        grey = [grey_lines({"x": x, **middle}, others, style, runs=len(result.runs))] if others else []
        return {
            "width": width,
            "height": round(style.sheet.width * 0.5),
            "layer": [
                *grey,
                layer("line", encoding | middle, shown, strokeWidth=1.5, opacity=0.55),
                layer("rule", encoding | interval, shown, strokeWidth=2),
                dots,
            ],
        }
