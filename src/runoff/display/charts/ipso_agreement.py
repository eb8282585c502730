"""How often IPSO and the tests of measures agree about two runs, and how often lists are separable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final, NamedTuple

import numpy as np

from runoff.display.charts._base import Words, best_of, first_of
from runoff.display.charts._labels import shown_name
from runoff.display.charts._matrix import Matrix
from runoff.display.charts._spec import Kind, Spec, layer, text
from runoff.display.charts._stacked_bars import Bar, Bars, StackedBars
from runoff.display.charts._style import Palette
from runoff.display.grid import visible
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
    empty: ClassVar = "there are no measures and tests to show; expected at least one of each"

    cases: Sequence[AgreementCase]
    most: int = MOST

    @property
    def _shown(self) -> Sequence[AgreementCase]:
        return self.cases[: self.most]

    @property
    def _depths(self) -> list[int]:
        return list(dict.fromkeys(case.depth for case in self._shown))

    def words(self) -> Words:
        ordered, depths = sorted(self.cases, key=lambda case: -case.agree), self._depths
        best, worst, pairs = ordered[0], ordered[-1], len(ordered[0].result.found)
        opposite = sum(case.result.counts["opposite"] for case in self.cases)
        runs = f"{counted(pairs, 'pair')} of runs"
        least = f"; IPSO and {_words(worst)} on {worst.agree:.1%}, the least of {len(ordered):,} measures and tests"
        where = f"depth {depths[0]}" if len(depths) == 1 else f"{len(depths)} depths"
        part = first_of(len(self._shown), len(self.cases), "measures and tests")
        return Words(
            f"Do IPSO and the measures' tests agree? To {where}{part}",
            f"IPSO and {_words(best)} agree on {best.agree:.1%} of {runs}{least if len(ordered) > 1 else ''}. Both are "
            f"significant for different runs in {opposite:,} of {pairs * len(ordered):,} cases.",
            f"Shares of {runs}; {self.cases[0].level}",
            ("The number is the share of both yes and both no.",),
        )

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


@dataclass(frozen=True, eq=False)
class AgreementTriangle(Matrix):
    """What IPSO and one measure's test say of every pair of runs; both axes run from the best mean to the worst.

    Moffat & Mackenzie 2024, Figure 8, https://doi.org/10.1002/asi.24874

    case   the measure, the test and the depth, with an entry for each pair (first < second) of `runs`
    runs   the names of the runs
    order  their places by the mean of the measure, the best first
    most   how many runs are shown, the best ones
    """

    name: ClassVar = "agreement_triangle"
    description: ClassVar = "On which pairs of runs the sign test of IPSO and the test of a measure agree."
    column_title: ClassVar = "Run with the better mean"
    tips: ClassVar = (("other", "Better mean"), ("name", "Worse mean"), ("kind", "Significant"))

    case: AgreementCase
    runs: Sequence[str]
    order: Sequence[int]
    most: int = 60

    def __post_init__(self) -> None:
        super().__post_init__()
        pairs, count = len(self.case.result.found), len(self.runs)
        if pairs != count * (count - 1) // 2 or sorted(self.order) != list(range(count)):
            raise UsageError(
                f"{pairs:,} pairs and an order of {len(self.order):,} for {count:,} runs; expected "
                f"{count * (count - 1) // 2:,} pairs and every run once; give the runs that the pairs are of"
            )

    @property
    def _places(self) -> list[int]:
        return list(self.order[: self.most])

    @cached_property
    def _codes(self) -> list[list[int]]:
        """Of each pair of runs shown its place in AGREEMENTS; -1 for a run and itself."""
        count = len(self.runs)
        square = np.full((count, count), -1, dtype=np.int64)
        square[np.triu_indices(count, 1)] = self.case.result.found
        codes: list[list[int]] = np.maximum(square, square.T)[np.ix_(self._places, self._places)].tolist()
        return codes

    def words(self) -> Words:
        case, found, shown, runs = self.case, self.case.result, len(self._places), len(self.runs)
        test, pairs = f"{case.name_of_test} test", counted(len(self.case.result.found), "pair")
        kinds = zip(self.kinds(), found.counts.values(), strict=True)
        different = sum(code == 0 for code in self._codes[0])
        return Words(
            f"Where do IPSO and the test agree? {case.measure}, {test}, depth {case.depth}{best_of(shown, runs)}",
            f"IPSO to depth {case.depth} beside the {test} of {visible(case.measure)} on {pairs} of {runs:,} runs: "
            f"{', '.join(f'{kind.word} {count:,}' for kind, count in kinds)}. By both, "
            f"{shown_name(self.runs[self.order[0]])}, the best by its mean, is significantly different from "
            f"{different:,} of the {counted(shown - 1, 'other run')} shown.",
            f"Runs by their mean {case.measure}, the best first; {case.level}",
        )

    def rows(self) -> Sequence[str]:
        return [self.runs[place] for place in self._places]

    def kinds(self) -> Sequence[Kind]:
        return agreement_kinds(self.style.palette)

    def cell(self, row: int, column: int) -> Spec | None:
        if column >= row:
            return None
        code = self._codes[row][column]
        return {"kind": self.kinds()[code].word, "sign": ("", "·", "m", "i", "!")[code]}

    def more_layers(self, axes: Spec, cell: tuple[float, float]) -> list[Spec]:
        diagonal = [
            {"row": label, "column": at, "label": self.style.if_fits(str(at), cell[0])}
            for at, label in enumerate(self.labels(), start=1)
        ]
        return [layer("text", axes | {"text": text()}, diagonal, color=self.style.palette.soft)]


class RelationShares(NamedTuple):
    """The shares of the relations between lists to one depth; the three add to 1."""

    depth: int
    equal: float
    separable: float
    nonseparable: float


@dataclass(frozen=True, eq=False)
class IpsoShares(StackedBars):
    """The shares of pairs of lists that every measure must score alike, must order alike, or may order either way.

    Moffat & Mackenzie 2024, Tables 2 and 3, https://doi.org/10.1002/asi.24874

    shares  of the runs, an entry per depth
    random  of two random lists, for the same depths
    of      what the shares are of, for the subtitle
    """

    name: ClassVar = "ipso_shares"
    description: ClassVar = "How often two lists are equal, separable or not by depth, beside two random lists."
    axis_title: ClassVar = "Share of the pairs of lists"
    tips: ClassVar = (("lists", "Lists"), ("depth", "Depth"))
    side_by_side: ClassVar = True
    empty: ClassVar = "there are no depths to show; expected the shares of at least one"

    shares: Sequence[RelationShares]
    random: Sequence[RelationShares]
    of: str = ""

    def words(self) -> Words:
        depths = [
            f"At depth {row.depth}, {row.nonseparable:.1%} of the pairs of lists are non-separable, "
            f"{row.separable:.1%} separable and {row.equal:.1%} equal; of random lists, {random.nonseparable:.1%} "
            "would be non-separable."
            for row, random in zip(self.shares, self.random, strict=True)
        ]
        of = f"Shares of {self.of}. " if self.of else ""
        return Words(
            "How often must all measures agree about two lists?",
            " ".join(dict.fromkeys([depths[0], depths[-1]])),
            f"{of}Random: every rank is relevant with probability 1/2; exact",
        )

    def kinds(self) -> Sequence[Kind]:
        palette = self.style.palette
        return (
            Kind("equal", palette.neutral, "·"),
            Kind("separable", palette.second, "▒"),
            Kind("non-separable", palette.accent, "█"),
        )

    def panels(self) -> Sequence[Bars]:
        return [
            Bars(
                [Bar(f"k = {row.depth:,}", row[1:], {"depth": f"k = {row.depth:,}", "lists": lists}) for row in rows],
                lists,
            )
            for lists, rows in (("The runs", self.shares), ("Random lists", self.random))
        ]
