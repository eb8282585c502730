"""Things against each other as a square of cells: rows with names, columns with the numbers of the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from runoff.display.charts._base import Spec, rank_ticks
from runoff.display.charts._kinds import Kind, colour_of, letters_of
from runoff.display.charts._labels import fit, names_column, shorten, shown_name
from runoff.display.charts._style import Style

FEW: Final = 20
"""Names beside more rows than this are shortened further where the sheet is narrow."""


@dataclass(frozen=True, kw_only=True)
class Square:
    """The axes of a square.

    labels  the row labels: the number of a row and its name
    cell    width and height of a cell in pixels
    """

    labels: tuple[str, ...]
    cell: tuple[float, float]
    style: Style

    @classmethod
    def of(cls, names: Sequence[str], style: Style, *, widest: float = 2.0, beside: int = 0) -> Square:
        """A square of these names; cells are at most `widest` times as wide as they are high.

        beside  pixels that something on the right takes
        """
        count = len(names)
        limit = style.sheet.label if count <= FEW or style.size == "page" else style.sheet.label // 2
        labels = tuple(f"{place} {shorten(shown_name(name), limit)}" for place, name in enumerate(names, start=1))
        height = style.row_height(count)
        width = min(style.plot_width(*labels, beside=beside) / count, height * widest)
        return cls(labels=labels, cell=(width, height), style=style)

    @property
    def size(self) -> Spec:
        """Width and height of the whole."""
        count = len(self.labels)
        return {"width": round(self.cell[0] * count), "height": round(self.cell[1] * count)}

    def y(self) -> Spec:
        """The rows, by the field `run`."""
        return {"field": "run", "type": "nominal", "title": None, "scale": {"domain": list(self.labels)}}

    def x(self, title: str) -> Spec:
        """The columns, by the field `column`, which is a number from 1."""
        count = len(self.labels)
        every = self.style.text_width(str(count)) + 6 > self.cell[0]
        return {
            "field": "column", "type": "ordinal", "title": title, "scale": {"domain": list(range(1, count + 1))},
            "axis": {"orient": "top", "labelAngle": 0, "domain": False, "ticks": False, "labelPadding": 4,
                     **({"values": rank_ticks(count)} if every else {})},
        }  # fmt: skip

    def stroke(self) -> float:
        """The width of the lines between cells."""
        return 1 if min(self.cell) >= 8 else 0.3

    def layers(self, kinds: Sequence[Kind], *, tooltip: list[Spec], x_title: str, legend: str | None) -> Spec:
        """Cells by the field `kind`, with its sign in those that have room."""
        x, y, style = self.x(x_title), self.y(), self.style
        cells: Spec = {
            "mark": {"type": "rect", "stroke": style.palette.paper, "strokeWidth": self.stroke()},
            "encoding": {"x": x, "y": y, "color": colour_of(kinds, style, title=legend), "tooltip": tooltip},
        }
        layers = [cells]
        if min(self.cell) >= style.sheet.font:
            layers.append({
                "mark": {"type": "text", "fontSize": style.sheet.font},
                "encoding": {"x": x, "y": y, "text": {"field": "sign", "type": "nominal"}, "color": letters_of(kinds)},
            })  # fmt: skip
        return {**self.size, "layer": layers, "resolve": {"scale": {"color": "independent"}}}


def square_text(names: Sequence[str], lines: Sequence[str], width: int) -> list[str]:
    """A line per name with a sign per column; columns beyond the page are left out, and a last line says so.

    >>> square_text(["oak", "ash"], [" +", "- "], 20)
    ['1 oak   +', '2 ash  - ']
    """
    digits = len(str(len(names)))
    column = names_column([shown_name(name) for name in names], width)
    room = max(width - digits - column - 3, 1)
    longest = max(map(len, lines))
    shown = [
        f"{place:>{digits}} {fit(shown_name(name), column)}  {line[:room]}"
        for place, (name, line) in enumerate(zip(names, lines, strict=True), start=1)
    ]
    left = [fit(f"The first {room} of {longest} columns.", width).rstrip()] if longest > room else []
    return [*shown, *left]
