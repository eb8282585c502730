"""How all lists of a small depth compare, in the orders of two measures: a pane for each two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from runoff.comparisons import SerpOrdersResult
from runoff.display.charts._base import Chart
from runoff.display.charts._spec import Spec, colour_of, layer, panel_title, quantitative, signs_note, tooltip
from runoff.display.charts.relation_grid import check_drawable, order_kinds
from runoff.errors import UsageError
from runoff.phrases import counted

ACROSS: Final = 2
"""Panes beside each other."""
OVERLAP: Final = 0.15
"""How far a cell reaches below the next ones, which are drawn over it, so that no paper shows between them."""


@dataclass(frozen=True, eq=False)
class RelationOrders(Chart):
    """The relation of every list of k ranks to every other one; each pane has rows and columns by another measure.

    Where rows and columns have one order, the equal pairs are the diagonal; the farther they stray from it, the more
    the measures disagree, and Kendall's tau says how much.
    Moffat & Mackenzie 2024, Figure 3, https://doi.org/10.1002/asi.24874
    """

    name: ClassVar = "relation_orders"
    description: ClassVar = "How every list of a small depth compares with every other, in the orders of two measures."
    subtitle: ClassVar = (
        "Every list against every other one, the worst first; τ is Kendall's, of the rows' and the columns' order"
    )

    panes: Sequence[SerpOrdersResult]

    def __post_init__(self) -> None:
        if not self.panes:
            raise UsageError("there are no orders to show; expected at least one")
        for pane in self.panes:
            check_drawable(pane.depth)

    @property
    def title(self) -> str:
        return f"How do measures order the lists of {self.panes[0].depth}?"

    def text_alternative(self) -> str:
        first = self.panes[0]
        free = int((first.relations == 2).sum()) // 2
        taus = "; ".join(f"{pane.rows} and {pane.columns} {pane.tau:.3f}" for pane in self.panes)
        return (
            f"All {len(first.row_serps):,} lists of {first.depth}, in {len(self.panes):,} pairs of orders; "
            f"{counted(free, 'pair')} of lists {'is' if free == 1 else 'are'} non-separable in each. Kendall's tau "
            f"between the orders by two measures: {taus}."
        )

    def text_lines(self, width: int) -> list[str]:
        kinds = order_kinds(self.style.palette)
        lines: list[str] = []
        for at, pane in enumerate(self.panes):
            lines += ["", _head(at, pane)[:width]]
            for serp, row in zip(pane.row_serps, pane.relations.tolist(), strict=True):
                lines.append(f"{serp}  {''.join(kinds[code].sign for code in row)}"[:width])
            room = width - pane.depth - 2
            if len(pane.row_serps) > room:
                lines.append(f"The first {room} of {len(pane.row_serps)} columns."[:width])
        return lines[1:]

    def text_notes(self) -> list[str]:
        signs = signs_note(order_kinds(self.style.palette).values())
        return ["The row's list against the column's; columns are in the order that their measure gives.", signs]

    def view(self) -> Spec:
        """A square per pane, its rows as strips of equal relations."""
        style, kinds = self.style, order_kinds(self.style.palette)
        across = min(ACROSS, len(self.panes))
        gap = 3 * style.sheet.font
        side = (style.sheet.width - 4 * style.sheet.font - (across - 1) * gap) // across
        count = len(self.panes[0].row_serps)
        side = min(max(side // count, 1), style.sheet.row) * count  # whole pixels, so that no seams show
        colour = colour_of([kinds[code] for code in (1, -1, 0, 2)], style)
        panes = [self._pane(at, pane, side, colour) for at, pane in enumerate(self.panes)]
        return {"concat": panes, "columns": across, "spacing": {"row": style.sheet.font, "column": gap}}

    def _pane(self, at: int, pane: SerpOrdersResult, side: int, colour: Spec) -> Spec:
        kinds, count = order_kinds(self.style.palette), len(pane.row_serps)
        values = []
        for top, codes in enumerate(pane.relations):
            starts = np.flatnonzero(np.diff(codes, prepend=codes[0] + 1)).tolist()
            for start, end in zip(starts, [*starts[1:], count], strict=True):
                place = {"top": top, "bottom": min(top + 1 + OVERLAP, count), "start": start}
                place["end"] = min(end + OVERLAP, count)
                columns, kind = _between(pane.column_serps[start:end]), kinds[int(codes[start])].word
                values.append({"row": pane.row_serps[top], "columns": columns, "kind": kind, **place})
        scale = {"domain": [0, count], "nice": False}
        axis = {"labels": False, "ticks": False, "grid": False, "domain": False, "titlePadding": 4}
        encoding = {
            "x": quantitative("start", f"by {pane.columns}", scale=scale, axis=axis),
            "x2": {"field": "end"},
            "y": quantitative("top", f"by {pane.rows}", scale={**scale, "reverse": True}, axis=axis),
            "y2": {"field": "bottom"},
            "color": colour,
            "tooltip": tooltip(("row", "Row"), ("kind", "Is"), ("columns", "Columns")),
        }
        title = panel_title(f"({_letter(at)}) τ = {pane.tau:.3f}", self.style, color=self.style.palette.ink)
        return {"width": side, "height": side, "title": title, **layer("rect", encoding, values, strokeWidth=0)}


def _head(at: int, pane: SerpOrdersResult) -> str:
    return f"({_letter(at)}) Rows by {pane.rows}, columns by {pane.columns}: τ = {pane.tau:.3f}"


def _letter(at: int) -> str:
    return chr(ord("a") + at % 26)


def _between(serps: Sequence[str]) -> str:
    return serps[0] if len(serps) == 1 else f"{serps[0]} to {serps[-1]}"
