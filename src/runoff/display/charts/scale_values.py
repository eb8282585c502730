"""The values that a measure can take, above the same values in equal steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from runoff.boards.scales import ScaleResult
from runoff.display.charts._base import Chart, Spec

JOINED: Final = 200
"""With more values than this no lines join the two scales."""
WRITTEN: Final = 12
"""With at most so many values each is written beside its tick, where there is room."""
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

    @property
    def title(self) -> str:
        """The answer."""
        is_scale = "takes equal steps" if self.scale.is_equispaced else "takes unequal steps"
        return f"{self.scale.measure} {is_scale}"

    @property
    def subtitle(self) -> str:
        """Values and lists."""
        count = len(self.scale.values)
        values = f"{count:,} {'value' if count == 1 else 'values'}"
        return f"{values} over all {self.scale.states:,} lists of {self.scale.depth:,} ranks"

    def text_alternative(self) -> str:
        """The number of values, and the smallest and the largest step."""
        values = self.scale.values
        said = f"{self.scale.measure} has {len(values):,} values from {values[0]:.4f} to {values[-1]:.4f}"
        if len(values) < 2:
            return f"{said}."
        steps = values[1:] - values[:-1]
        if self.scale.is_equispaced:
            return f"{said}, all {steps[0]:.4f} apart: it is an interval scale of these lists."
        place = int(steps.argmax())
        return (
            f"{said}. Its steps are from {steps.min():.4g} to {steps.max():.4f}, the largest between "
            f"{values[place]:.4f} and {values[place + 1]:.4f}: it is not an interval scale of these lists."
        )

    def text_lines(self, width: int) -> list[str]:
        """Two lines of ticks."""
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
        style, palette, found = self.style, self.style.palette, self.scale
        count = len(found.values)
        room = style.plot_width(*ROWS, beside=2 * style.sheet.font)
        values, lines = [], []
        last = [-1.0, -1.0]
        for number, (value, at, equal) in enumerate(
            zip(found.values.tolist(), self._scaled, found.interval_values.tolist(), strict=True)
        ):
            state = ("" if max(found.examples[number]) < 10 else ",").join(map(str, found.examples[number]))
            for row, place in enumerate((at, equal)):
                text = f"{value:.2f}" if row == 0 else f"{equal:.2f}"
                near = (place - last[row]) * room < style.text_width("0.000")
                written = count <= WRITTEN and not near
                last[row] = place if written else last[row]
                values.append({
                    "row": ROWS[row], "at": place, "value": value, "equal": equal, "list": state,
                    "label": text if written else "",
                })  # fmt: skip
            lines.append({"top": at, "bottom": equal, "row": ROWS[0], "end": ROWS[1]})
        y = {"field": "row", "type": "nominal", "title": None, "scale": {"type": "point", "domain": list(ROWS)},
             "axis": {"domain": False, "ticks": False}}  # fmt: skip
        x = {"field": "at", "type": "quantitative", "title": None, "axis": None, "scale": {"domain": [0, 1]}}
        joined: Spec = {
            "data": {"values": lines},
            "mark": {"type": "rule", "color": palette.neutral, "strokeWidth": 1 if count <= 40 else 0.5},
            "encoding": {"x": {**x, "field": "top"}, "x2": {"field": "bottom"}, "y": y, "y2": {"field": "end"}},
        }
        tooltip = [
            {"field": "value", "type": "quantitative", "title": "Value", "format": ".4f"},
            {"field": "equal", "type": "quantitative", "title": "In equal steps", "format": ".4f"},
            {"field": "list", "type": "nominal", "title": "A list with it"},
        ]
        height = 5 * style.sheet.font
        words = [
            {
                "data": {"values": [one for one in values if one["row"] == row and one["label"]]},
                "mark": {"type": "text", "dy": dy * style.sheet.font * 1.4},
                "encoding": {"x": x, "y": y, "text": {"field": "label", "type": "nominal"}},
            }
            for row, dy in zip(ROWS, (-1, 1), strict=True)
        ]
        ticks: Spec = {
            "data": {"values": values},
            "mark": {"type": "tick", "opacity": 1, "size": style.sheet.font * 1.1,
                     "thickness": 2 if count <= 60 else 1},
            "encoding": {
                "x": x, "y": y, "tooltip": tooltip,
                "color": {"field": "row", "type": "nominal", "legend": None,
                          "scale": {"domain": list(ROWS), "range": [palette.accent, palette.second]}},
            },
        }  # fmt: skip
        base: Spec = {
            "data": {"values": [{"row": row, "from": 0, "to": 1} for row in ROWS]},
            "mark": {"type": "rule", "color": palette.line},
            "encoding": {"x": {**x, "field": "from"}, "x2": {"field": "to"}, "y": y},
        }
        layers = [base, *([joined] if count <= JOINED else []), ticks, *words]
        return {"width": room, "height": height, "layer": layers}
