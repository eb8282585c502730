"""The values that a measure can take, beside the same values in equal steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from runoff.boards.scales import ScaleResult
from runoff.display.charts import _spec as vl
from runoff.display.charts._base import Chart, Words
from runoff.display.charts._spec import Spec
from runoff.phrases import counted

JOINED: Final = 200
"""With more values than this no lines join the two scales."""
WRITTEN: Final = 12
"""With at most this many values each is written beside its tick, where there is room."""
ROWS: Final = ("attainable", "in equal steps")


@dataclass(frozen=True, eq=False)
class ScaleValues(Chart):
    """The attainable values of a measure on a line, and its interval-scaled version under it.

    On an interval scale the lines between them are parallel. Craswell et al. 2021, section 4.1,
    https://doi.org/10.1145/3404835.3462804
    """

    name: ClassVar = "scale_values"
    description: ClassVar = "The values that a measure can take, and the same values in equal steps."

    scale: ScaleResult

    def words(self) -> Words:
        scale, values = self.scale, self.scale.values
        steps = "equal" if scale.is_equispaced else "unequal"
        summary = f"{scale.measure} has {counted(len(values), 'value')} from {values[0]:.4f} to {values[-1]:.4f}"
        if len(values) > 1:
            apart = values[1:] - values[:-1]
            at = int(apart.argmax())
            summary += (
                f", all {apart[0]:.4f} apart: it is an interval scale of these lists"
                if scale.is_equispaced
                else f". Its steps are from {apart.min():.4g} to {apart.max():.4f}, the largest between "
                f"{values[at]:.4f} and {values[at + 1]:.4f}: it is not an interval scale of these lists"
            )
        return Words(
            f"{scale.measure} takes {steps} steps",
            f"{summary}.",
            f"{counted(len(values), 'value')} over all {scale.states:,} lists of {scale.depth:,} ranks",
        )

    def text_lines(self, width: int) -> list[str]:
        column = max(map(len, ROWS)) + 2
        room = max(width - column, 2)
        lines = []
        for row, values in zip(ROWS, (self._scaled, self.scale.interval_values.tolist()), strict=True):
            cells = ["─"] * room
            for value in values:
                cells[round(value * (room - 1))] = "┼"
            lines.append(f"{row:<{column}}{''.join(cells)}")
        low, high = f"{self.scale.values[0]:.4g}", f"{self.scale.values[-1]:.4g}"
        return [*lines, " " * column + low + high.rjust(max(room - len(low), 1))]

    @property
    def _scaled(self) -> list[float]:
        """The values from 0 to 1; both scales share their ends."""
        values = self.scale.values
        low, span = float(values[0]), float(values[-1] - values[0]) or 1.0
        return [(value - low) / span for value in values.tolist()]

    def view(self) -> Spec:
        """Ticks on two lines, joined where they are few."""
        style, palette, scale = self.style, self.style.palette, self.scale
        count = len(scale.values)
        room = style.plot_width(*ROWS, beside=2 * style.sheet.font)
        ticks, joins = [], []
        last = [-1.0, -1.0]
        for at, (value, place, equal) in enumerate(
            zip(scale.values.tolist(), self._scaled, scale.interval_values.tolist(), strict=True)
        ):
            grades = ("" if max(scale.examples[at]) < 10 else ",").join(map(str, scale.examples[at]))
            for row, (where, number) in enumerate(((place, value), (equal, equal))):
                is_written = count <= WRITTEN and (where - last[row]) * room >= style.text_width("0.000")
                last[row] = where if is_written else last[row]
                label = f"{number:.2f}" if is_written else ""
                tick = {"row": ROWS[row], "at": where, "value": value, "equal": equal, "list": grades, "label": label}
                ticks.append(tick)
            joins.append({"top": place, "bottom": equal, "row": ROWS[0], "end": ROWS[1]})
        y = vl.nominal("row", scale={"type": "point", "domain": list(ROWS)}, axis={"domain": False, "ticks": False})
        x = vl.quantitative("at", axis=None, scale={"domain": [0, 1]})
        colours = vl.words_as("row", ROWS, [palette.accent, palette.second], legend=None)
        tips = vl.tooltip(("value", "Value", ".4f"), ("equal", "In equal steps", ".4f"), ("list", "A list with it"))
        marks = {"x": x, "y": y, "tooltip": tips, "color": colours}
        whole = {"x": {**x, "field": "from"}, "x2": {"field": "to"}, "y": y}
        joined = {"x": {**x, "field": "top"}, "x2": {"field": "bottom"}, "y": y, "y2": {"field": "end"}}
        layers = [vl.layer("rule", whole, [{"row": row, "from": 0, "to": 1} for row in ROWS], color=palette.line)]
        if count <= JOINED:
            layers.append(vl.layer("rule", joined, joins, color=palette.neutral, strokeWidth=1 if count <= 40 else 0.5))
        size, thick = style.sheet.font * 1.1, 2 if count <= 60 else 1
        layers.append(vl.layer("tick", marks, ticks, opacity=1, size=size, thickness=thick))
        for name, dy in zip(ROWS, (-1, 1), strict=True):
            written = [tick for tick in ticks if tick["row"] == name and tick["label"]]
            layers.append(
                vl.layer("text", {"x": x, "y": y, "text": vl.text()}, written, dy=dy * style.sheet.font * 1.4)
            )
        return vl.panel(room, 5 * style.sheet.font, *layers)
