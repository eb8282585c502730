"""One measure and one test beside IPSO on every pair of a board, and the picture of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from runoff.display import Column, Grid, Shown
from runoff.display.text_pictures import triangle
from runoff.significance import BY_NAME
from runoff.verdicts import AGREEMENTS, Agreement, AgreementResult, PairTests

if TYPE_CHECKING:
    from runoff.display.charts import AgreementCase, Chart

SIGNS: Final = dict(zip(AGREEMENTS, "█·▒░!", strict=True))
"""Each kind of pair as a character of the triangle."""
KEY: Final = "█ both yes   · both no   ▒ measure only   ░ IPSO only   ! opposite"


MOST_SHOWN: Final = 200
"""Pairs in a table for people; files have them all."""
NUMBERS: Final = (
    Column("difference", "Δ", "number", signed=True, help="The second run's mean less the first's."),
    Column("p", "p", "p", help="Of the measure's test."),
    Column("ipso_p", "p (IPSO)", "p", help="Of the sign test of IPSO."),
)


@dataclass(frozen=True, kw_only=True)
class PairDot:
    """A dot of the paper's Figure 8: two runs, the first with the better mean, and what was found.

    first, second  places of the runs on the board
    ranks          their ranks by the mean of the measure
    """

    first: int
    second: int
    ranks: tuple[int, int]
    difference: float
    p: float
    ipso_p: float
    agreement: Agreement


@dataclass(frozen=True, kw_only=True, eq=False)
class AgreementLine:
    """A bar of the paper's Figure 7: one measure and one test beside IPSO at one depth.

    label   the measure with its cutoff as k where it is cut at the depth: `AP@k`
    means   float64, runs: the mean of the measure
    tests   what the test says of every pair, raw
    result  how that compares with IPSO, decided
    """

    depth: int
    measure: str
    label: str
    best_is_low: bool
    test: str
    means: NDArray[np.float64]
    tests: PairTests
    result: AgreementResult

    @property
    def spoken_test(self) -> str:
        """The test as people write it."""
        return BY_NAME[self.test].label

    @property
    def agree(self) -> float:
        """The share of pairs of which both tests say the same: both yes, or both no."""
        return self.result.shares["both_yes"] + self.result.shares["both_no"]

    @property
    def order(self) -> list[int]:
        """The places of the runs by the mean, the best first; equal ones as the board has them."""
        sign = 1.0 if self.best_is_low else -1.0
        places: list[int] = np.argsort(sign * self.means, kind="stable").tolist()
        return places

    def case(self) -> AgreementCase:
        """What a chart shows of it."""
        from runoff.display.charts import AgreementCase

        return AgreementCase(self.measure, self.test, self.depth, self.result)

    def dots(self) -> tuple[PairDot, ...]:
        """Every pair, by the ranks of the first and then of the second run."""
        ranks = {place: rank for rank, place in enumerate(self.order, start=1)}
        means, found = self.means.tolist(), self.result
        arrays = (*np.triu_indices(len(means), 1), found.measure_p, found.ipso_p, found.found)
        dots = []
        for one, other, p, ipso_p, kind in zip(*(array.tolist() for array in arrays), strict=True):
            first, second = (one, other) if ranks[one] < ranks[other] else (other, one)
            dots.append(
                PairDot(
                    first=first,
                    second=second,
                    ranks=(ranks[first], ranks[second]),
                    difference=means[second] - means[first],
                    p=p,
                    ipso_p=ipso_p,
                    agreement=AGREEMENTS[kind],
                )
            )
        return tuple(sorted(dots, key=lambda dot: dot.ranks))


@dataclass(frozen=True, kw_only=True, eq=False)
class IpsoPairsShown(Shown):
    """A row per pair of runs: the dots of the paper's Figure 8.

    content  gives the dictionary of the whole board
    """

    runs: tuple[str, ...]
    lines: tuple[AgreementLine, ...]
    content: Callable[[], dict[str, object]]

    def to_dict(self) -> dict[str, object]:
        """The keys of the board."""
        return self.content()

    @property
    def _shown(self) -> tuple[AgreementLine, ...]:
        """The first measure with the first test, at every depth: what people look at; files have them all."""
        first = self.lines[0]
        return tuple(line for line in self.lines if (line.label, line.test) == (first.label, first.test))

    def opening(self, width: int) -> tuple[str, ...]:
        """A triangle per depth, if there is room for it; none in HTML, where lines would run together."""
        pictures = [self._picture(line, width) for line in self._shown]
        return (*filter(None, pictures), KEY) if any(pictures) else ()

    def _picture(self, line: AgreementLine, width: int) -> str:
        names = [self.runs[place] for place in line.order]
        signs = [""] * len(names)
        for dot in line.dots():  # by the first run, so each line grows from left to right
            signs[dot.ranks[1] - 1] += SIGNS[dot.agreement]
        picture = triangle(names, signs, width=width)
        what = (
            f"IPSO to depth {line.depth} beside {line.measure}, {line.spoken_test}; runs by their mean, the best first"
        )
        return picture and f"{what}\n{picture}"

    def grid(self) -> Grid:
        """A row per pair, depth, measure and test."""
        return Grid(
            title="Every pair of runs",
            columns=[
                Column("depth", "Depth", "count"),
                Column("measure", "Measure"),
                Column("test", "Test"),
                Column("first_rank", "Rank", "count"),
                Column("first", "First"),
                Column("second_rank", "Rank ", "count"),
                Column("second", "Second"),
                *NUMBERS,
                Column("agreement", "Found"),
            ],
            rows=[
                [line.depth, line.measure, line.test, dot.ranks[0], self.runs[dot.first], dot.ranks[1],
                 self.runs[dot.second], dot.difference, dot.p, dot.ipso_p, dot.agreement]
                for line in self.lines
                for dot in line.dots()
            ],
        )  # fmt: skip

    def grids(self) -> tuple[Grid, ...]:
        """For the first measure and test, a table per depth."""
        return tuple(self._shown_grid(line) for line in self._shown)

    def _shown_grid(self, line: AgreementLine) -> Grid:
        dots = line.dots()
        left = f" {len(dots) - MOST_SHOWN:,} more pairs, all" if len(dots) > MOST_SHOWN else " All"
        return Grid(
            title=f"IPSO to depth {line.depth} beside {line.measure}, {line.spoken_test}, pair by pair",
            columns=[Column("first", "First"), Column("second", "Second"), *NUMBERS, Column("found", "Found")],
            rows=[
                [f"{dot.ranks[0]} {self.runs[dot.first]}", f"{dot.ranks[1]} {self.runs[dot.second]}", dot.difference,
                 dot.p, dot.ipso_p, SIGNS[dot.agreement]]
                for dot in dots[:MOST_SHOWN]
            ],
            notes=[KEY, f"The first run has the better mean.{left} measures and tests: --format csv or json."],
        )  # fmt: skip

    def charts(self) -> tuple[Chart, ...]:
        """The triangle of the first depth, measure and test."""
        from runoff.display.charts import AgreementTriangle

        return (AgreementTriangle(self.lines[0].case(), self.runs, self.lines[0].order),)
