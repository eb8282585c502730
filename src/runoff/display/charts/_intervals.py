"""Intervals: points with their ends, a row each, and lines of them in text."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from runoff.display.charts._base import Chart
from runoff.display.charts._labels import TextRow, text_rows
from runoff.display.charts._spec import Spec, layer, nominal, panel, points, zero_line
from runoff.display.text_pictures import track


class IntervalLine(NamedTuple):
    """One line of the text: what is written before and behind the interval, and its ends and point, if it has any."""

    before: tuple[str, ...]
    ends: tuple[float, float, float] | None
    after: str = ""


@dataclass(frozen=True, eq=False)
class Intervals(Chart):
    """A chart of intervals; a subclass gives the lines of text and draws them as one `panel` or several."""

    head: ClassVar[tuple[str, ...]] = ()
    """The headings of what is before the interval, of the interval, and of what is behind it."""
    align: ClassVar[str] = "<>"
    """`<` or `>` for every column before the interval."""
    number: ClassVar[str] = ".4f"
    """How the ends of the scale are written."""
    unit: ClassVar[str] = ""
    """What is written behind the ends of the scale."""
    is_from_zero: ClassVar[bool] = False
    """Whether 0 is always on the scale."""

    @abstractmethod
    def intervals(self) -> Sequence[IntervalLine]:
        """The lines of the text."""

    def _rounded_lines(self) -> list[IntervalLine]:
        """The lines, with ends of as many digits as the chart shows: where a bar ends is a number too."""
        return [line._replace(ends=self._rounded_ends(line.ends)) for line in self.intervals()]

    def _rounded_ends(self, ends: tuple[float, float, float] | None) -> tuple[float, float, float] | None:
        if ends is None:
            return None
        low, point, high = map(self.rounded, ends)
        return low, point, high

    def span(self) -> tuple[float, float]:
        """The ends of the scale."""
        ends = [interval.ends for interval in self._rounded_lines() if interval.ends]
        zero = [0.0] if self.is_from_zero else []
        low, high = min([*zero, *(low for low, _, _ in ends)]), max([*zero, *(high for *_, high in ends)])
        return low + 0.0, high + 0.0  # never -0.0, which prints a sign

    def text_lines(self, width: int) -> list[str]:
        intervals = self._rounded_lines()
        span = self.span() if any(line.ends for line in intervals) else (0.0, 0.0)

        def row(line: IntervalLine) -> TextRow:
            ends = line.ends
            drawing = (lambda room: track(*ends, span=span, width=room)) if ends else lambda _: ""
            return TextRow(line.before, drawing, line.after)

        return text_rows(list(map(row, intervals)), width, self.align, self.head)

    def key(self) -> tuple[str, ...]:
        if not any(line.ends for line in self.intervals()):
            return ()
        low, high = self.span()
        return (f"The scale is from {low:{self.number}} to {high:{self.number}}{self.unit}.",)

    def panel(
        self,
        y: Spec,
        values: list[Spec] | None,
        x: Spec,
        ends: tuple[str, str, str],
        size: tuple[float, float],
        **look: Any,
    ) -> Spec:
        """Rows by `y`, each with a rule from end to end and a point.

        ends  the fields of the interval: low, point, high
        size  width and height
        look  encodings of both marks; a `shape` is of the points alone, `zero` the look of a line at 0 if there is one
        """
        (low, point, high), style = ends, self.style
        dots = {"y": y, "x": {"field": point, **x}} | {key: look[key] for key in look if key != "zero"}
        rule = {key: value for key, value in dots.items() if key != "shape"}
        rule |= {"x": {"field": low, **x}, "x2": {"field": high}}
        zero = [zero_line("x", x, style.palette.soft, **look["zero"])] if "zero" in look else []
        thick = 2 if style.size != "print" else 1.2
        lines = layer("rule", rule, strokeWidth=thick, opacity=0.75)
        return panel(*size, *zero, lines, points(dots, style), values=values)

    def rows(self, labels: Sequence[str], *, named: bool = True, **scale: Any) -> Spec:
        """The rows by the field `row`, with their labels or without."""
        return nominal("row", scale={"domain": list(labels), **scale}, **({} if named else {"axis": None}))

    def rows_height(self, labels: Sequence[str]) -> int:
        """The height of as many rows as there are labels."""
        return self.style.row_height(len(labels)) * len(labels)
