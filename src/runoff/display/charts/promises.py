"""How far each promise of a calibration is from its level, with Monte Carlo intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from runoff.display.charts._base import Chart, Spec, check_most, number
from runoff.display.charts._labels import fit, names_column, short_labels, shown_name
from runoff.display.tracks import track
from runoff.errors import UsageError
from runoff.simulation.calibration import CalibratedLine, CalibrationResult

WORDS: Final = ("not refuted", "conservative", "off")


@dataclass(frozen=True, eq=False)
class Promises(Chart):
    """Observed minus promised of every error, coverage and power, in points, so that above 0 is the bad side.

    An error's share counts upwards, a coverage or a power downwards. Biases have another unit and are left out.

    most  how many lines are shown, those furthest on the bad side
    """

    name: ClassVar = "promises"
    description: ClassVar = "How far errors, coverages and powers are from what is promised, with 95% intervals."

    calibration: CalibrationResult
    most: int = 60

    def __post_init__(self) -> None:
        check_most(self.most)
        if not self._lines:
            raise UsageError("no error, coverage or power is calibrated; expected one at least; leave --only out")

    @property
    def title(self) -> str:
        """The measure, and how many lines are shown."""
        count = len(self._lines)
        part = f", the worst {self.most:,} of {count:,}" if count > self.most else ""
        return f"Do the promises hold? {self.calibration.measure}{part}"

    @property
    def subtitle(self) -> str:
        """Boards, sizes and where the bad side is."""
        sizes = ", ".join(f"{size:,}" for size in self.calibration.sizes)
        return (
            f"{self.calibration.boards:,} simulated boards of {sizes} queries; right of 0 is worse than promised; 95% "
            "intervals, each by itself, and colours that allow for the number of lines"
        )

    @property
    def _lines(self) -> tuple[CalibratedLine, ...]:
        known = [one for one in self.calibration.lines if one.line.kind in ("at most", "at least") and one.boards]
        return tuple(sorted(known, key=lambda one: (not one.line.promised, -_worse(one)[1])))

    @property
    def _shown(self) -> tuple[CalibratedLine, ...]:
        return self._lines[: self.most]

    def _label(self, one: CalibratedLine) -> str:
        """What is stated, and of how many queries where that is not the same for all."""
        size = f", {one.queries:,} queries" if len(self.calibration.sizes) > 1 else ""
        return f"{one.quantity}: {one.line.label}{size}"

    def text_alternative(self) -> str:
        """How many promises are not refuted, and the furthest one."""
        promised = [one for one in self._lines if one.line.promised]
        if not promised:
            return f"{len(self._lines):,} statements that are not promised are shown beside their levels."
        off = sum(one.verdict.word == "off" for one in promised)
        low, point, high = _worse(promised[0])
        side = "worse" if point > 0.0 else "better"
        return (
            f"{len(promised) - off:,} of {len(promised):,} promises are not refuted. The furthest on the bad side is "
            f"{shown_name(self._label(promised[0]))}: {abs(100 * point):.1f} points {side} than promised (95% interval "
            f"{100 * low:+.1f} to {100 * high:+.1f}, above 0 is worse)."
        )

    def text_lines(self, width: int) -> list[str]:
        """Statement, points and interval, a line each."""
        labels = [shown_name(self._label(one)) for one in self._shown]
        column = max(names_column(labels, width), 9)
        room = max(width - column - 10, 1)
        lines = []
        for label, one in zip(labels, self._shown, strict=True):
            low, point, high = _worse(one)
            line = track(low, point, high, span=self._span, width=room)
            lines.append(f"{fit(label, column)}  {100 * point:+6.1f}  {line}".rstrip())
        return [f"{fit('Statement', column)}  Points  95% interval", *lines]

    def text_notes(self) -> list[str]:
        """The ends of the scale."""
        low, high = self._span
        return [f"The scale is from {100 * low:+.1f} to {100 * high:+.1f} points; above 0 is worse than promised."]

    @property
    def _span(self) -> tuple[float, float]:
        ends = [_worse(one) for one in self._shown]
        return min(0.0, *(one[0] for one in ends)), max(0.0, *(one[2] for one in ends))

    def view(self) -> Spec:
        """A row per promise: interval and point, and a line at what is promised."""
        style, palette = self.style, self.style.palette
        labels = short_labels([self._label(one) for one in self._shown], 2 * style.sheet.label)
        values = []
        for label, one in zip(labels, self._shown, strict=True):
            low, point, high = (number(100 * value) for value in _worse(one))
            values.append({
                "statement": label, "name": shown_name(self._label(one)), "low": low, "points": point, "high": high,
                "word": one.verdict.word if one.line.promised else "not promised",
                "observed": number(100 * one.mean), "level": number(100 * (one.line.level or 0.0)),
            })  # fmt: skip
        x = {"type": "quantitative", "title": "Points worse than promised", "scale": {"nice": True, "padding": 6}}
        y = {
            "field": "statement",
            "type": "nominal",
            "axis": {"title": None},
            "scale": {"domain": list(labels), "padding": 0},
        }
        colour = {
            "field": "word",
            "type": "nominal",
            "title": None,
            "scale": {
                "domain": [*WORDS, "not promised"],
                "range": [palette.second, palette.soft, palette.accent, palette.neutral],
            },
        }
        tooltip = [
            {"field": "name", "type": "nominal", "title": "Statement"},
            {"field": "observed", "type": "quantitative", "title": "Observed, %", "format": ".1f"},
            {"field": "level", "type": "quantitative", "title": "Promised, %", "format": ".1f"},
            {"field": "word", "type": "nominal", "title": "Verdict"},
        ]
        thick = 2 if style.size != "print" else 1.2
        return {
            "data": {"values": values},
            "width": style.plot_width(*labels),
            "height": style.row_height(len(values)) * len(values),
            "layer": [
                {"mark": {"type": "rule", "color": palette.soft, "strokeDash": [4, 3]},
                 "encoding": {"x": {"datum": 0, **x}}},
                {"mark": {"type": "rule", "strokeWidth": thick},
                 "encoding": {"y": y, "x": {"field": "low", **x}, "x2": {"field": "high"}, "color": colour,
                              "tooltip": tooltip}},
                {"mark": {"type": "point", "filled": True, "opacity": 1, "size": 50 if style.size != "print" else 16},
                 "encoding": {"y": y, "x": {"field": "points", **x}, "color": colour, "tooltip": tooltip}},
            ],
        }  # fmt: skip


def _worse(one: CalibratedLine) -> tuple[float, float, float]:
    """How much worse than promised, with its 95% interval."""
    level, (low, high) = one.line.level or 0.0, one.verdict.ci95
    if one.line.kind == "at most":
        return low - level, one.mean - level, high - level
    return level - high, level - one.mean, level - low
