"""How often one run's top document is preferred to another's: a square of win ratios."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar, Final

import numpy as np

from runoff.display.charts._base import Chart, Spec, best_of, check_most
from runoff.display.charts._labels import shown_name
from runoff.display.charts._squares import FEW, Square, square_text
from runoff.display.charts._style import letters_on
from runoff.preferences import WinRatiosResult
from runoff.preferences.win_ratios import NOT_POOLED
from runoff.significance.corrections import spoken_correction

NARROWEST: Final = 0.05
"""The scale of colours reaches at least so far from one half, so that noise does not look like a difference."""


@dataclass(frozen=True, eq=False)
class WinRatioMatrix(Chart):
    """The win ratio of the run of each column against the run of each row.

    The perfect ranking comes first, then pooled runs, those with most wins first; then those that were not pooled.

    Arabzadeh et al. 2021, Table 4, https://arxiv.org/abs/2109.00062

    win_ratios  all pairs of runs; the perfect ranking may be one of them, and is always shown
    level       a corrected p below it is framed, as a verdict asks for; None frames nothing
    most        how many runs are shown
    """

    name: ClassVar = "win_ratio_matrix"
    description: ClassVar = "How often the top document of each run is preferred to that of each other run."

    win_ratios: WinRatiosResult
    level: float | None = None
    most: int = 40

    def __post_init__(self) -> None:
        check_most(self.most)

    @property
    def _places(self) -> list[int]:
        return self.win_ratios.places(self.most)

    @property
    def title(self) -> str:
        """How many runs are shown."""
        return f"Whose top document is preferred? Win ratios{best_of(len(self._places), len(self.win_ratios.runs))}"

    @property
    def subtitle(self) -> str:
        """How to read it, and what a frame is."""
        said = "How often the column's document is preferred to the row's, and of how many judged queries"
        found = self.win_ratios
        if self.level is not None and found.family is not None:
            said += (
                f"; framed: significant at {self.level:g}, {spoken_correction(found.correction)} over {found.family}"
            )
        if not found.is_pooled[self._places].all():
            said += f"; {NOT_POOLED} not pooled, so of fewer queries and not tested"
        return said

    def _is_framed(self, row: int, column: int) -> bool:
        return self.level is not None and bool(self.win_ratios.p[row, column] < self.level)

    def text_alternative(self) -> str:
        """Who wins most and against how many, and how many pairs differ significantly."""
        found = self.win_ratios
        said = [
            f"{shown_name(found.runs[place])} is preferred to {found.run_wins[place]:,} of {len(found.runs) - 1:,} "
            "other runs"
            for place in np.argsort(-found.run_wins, kind="stable")[:3].tolist()
        ]
        upper = np.triu_indices(len(found.runs), 1)
        text = f"Win ratios of {len(found.runs):,} runs over {found.queries:,} queries: {'; '.join(said)}."
        if self.level is not None and found.family is not None:
            framed = int((found.p[upper] < self.level).sum())
            text += f" {framed:,} of {found.family.size:,} pairs differ significantly at {self.level:g}."
        return text

    def _sign(self, row: int, column: int) -> str:
        ratio = float(self.win_ratios.ratios[row, column])
        if row == column:
            return " "
        if math.isnan(ratio):
            return "?"
        if self._is_framed(row, column):
            return "▲" if ratio > 0.5 else "▼"
        return "+" if ratio > 0.5 else "-" if ratio < 0.5 else "="

    def text_lines(self, width: int) -> list[str]:
        """A line per row, a sign per column."""
        places = self._places
        lines = ["".join(self._sign(row, column) for column in places) for row in places]
        names = [self.win_ratios.marked_runs[place] for place in places]
        return [line.rstrip() for line in square_text(names, lines, width)]

    def text_notes(self) -> list[str]:
        """The signs."""
        framed = "" if self.level is None else f" ▲ ▼ the same with p < {self.level:g}."
        signs = (
            "+ the column's document is preferred more often than the row's, - less often, = as often, ? never judged"
        )
        return [f"Columns are in the order of the rows. {signs}.{framed}"]

    def view(self) -> Spec:
        """Cells from one colour to the other, with their ratios where there is room."""
        found, style, palette = self.win_ratios, self.style, self.style.palette
        places = self._places
        names = [found.marked_runs[place] for place in places]
        size = style.sheet.font - 1
        two_lines = 2 * size + 6  # the ratio and, below it, the number of queries
        square = Square.of(names, style, widest=2.4)
        if len(names) <= FEW:
            square = replace(square, cell=(square.cell[0], max(square.cell[1], two_lines)))
        reach = max(float(np.nanmax(np.abs(found.ratios - 0.5), initial=0.0)), NARROWEST)
        values = []
        for at, row in enumerate(places):
            for other, column in enumerate(places):
                ratio = float(found.ratios[row, column])
                if row == column or math.isnan(ratio):
                    continue
                end = palette.second if ratio > 0.5 else palette.first
                mixed = _mixed(palette.band, end, abs(ratio - 0.5) / reach)
                values.append({
                    "run": square.labels[at], "column": other + 1, "name": shown_name(names[at]),
                    "other": shown_name(names[other]), "ratio": ratio, "queries": int(found.counted[row, column]),
                    "wins": int(found.wins[row, column]), "losses": int(found.losses[row, column]),
                    "even": int(found.even[row, column]),
                    "p": None if math.isnan(found.p[row, column]) else float(found.p[row, column]),
                    "light": letters_on(mixed) == "#ffffff", "framed": self._is_framed(row, column),
                    "label": f"{ratio:.0%}", "number": f"{found.counted[row, column]:,}",
                })  # fmt: skip
        x, y = square.x("Run of the column"), square.y()
        colour = {
            "field": "ratio", "type": "quantitative", "title": "The column is preferred",
            "scale": {"domain": [0.5 - reach, 0.5, 0.5 + reach], "range": [palette.first, palette.band, palette.second],
                      "interpolate": "rgb"},
            "legend": {"orient": "bottom", "format": ".0%", "gradientLength": min(200, style.sheet.width // 2),
                       "tickCount": 3, "offset": 10},
        }  # fmt: skip
        tooltip = [
            {"field": "other", "type": "nominal", "title": "Column"},
            {"field": "name", "type": "nominal", "title": "Row"},
            {"field": "ratio", "type": "quantitative", "title": "Column preferred", "format": ".1%"},
            {"field": "queries", "type": "quantitative", "title": "Of queries", "format": ","},
            {"field": "wins", "type": "quantitative", "title": "Wins", "format": ","},
            {"field": "losses", "type": "quantitative", "title": "Losses", "format": ","},
            {"field": "even", "type": "quantitative", "title": "Even", "format": ","},
            {"field": "p", "type": "quantitative", "title": "p, corrected", "format": ".4f"},
        ]
        layers: list[Spec] = [{
            "mark": {"type": "rect", "stroke": palette.paper, "strokeWidth": square.stroke()},
            "encoding": {"x": x, "y": y, "color": colour, "tooltip": tooltip},
        }]  # fmt: skip
        if any(row["framed"] for row in values):
            layers.append({
                "transform": [{"filter": {"field": "framed", "equal": True}}],
                "mark": {"type": "rect", "filled": False, "stroke": palette.ink,
                         "strokeWidth": 1.6 if min(square.cell) >= 12 else 0.8},
                "encoding": {"x": x, "y": y},
            })  # fmt: skip
        if style.text_width("99%") + 4 <= square.cell[0]:
            is_high = square.cell[1] >= two_lines
            for field, offset, shown in (("label", -size / 2 * is_high, True), ("number", size / 2 + 1, is_high)):
                if shown:
                    layers.append({
                        "mark": {"type": "text", "fontSize": size - (field == "number"), "dy": offset},
                        "encoding": {"x": x, "y": y, "text": {"field": field, "type": "nominal"},
                                     "color": {"condition": {"test": {"field": "light", "equal": True},
                                                             "value": "#ffffff"}, "value": "#15181d"}},
                    })  # fmt: skip
        return {"data": {"values": values}, **square.size, "layer": layers}


def _mixed(one: str, other: str, share: float) -> str:
    """The colour that lies so far on the way from one to the other."""
    parts = [(int(one[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(start + (end - start) * share):02x}" for start, end in parts)
