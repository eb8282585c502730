"""How often IPSO and the tests of measures agree about two runs: a bar per depth, measure and test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple

from runoff.display.cells import visible
from runoff.display.charts._base import check_most, first_of
from runoff.display.charts._spec import Kind
from runoff.display.charts._stacked_bars import Bar, Bars, StackedBars
from runoff.display.charts._style import Palette
from runoff.errors import UsageError
from runoff.phrases import counted
from runoff.significance.corrections import spoken_correction
from runoff.verdicts import AGREEMENTS, Agreement, AgreementResult

WORDS: Final[dict[Agreement, str]] = {
    "both_yes": "both yes",
    "both_no": "both no",
    "measure_only": "measure only",
    "ipso_only": "IPSO only",
    "opposite": "opposite",
}
MOST: Final = 120
"""Bars of one chart; the paper's Figure 7 has 72: six measures, three tests, four depths."""


class AgreementCase(NamedTuple):
    """One measure and one test beside IPSO at one depth."""

    measure: str
    test: str
    depth: int
    result: AgreementResult

    @property
    def agree(self) -> float:
        """The share of pairs on which both agree: both yes, or both no."""
        return self.result.shares["both_yes"] + self.result.shares["both_no"]

    @property
    def name_of_test(self) -> str:
        """The test as people say it."""
        return visible(self.test).replace("_", " ")

    @property
    def level(self) -> str:
        """When a difference counts as significant."""
        policy = self.result.policy
        corrected = "" if self.result.family is None else f"corrected by {spoken_correction(policy.correction)}"
        return f"yes is p < {policy.alpha:g}, {corrected or 'not corrected'}"


def agreement_kinds(palette: Palette) -> tuple[Kind, ...]:
    """The five kinds of pairs, in the order of AGREEMENTS."""
    colours = (palette.second, palette.neutral, palette.first, palette.series[3], palette.ink)
    return tuple(
        Kind(WORDS[name], colour, sign) for name, colour, sign in zip(AGREEMENTS, colours, "█·▒░!", strict=True)
    )


@dataclass(frozen=True, eq=False)
class AgreementBars(StackedBars):
    """The shares of pairs of runs that are significantly different by IPSO, by the measure's test, by both or neither.

    Moffat & Mackenzie 2024, Figure 7, https://doi.org/10.1002/asi.24874

    cases  what is shown, in this order; those of one depth are one panel
    most   how many cases are shown, the first ones
    """

    name: ClassVar = "agreement_bars"
    description: ClassVar = "How often the sign test of IPSO and the test of a measure agree about two runs."
    axis_title: ClassVar = "Share of the pairs"
    tips: ClassVar = (("measure", "Measure"), ("test", "Test"), ("depth", "Depth"))

    cases: Sequence[AgreementCase]
    most: int = MOST

    def __post_init__(self) -> None:
        check_most(self.most)
        if not self.cases:
            raise UsageError("there are no measures and tests to show; expected at least one of each")

    @property
    def _shown(self) -> Sequence[AgreementCase]:
        return self.cases[: self.most]

    @property
    def _depths(self) -> list[int]:
        return list(dict.fromkeys(case.depth for case in self._shown))

    @property
    def title(self) -> str:
        depths = self._depths
        where = f"depth {depths[0]}" if len(depths) == 1 else f"{len(depths)} depths"
        part = first_of(len(self._shown), len(self.cases), "measures and tests")
        return f"Do IPSO and the measures' tests agree? To {where}{part}"

    @property
    def subtitle(self) -> str:
        pairs = counted(len(self.cases[0].result.found), "pair")
        return f"Shares of {pairs} of runs; {self.cases[0].level}"

    def text_alternative(self) -> str:
        ordered = sorted(self.cases, key=lambda case: -case.agree)
        best, worst = ordered[0], ordered[-1]
        pairs = len(best.result.found)
        opposite = sum(case.result.counts["opposite"] for case in self.cases)
        most = f"IPSO and {_words(best)} agree on {best.agree:.1%} of {counted(pairs, 'pair')} of runs"
        least = f"; IPSO and {_words(worst)} on {worst.agree:.1%}, the least of {len(ordered):,} measures and tests"
        return (
            f"{most}{least if len(ordered) > 1 else ''}. Both are significant for different runs in {opposite:,} of "
            f"{pairs * len(ordered):,} cases."
        )

    def text_notes(self) -> list[str]:
        return [*super().text_notes(), "The number is the share of both yes and both no."]

    def kinds(self) -> Sequence[Kind]:
        return agreement_kinds(self.style.palette)

    def panels(self) -> Sequence[Bars]:
        depths = self._depths
        return [
            Bars(
                [_bar(case) for case in self._shown if case.depth == depth],
                f"To depth {depth}" if len(depths) > 1 else "",
            )
            for depth in depths
        ]


def _bar(case: AgreementCase) -> Bar:
    fields = {"measure": visible(case.measure), "test": visible(case.test), "depth": case.depth}
    label = f"{visible(case.measure)}, {case.name_of_test}"
    return Bar(label, list(case.result.shares.values()), fields, end=f"{case.agree:>6.1%}")


def _words(case: AgreementCase) -> str:
    return f"the {case.name_of_test} test of {visible(case.measure)} at depth {case.depth}"
