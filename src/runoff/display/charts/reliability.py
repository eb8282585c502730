"""Charts of reliability and calibration: tests on the other half of the queries, promises on simulated boards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final

from runoff.boards.reliability import ReliabilityResult, RepeatShares
from runoff.display.charts._base import Words, first_of
from runoff.display.charts._intervals import IntervalLine, Intervals
from runoff.display.charts._labels import short_labels, shown_name
from runoff.display.charts._spec import Kind, Spec, finite, legend_above, numbers, tooltip, words_as
from runoff.display.charts._stacked_bars import Bar, Bars, StackedBars
from runoff.errors import UsageError
from runoff.phrases import counted
from runoff.simulation.calibration import CalibratedLine, CalibrationResult


@dataclass(frozen=True, eq=False)
class HalfSplits(StackedBars):
    """The shares of pairs and splits in which a test agrees, partially agrees or disagrees with itself.

    Craswell et al. 2021, Table 4, https://doi.org/10.1145/3404835.3462804
    """

    name: ClassVar = "half_splits"
    description: ClassVar = "How often each significance test agrees with itself on two random halves of the queries."
    legend: ClassVar = "The halves"
    axis_title: ClassVar = "Share of pairs and splits"
    longest_label: ClassVar = 32
    tips: ClassVar = (("test", "Test"),)
    part_tips: ClassVar = (("kind", "The halves"), ("share", "Share", ".2%"))

    reliability: ReliabilityResult

    def words(self) -> Words:
        result = self.reliability
        ordered = sorted(result.tests, key=lambda shares: -shares.agree)
        most, least = (
            f"{_test(test)} ({test.agree:.1%}, disagree {test.disagree:.1%})" for test in (ordered[0], ordered[-1])
        )
        pairs = counted(result.pairs, "pair")
        return Words(
            f"Do the tests repeat on the other half? {result.measure}",
            f"By {result.measure}, the halves agree most often with {most} and least often with {least}.",
            f"{result.splits:,} random halves of {result.queries:,} queries, {pairs} of runs, level {result.level:g}",
        )

    def kinds(self) -> Sequence[Kind]:
        palette = self.style.palette
        return (
            Kind("agree", palette.second, "█"),
            Kind("partial", palette.neutral, "▒"),
            Kind("disagree", palette.accent, "░"),
        )

    def panels(self) -> Sequence[Bars]:
        bars = []
        for test in self.reliability.tests:
            shares = (float(test.agree), float(test.partial), float(test.disagree))
            end = " ".join(f"{share:>6.1%}" for share in shares)
            bars.append(Bar(_test(test), shares, {"test": _test(test)}, end=end))
        return [Bars(bars)]


def _test(shares: RepeatShares) -> str:
    """A test and its aggregate, as people say it."""
    return f"{shares.test.replace('_', ' ')}, better by {shares.aggregate}"


WORDS: Final = ("not refuted", "conservative", "off", "not promised")


@dataclass(frozen=True, eq=False)
class Promises(Intervals):
    """Observed minus promised of every error, coverage and power, in percentage points; above 0 is worse.

    An error's share counts upwards, a coverage or a power downwards. Biases have another unit and are left out.

    most  how many lines are shown, the worst ones
    """

    name: ClassVar = "promises"
    description: ClassVar = "How far errors, coverages and powers are from what is promised, with 95% intervals."
    head: ClassVar = ("Statement", "Points", "95% interval", "")
    number: ClassVar = "+.1f"
    unit: ClassVar = " percentage points"
    is_from_zero: ClassVar = True

    calibration: CalibrationResult
    most: int = 60

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self._lines:
            raise UsageError("no error, coverage or power is calibrated; expected at least one; leave --only out")

    def words(self) -> Words:
        promised = [line for line in self._lines if line.line.promised]
        summary = f"{len(self._lines):,} statements that are not promised are shown beside their levels."
        if promised:
            off = sum(line.verdict.word == "off" for line in promised)
            low, point, high = _worse(promised[0])
            summary = (
                f"{len(promised) - off:,} of {len(promised):,} promises are not refuted. The worst is "
                f"{shown_name(self._label(promised[0]))}: {abs(point):.1f} percentage points "
                f"{'worse' if point > 0.0 else 'better'} than promised (95% interval {low:+.1f} to {high:+.1f}, above "
                "0 is worse)."
            )
        sizes = ", ".join(f"{size:,}" for size in self.calibration.sizes)
        part = first_of(len(self._shown), len(self._lines), "statements", "worst")
        return Words(
            f"Do the promises hold? {self.calibration.measure}{part}",
            summary,
            f"{self.calibration.boards:,} simulated boards of {sizes} queries; right of 0 is worse than promised; 95% "
            "intervals, each by itself; colours allow for the number of statements",
            ("Above 0 is worse than promised.",),
        )

    @cached_property
    def _lines(self) -> tuple[CalibratedLine, ...]:
        lines = [line for line in self.calibration.lines if line.line.kind in ("at most", "at least") and line.boards]
        return tuple(sorted(lines, key=lambda line: (not line.line.promised, -_worse(line)[1])))

    @property
    def _shown(self) -> tuple[CalibratedLine, ...]:
        return self._lines[: self.most]

    def _label(self, line: CalibratedLine) -> str:
        """The statement, and of how many queries where that is not the same for all."""
        size = f", {line.queries:,} queries" if len(self.calibration.sizes) > 1 else ""
        return f"{line.quantity}: {line.line.label}{size}"

    def intervals(self) -> Sequence[IntervalLine]:
        return [
            IntervalLine((shown_name(self._label(line)), f"{ends[1]:+6.1f}"), ends)
            for line, ends in ((line, _worse(line)) for line in self._shown)
        ]

    def view(self) -> Spec:
        style, palette = self.style, self.style.palette
        labels = short_labels([self._label(line) for line in self._shown], 2 * style.sheet.label)
        values = []
        for label, line in zip(labels, self._shown, strict=True):
            low, point, high = map(finite, _worse(line))
            word = line.verdict.word if line.line.promised else WORDS[-1]
            observed = {"observed": finite(100 * line.mean), "level": finite(100 * (line.line.level or 0.0))}
            ends = {"low": low, "points": point, "high": high}
            values.append({"row": label, "name": shown_name(self._label(line)), **ends, "word": word, **observed})
        colours = palette.second, palette.soft, palette.accent, palette.neutral
        legend = legend_above(len(WORDS) if style.size == "page" else 2, symbolOpacity=1)
        levels = ("observed", "Observed, %", ".1f"), ("level", "Promised, %", ".1f")
        look = {
            "zero": {"strokeDash": [4, 3]},
            "color": words_as("word", WORDS, colours, legend=legend),
            "tooltip": tooltip(("name", "Statement"), *levels, ("word", "Verdict")),
        }
        x = numbers("Points worse than promised", {"nice": True, "padding": 6})
        size = style.plot_width(*labels), self.rows_height(labels)
        return self.panel(self.rows(labels, padding=0), values, x, ("low", "points", "high"), size, **look)


def _worse(line: CalibratedLine) -> tuple[float, float, float]:
    """How many percentage points worse than promised, with its 95% interval: low, point, high."""
    level, (low, high) = line.line.level or 0.0, line.verdict.ci95
    ends = (low - level, line.mean - level, high - level)
    if line.line.kind == "at least":
        ends = (level - high, level - line.mean, level - low)
    return 100 * ends[0], 100 * ends[1], 100 * ends[2]
