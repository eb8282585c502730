"""Intervals: points with their ends, a row each, and lines of them in text."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from runoff.display.charts._base import Chart
from runoff.display.charts._labels import fit, names_column
from runoff.display.charts._spec import Spec, layer, nominal, points
from runoff.display.text_pictures import track


class IntervalLine(NamedTuple):
    """One line of the text: what is written before and behind the interval, and its ends and point, if it has any."""

    before: tuple[str, ...]
    ends: tuple[float, float, float] | None
    after: str = ""


@dataclass(frozen=True, eq=False)
class Intervals(Chart):
    """A chart of intervals; a subclass gives the lines of text and draws with `interval_layers`."""

    head: ClassVar[tuple[str, ...]] = ()
    """The headings of what is before the interval, of the interval, and of what is behind it."""
    align: ClassVar[str] = "<>"
    """`<` or `>` for every column before the interval."""
    number: ClassVar[str] = ".4f"
    """How the ends of the scale are written."""
    is_from_zero: ClassVar[bool] = False
    """Whether 0 is always on the scale."""

    @abstractmethod
    def intervals(self) -> Sequence[IntervalLine]:
        """The lines of the text."""

    def span(self) -> tuple[float, float]:
        """The ends of the scale."""
        ends = [interval.ends for interval in self.intervals() if interval.ends]
        zero = [0.0] if self.is_from_zero else []
        return min([*zero, *(low for low, _, _ in ends)]), max([*zero, *(high for *_, high in ends)])

    def text_lines(self, width: int) -> list[str]:
        intervals, head = self.intervals(), self.head
        columns = list(zip(*([head[:-2]] if head else []), *(line.before for line in intervals), strict=True))
        widths = [names_column(cells, width) for cells in columns]
        after = max(len(line.after) for line in intervals)
        after = max(after, len(head[-1])) if head and after else after
        room = max(width - sum(widths) - 2 * len(widths) - (after and after + 2), 1)
        span = self.span() if any(line.ends for line in intervals) else (0.0, 0.0)
        lines = [self._line(head[:-2], widths, fit(head[-2], room), head[-1])] if head else []
        for line in intervals:
            drawn = track(*line.ends, span=span, width=room) if line.ends else ""
            lines.append(self._line(line.before, widths, drawn, line.after))
        return lines

    def _line(self, before: Sequence[str], widths: Sequence[int], drawn: str, after: str) -> str:
        cells = [
            fit(cell, width) if side == "<" else fit(cell, min(len(cell), width)).rjust(width)
            for cell, width, side in zip(before, widths, self.align, strict=True)
        ]
        return "  ".join([*cells, drawn, after]).rstrip()

    def text_notes(self) -> list[str]:
        low, high = self.span()
        return [f"The scale is from {low:{self.number}} to {high:{self.number}}."]

    def row_axis(self, labels: Sequence[str], *, named: bool = True) -> Spec:
        """The rows by the field `row`, with their labels or without."""
        more: Spec = {} if named else {"axis": None}
        return nominal("row", scale={"domain": list(labels), "padding": 0}, **more)

    def interval_layers(
        self, encoding: Spec, x: Spec, ends: tuple[str, str, str] = ("low", "point", "high"), **more: Any
    ) -> list[Spec]:
        """A rule from end to end and a point; `ends` are the fields, `more` the encodings or colour of the points."""
        low, point, high = ends
        colour = {"color": more.pop("colour")} if "colour" in more else {}
        thick = 2 if self.style.size != "print" else 1.2
        rule = encoding | {"x": {"field": low, **x}, "x2": {"field": high}}
        dots = encoding | {"x": {"field": point, **x}} | more
        return [layer("rule", rule, strokeWidth=thick, opacity=0.75, **colour), points(dots, self.style, **colour)]
