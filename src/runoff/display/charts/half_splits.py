"""How often each significance test reaches the same conclusion on the other half of the queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from runoff.boards.reliability import ReliabilityResult, RepeatShares
from runoff.display.charts._spec import Kind
from runoff.display.charts._stacked_bars import Bar, Bars, StackedBars
from runoff.phrases import counted


@dataclass(frozen=True, eq=False)
class HalfSplits(StackedBars):
    """The shares of pairs and splits in which a test agrees, partially agrees or disagrees with itself.

    Craswell et al. 2021, Table 4, https://doi.org/10.1145/3404835.3462804
    """

    name: ClassVar = "half_splits"
    description: ClassVar = "How often each significance test agrees with itself on two random halves of the queries."
    legend: ClassVar = "The halves"
    axis_title: ClassVar = "Share of pairs and splits"
    tips: ClassVar = (("test", "Test"),)
    part_tips: ClassVar = (("kind", "The halves"), ("share", "Share", ".2%"))

    reliability: ReliabilityResult

    @property
    def title(self) -> str:
        return f"Do the tests repeat on the other half? {self.reliability.measure}"

    @property
    def subtitle(self) -> str:
        result = self.reliability
        pairs = counted(result.pairs, "pair")
        return f"{result.splits:,} random halves of {result.queries:,} queries, {pairs} of runs, level {result.level:g}"

    def text_alternative(self) -> str:
        ordered = sorted(self.reliability.tests, key=lambda shares: -shares.agree)
        most, least = (
            f"{_test(test)} ({test.agree:.1%}, disagree {test.disagree:.1%})" for test in (ordered[0], ordered[-1])
        )
        return f"By {self.reliability.measure}, the halves agree most often with {most} and least often with {least}."

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
