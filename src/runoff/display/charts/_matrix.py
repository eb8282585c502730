"""A matrix: a cell per row and column, with a colour by its kind or its number; often every run against every other."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from runoff.display.charts import _spec as vl
from runoff.display.charts._base import Chart, rank_ticks
from runoff.display.charts._labels import fit, names_column, short_labels, shorten, shown_name
from runoff.display.charts._spec import Kind, Spec, Tip

FEW: Final = 20
"""Names beside more rows than this are shortened further where the sheet is narrow."""


@dataclass(frozen=True, eq=False)
class Matrix(Chart):
    """A chart of cells; a subclass names the rows, the fields of a cell and the tooltips.

    Without `columns` rows are set against each other: rows have a number and a name, columns the numbers of the rows.
    """

    column_title: ClassVar[str | None] = None
    legend: ClassVar[str | None] = None
    legend_below: ClassVar[bool] = False
    widest: ClassVar[float] = 1.3
    """The most that the width of a cell is, in heights."""
    narrowest: ClassVar[float] = 0.0
    """The least width of a cell in pixels, also where the sheet has less room."""
    tips: ClassVar[Sequence[Tip]]

    @abstractmethod
    def rows(self) -> Sequence[str]:
        """The names of the rows, from the top."""

    def columns(self) -> Sequence[Any]:
        """The labels of the columns; none where they are the rows."""
        return ()

    def kinds(self) -> Sequence[Kind]:
        """The kinds of cells, in the order of the legend."""
        return ()

    @abstractmethod
    def cell(self, row: int, column: int) -> Spec | None:
        """The fields of a cell, `kind` among them unless `colour` is another; None where there is none."""

    def sign(self, row: int, column: int) -> str:
        """A cell in one character."""
        cell = self.cell(row, column)
        return " " if cell is None else next(kind.sign for kind in self.kinds() if kind.word == cell["kind"])

    def text_lines(self, width: int) -> list[str]:
        names, columns = [shown_name(name) for name in self.rows()], range(len(self.columns() or self.rows()))
        digits = 0 if self.columns() else len(str(len(names)))
        column = names_column(names, width)
        room = max(width - column - 2 - (digits and digits + 1), 1)
        gap = " " if not digits and 2 * len(columns) <= room else ""
        lines = []
        for at, name in enumerate(names):
            number = f"{at + 1:>{digits}} " if digits else ""
            signs = gap.join(self.sign(at, other) for other in columns[:room])
            lines.append(f"{number}{fit(name, column)}  {signs}".rstrip())
        left_out = f"The first {room} of {len(columns)} columns."
        return lines if len(columns) <= room else [*lines, fit(left_out, width).rstrip()]

    def key(self) -> tuple[str, ...]:
        return (vl.signs_note(self.kinds()),) if self.kinds() else ()

    def labels(self) -> tuple[str, ...]:
        """What is written beside the rows."""
        names, style = self.rows(), self.style
        if self.columns():
            return short_labels(names, style.sheet.label)
        limit = style.sheet.label if len(names) <= FEW or style.size == "page" else style.sheet.label // 2
        return tuple(f"{place} {shorten(shown_name(name), limit)}" for place, name in enumerate(names, start=1))

    def beside(self) -> int:
        """Pixels that something on the right takes."""
        return 0

    def cell_size(self, labels: tuple[str, ...], columns: int) -> tuple[float, float]:
        """Width and height of a cell in pixels."""
        height = self.style.row_height(len(labels))
        room = self.style.plot_width(*labels, beside=self.beside())
        return min(max(room / columns, self.narrowest), height * self.widest), height

    def colour(self) -> Spec:
        """The colour of a cell."""
        return vl.colour_of(self.kinds(), self.style, title=self.legend, below=self.legend_below)

    def texts(self, axes: Spec, cell: tuple[float, float]) -> list[Spec]:
        """What is written into the cells: their signs, where there is room."""
        font = self.style.sheet.font
        encoding = {**axes, "text": vl.text("sign"), "color": vl.letters_of(self.kinds())}
        return [vl.layer("text", encoding, fontSize=font)] if min(cell) >= font else []

    def more_layers(self, axes: Spec, cell: tuple[float, float]) -> list[Spec]:  # noqa: ARG002
        """What is drawn beside or over the cells."""
        return []

    def view(self) -> Spec:
        labels, is_square = self.labels(), not self.columns()
        columns = list(self.columns() or range(1, len(labels) + 1))
        cell = self.cell_size(labels, len(columns))
        names, signs = [shown_name(name) for name in self.rows()], {kind.word: kind.sign for kind in self.kinds()}
        values = []
        for row, label in enumerate(labels):
            for place, column in enumerate(columns):
                if (fields := self.cell(row, place)) is not None:
                    known = {"sign": signs[fields["kind"]]} if "kind" in fields and "sign" not in fields else {}
                    other = {"other": names[place]} if is_square else {}
                    values.append({"row": label, "column": column, "name": names[row], **other, **fields, **known})
        axes = {"x": self._column_axis(columns, cell[0]), "y": self._row_axis(labels, cell[1])}
        coloured = axes | {"color": self.colour(), "tooltip": vl.tooltip(*self.tips)}
        thick = 1 if min(cell) >= 8 else 0.3
        cells = vl.layer("rect", coloured, stroke=self.style.palette.paper, strokeWidth=thick)
        layers = cells, *self.texts(axes, cell), *self.more_layers(axes, cell)
        size = cell[0] * len(columns), cell[1] * len(labels)
        return vl.panel(*size, *layers, values=values, resolve=vl.OWN_COLOURS)

    def _row_axis(self, labels: Sequence[str], height: float) -> Spec:
        axis: Spec = {} if height >= self.style.sheet.font + 1 else {"axis": {"values": _every_eighth(labels)}}
        return vl.nominal("row", scale={"domain": list(labels)}, **axis)

    def _column_axis(self, columns: Sequence[Any], width: float) -> Spec:
        """Labels above the cells: upright if they fit, some of the numbers if not, other labels turned."""
        axis: Spec = {"orient": "top", "labelAngle": 0, "domain": False, "ticks": False, "labelPadding": 4}
        numbers = [column for column in columns if isinstance(column, int)]
        longest = max(map(str, columns), key=len)
        if self.style.text_width(longest) + (6 if numbers else 4) > width:
            if numbers:
                axis["values"] = rank_ticks(len(numbers))
            elif width < self.style.sheet.font + 1:
                axis |= {"labelAngle": -90, "values": _every_eighth([str(column) for column in columns])}
            else:
                axis["labelAngle"] = -90 if len(longest) <= 8 else -40
        kind = "ordinal" if numbers else "nominal"
        scale = {"domain": list(columns)}
        return {"field": "column", "type": kind, "title": self.column_title, "scale": scale, "axis": axis}


def _every_eighth(labels: Sequence[str]) -> list[str]:
    """About eight labels of many, and the last one."""
    step = max(len(labels) // 8, 1)
    return [label for at, label in enumerate(labels) if at % step == 0 or at == len(labels) - 1]
