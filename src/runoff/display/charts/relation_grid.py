"""How all lists of a small depth stand to each other: a square of relations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from runoff.comparisons import AllSerpsResult
from runoff.display.charts._base import Chart, Spec
from runoff.display.charts._kinds import Kind, colour_of, letters_of, signs_note
from runoff.display.charts._style import Palette
from runoff.errors import UsageError

DEEPEST: Final = 6
"""64 lists are 4,096 cells, the most that a page shows well."""
NAMED: Final = 5
"""To this depth every row is named."""


@dataclass(frozen=True, eq=False)
class RelationGrid(Chart):
    """The relation of every list of k ranks to every other one; rows and columns are binary numbers, the worst first.

    Moffat & Mackenzie 2024, Figures 2 and 3, https://doi.org/10.1002/asi.24874
    """

    name: ClassVar = "relation_grid"
    description: ClassVar = "How every list of a small depth stands to every other one, whatever the measure."

    all_serps: AllSerpsResult

    def __post_init__(self) -> None:
        check_drawable(self.all_serps.depth)

    @property
    def title(self) -> str:
        """The depth."""
        return f"Which lists of {self.all_serps.depth} must every measure order alike?"

    @property
    def subtitle(self) -> str:
        """How to read it."""
        return "1 is relevant, 0 is not, rank 1 first. The row's list beside the column's"

    def text_alternative(self) -> str:
        """How many pairs there are of each kind."""
        found = self.all_serps
        counts = {code: int((found.relations == code).sum()) for code in (0, 1, 2)}
        lists, free = len(found.serps), counts[2] // 2
        said = (
            f"Of the {lists:,} lists of {found.depth}, every list equals itself, {counts[1]:,} pairs must be ordered "
            f"alike by every measure, and {free:,} {'is' if free == 1 else 'are'} non-separable"
        )
        if free:
            row, column = next(
                (row, column) for row in range(lists) for column in range(row) if found.relations[row, column] == 2
            )
            said += f", such as {found.serps[row]} and {found.serps[column]}"
        return f"{said}."

    def text_lines(self, width: int) -> list[str]:
        """A line per list, a sign per pair."""
        found, kinds = self.all_serps, order_kinds(self.style.palette)
        lines = []
        for serp, row in zip(found.serps, found.relations.tolist(), strict=True):
            room = max(width - len(serp) - 2, 1)
            gap = " " if 2 * len(row) <= room else ""
            signs = gap.join(kinds[code].sign for code in row)
            lines.append(f"{serp}  {signs[:room]}")
        if len(found.serps) > width - found.depth - 2:
            lines.append(f"The first {width - found.depth - 2} of {len(found.serps)} columns."[:width])
        return lines

    def text_notes(self) -> list[str]:
        """The signs."""
        signs = signs_note(list(order_kinds(self.style.palette).values()))
        return ["The row's list beside the column's; columns are in the order of the rows.", signs]

    def view(self) -> Spec:
        """A cell per pair, with its sign where there is room."""
        found, style, kinds = self.all_serps, self.style, order_kinds(self.style.palette)
        count = len(found.serps)
        values = [
            {"row": serp, "column": other, "kind": kinds[code].word, "sign": kinds[code].sign}
            for serp, codes in zip(found.serps, found.relations.tolist(), strict=True)
            for other, code in zip(found.serps, codes, strict=True)
        ]
        room = style.plot_width(found.serps[0])
        cell = min(room / count, style.sheet.row * 1.8)
        is_named = cell >= style.sheet.font + 1
        every = [serp for at, serp in enumerate(found.serps) if is_named or at % (count // 8) == 0 or at == count - 1]
        axis = {"values": every, "domain": False, "ticks": False}
        x = {"field": "column", "type": "nominal", "title": None, "scale": {"domain": list(found.serps)},
             "axis": {**axis, "orient": "top", "labelAngle": 0 if self._fits(cell) else -90}}  # fmt: skip
        y = {"field": "row", "type": "nominal", "title": None, "scale": {"domain": list(found.serps)}, "axis": axis}
        legend = [kinds[code] for code in (1, -1, 0, 2)]
        layers: list[Spec] = [
            {
                "mark": {"type": "rect", "stroke": style.palette.paper, "strokeWidth": 1 if cell >= 8 else 0.3},
                "encoding": {
                    "x": x, "y": y, "color": colour_of(legend, style),
                    "tooltip": [{"field": "row", "type": "nominal", "title": "Row"},
                                {"field": "kind", "type": "nominal", "title": "Is"},
                                {"field": "column", "type": "nominal", "title": "Column"}],
                },
            }
        ]  # fmt: skip
        if cell >= style.sheet.font:
            layers.append({
                "mark": {"type": "text", "fontSize": style.sheet.font},
                "encoding": {"x": x, "y": y, "text": {"field": "sign", "type": "nominal"}, "color": letters_of(legend)},
            })  # fmt: skip
        return {
            "data": {"values": values}, "width": round(cell * count), "height": round(cell * count), "layer": layers,
            "resolve": {"scale": {"color": "independent"}},
        }  # fmt: skip

    def _fits(self, cell: float) -> bool:
        return self.style.text_width("0" * self.all_serps.depth) + 4 <= cell


def check_drawable(depth: int) -> None:
    """Refuse a depth at which there are too many lists for a picture."""
    if depth > DEEPEST:
        raise UsageError(f"the {2**depth:,} lists of {depth} are too many for a picture; expected a depth to {DEEPEST}")


def order_kinds(palette: Palette) -> dict[int, Kind]:
    """How one list stands to another, by the codes of `AllSerpsResult.relations`."""
    return {
        1: Kind("never worse", palette.first, "≥"),
        -1: Kind("never better", palette.second, "≤"),
        0: Kind("equal", palette.neutral, "="),
        2: Kind("non-separable", palette.strong, "×"),
    }
