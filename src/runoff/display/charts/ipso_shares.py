"""How often two lists are equal, separable or non-separable: those of the runs beside random ones, by depth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from runoff.comparisons import ipso_theory
from runoff.display.charts._spec import Kind
from runoff.display.charts._stacked_bars import Bar, Bars, StackedBars
from runoff.errors import UsageError


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
    of      what the shares are of, for the subtitle
    """

    name: ClassVar = "ipso_shares"
    description: ClassVar = "How often two lists are equal, separable or not by depth, beside two random lists."
    title: ClassVar = "How often must all measures agree about two lists?"
    axis_title: ClassVar = "Share of the pairs of lists"
    tips: ClassVar = (("lists", "Lists"), ("depth", "Depth"))
    side_by_side: ClassVar = True

    shares: Sequence[RelationShares]
    of: str = ""

    def __post_init__(self) -> None:
        if not self.shares:
            raise UsageError("there are no depths to show; expected the shares of at least one")

    @property
    def subtitle(self) -> str:
        of = f"Shares of {self.of}. " if self.of else ""
        return f"{of}Random: every rank is relevant with probability 1/2; exact"

    def _random(self) -> list[RelationShares]:
        theory = [ipso_theory(row.depth) for row in self.shares]
        return [RelationShares(row.depth, row.equal, row.separable, row.nonseparable) for row in theory]

    def text_alternative(self) -> str:
        depths = [
            f"at depth {row.depth}, {row.nonseparable:.1%} of the pairs of lists are non-separable, "
            f"{row.separable:.1%} separable and {row.equal:.1%} equal; of random lists, {random.nonseparable:.1%} "
            "would be non-separable"
            for row, random in zip(self.shares, self._random(), strict=True)
        ]
        text = ". ".join(f"{depth[0].upper()}{depth[1:]}" for depth in dict.fromkeys([depths[0], depths[-1]]))
        return f"{text}."

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
            for lists, rows in (("The runs", self.shares), ("Random lists", self._random()))
        ]
