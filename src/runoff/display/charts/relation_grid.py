"""How every list of a small depth compares with every other: a square of relations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from runoff.comparisons import AllSerpsResult
from runoff.display.charts._matrix import Matrix
from runoff.display.charts._spec import Kind, Spec
from runoff.display.charts._style import Palette
from runoff.errors import UsageError

DEEPEST: Final = 6
"""64 lists are 4,096 cells, the most that a page shows well."""


@dataclass(frozen=True, eq=False)
class RelationGrid(Matrix):
    """The relation of every list of k ranks to every other one; rows and columns are binary numbers, the worst first.

    Moffat & Mackenzie 2024, Figures 2 and 3, https://doi.org/10.1002/asi.24874
    """

    name: ClassVar = "relation_grid"
    description: ClassVar = "How every list of a small depth compares with every other one, whatever the measure."
    subtitle: ClassVar = "1 is relevant, 0 is not, rank 1 first. The row's list against the column's"
    tips: ClassVar = (("row", "Row"), ("kind", "Is"), ("column", "Column"))

    all_serps: AllSerpsResult

    def __post_init__(self) -> None:
        check_drawable(self.all_serps.depth)

    @property
    def title(self) -> str:
        return f"Which lists of {self.all_serps.depth} must every measure order alike?"

    def text_alternative(self) -> str:
        result = self.all_serps
        ordered, free = (int((result.relations == code).sum()) for code in (1, 2))
        lists, free = len(result.serps), free // 2
        sentence = (
            f"Of the {lists:,} lists of {result.depth}, every list equals itself, {ordered:,} pairs must be ordered "
            f"alike by every measure, and {free:,} {'is' if free == 1 else 'are'} non-separable"
        )
        if free:
            row, column = next(
                (row, column) for row in range(lists) for column in range(row) if result.relations[row, column] == 2
            )
            sentence += f", such as {result.serps[row]} and {result.serps[column]}"
        return f"{sentence}."

    def text_notes(self) -> list[str]:
        return ["The row's list against the column's; columns are in the order of the rows.", *super().text_notes()]

    def rows(self) -> Sequence[str]:
        return self.all_serps.serps

    def columns(self) -> Sequence[str]:
        return self.all_serps.serps

    def labels(self) -> tuple[str, ...]:
        return tuple(self.all_serps.serps)

    def kinds(self) -> Sequence[Kind]:
        return tuple(order_kinds(self.style.palette).values())

    def cell(self, row: int, column: int) -> Spec | None:
        kind = order_kinds(self.style.palette)[int(self.all_serps.relations[row, column])]
        return {"kind": kind.word}

    def cell_size(self, labels: tuple[str, ...], columns: int) -> tuple[float, float]:
        side = min(self.style.plot_width(labels[0]) / columns, self.style.sheet.row * 1.8)
        return side, side


def check_drawable(depth: int) -> None:
    """Refuse a depth at which there are too many lists for a picture."""
    if depth > DEEPEST:
        raise UsageError(f"the {2**depth:,} lists of {depth} are too many for a picture; expected a depth to {DEEPEST}")


def order_kinds(palette: Palette) -> dict[int, Kind]:
    """How one list compares with another, by the codes of `AllSerpsResult.relations`."""
    return {
        1: Kind("never worse", palette.first, "≥"),
        -1: Kind("never better", palette.second, "≤"),
        0: Kind("equal", palette.neutral, "="),
        2: Kind("non-separable", palette.strong, "×"),
    }
