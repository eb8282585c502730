"""On which pairs of runs IPSO and the test of a measure agree: a triangle with a cell per pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from runoff.display.cells import visible
from runoff.display.charts._base import check_most, first_of
from runoff.display.charts._labels import shown_name
from runoff.display.charts._matrix import Matrix
from runoff.display.charts._spec import Kind, Spec, layer, text
from runoff.display.charts.agreement_bars import AgreementCase, agreement_kinds
from runoff.errors import UsageError


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
        check_most(self.most)
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

    @property
    def title(self) -> str:
        case = self.case
        shown = first_of(len(self._places), len(self.runs), "runs", "best")
        return f"Where do IPSO and the test agree? {case.measure}, {case.name_of_test} test, depth {case.depth}{shown}"

    @property
    def subtitle(self) -> str:
        return f"Runs by their mean {self.case.measure}, the best first; {self.case.level}"

    def text_alternative(self) -> str:
        case, result = self.case, self.case.result
        counts = ", ".join(
            f"{kind.word} {count:,}" for kind, count in zip(self.kinds(), result.counts.values(), strict=True)
        )
        different = sum(code == 0 for code in self._codes[0])
        return (
            f"IPSO to depth {case.depth} beside the {case.name_of_test} test of {visible(case.measure)} on "
            f"{len(result.found):,} pairs of {len(self.runs):,} runs: {counts}. By both, "
            f"{shown_name(self.runs[self.order[0]])}, the best by its mean, is significantly different from "
            f"{different:,} of the {len(self._places) - 1:,} other runs shown."
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
