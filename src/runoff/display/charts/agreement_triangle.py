"""Of which pairs of runs IPSO and the test of a measure say the same: a triangle with a cell per pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from runoff.display.cells import visible
from runoff.display.charts._base import Chart, Spec, best_of, check_most
from runoff.display.charts._kinds import signs_note
from runoff.display.charts._labels import shown_name
from runoff.display.charts._squares import Square, square_text
from runoff.display.charts.agreement_bars import AgreementCase, agreement_kinds
from runoff.errors import UsageError
from runoff.significance.corrections import spoken_correction

COLUMNS: Final = "Run with the better mean"


@dataclass(frozen=True, eq=False)
class AgreementTriangle(Chart):
    """What IPSO and one measure's test say of every pair of runs; both axes run from the best mean to the worst.

    Moffat & Mackenzie 2024, Figure 8, https://doi.org/10.1002/asi.24874

    case   the measure, the test and the depth, with an entry for each pair (first < second) of `runs`
    runs   the names of the runs
    order  their places by the mean of the measure, the best first
    most   how many runs are shown, the best ones
    """

    name: ClassVar = "agreement_triangle"
    description: ClassVar = "Of which pairs of runs the sign test of IPSO and the test of a measure say the same."

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

    @property
    def _found(self) -> list[list[int]]:
        """Of each pair of runs its place in AGREEMENTS; -1 for a run and itself."""
        count = len(self.runs)
        square = np.full((count, count), -1, dtype=np.int64)
        square[np.triu_indices(count, 1)] = self.case.result.found
        found: list[list[int]] = np.maximum(square, square.T)[np.ix_(self._places, self._places)].tolist()
        return found

    @property
    def title(self) -> str:
        """Measure, test and depth, and how many runs are shown."""
        case = self.case
        what = f"{case.measure}, {case.test.replace('_', ' ')} test, depth {case.depth}"
        return f"Where do IPSO and the test agree? {what}{best_of(len(self._places), len(self.runs))}"

    @property
    def subtitle(self) -> str:
        """The order and the level."""
        return (
            f"Runs by their mean {self.case.measure}, the best first; yes is p < {self.case.result.policy.alpha:g}, "
            + (
                "not corrected"
                if self.case.result.family is None
                else spoken_correction(self.case.result.policy.correction)
            )
        )

    def text_alternative(self) -> str:
        """The counts of all pairs, and of those of the best run."""
        result, case = self.case.result, self.case
        counts = ", ".join(f"{kind.word} {count:,}" for kind, count in zip(
            agreement_kinds(self.style.palette), result.counts.values(), strict=True))  # fmt: skip
        first = shown_name(self.runs[self.order[0]])
        told = sum(kind == 0 for kind in self._found[0])
        return (
            f"IPSO to depth {case.depth} beside the {visible(case.test).replace('_', ' ')} test of "
            f"{visible(case.measure)} on {len(result.found):,} pairs of {len(self.runs):,} runs: {counts}. Both tell "
            f"{first}, the best by its mean, from {told:,} of the {len(self._places) - 1:,} other runs shown."
        )

    def text_lines(self, width: int) -> list[str]:
        """A sign per pair."""
        kinds = agreement_kinds(self.style.palette)
        lines = ["".join(kinds[kind].sign for kind in row[:at]) for at, row in enumerate(self._found)]
        return [line.rstrip() for line in square_text([self.runs[place] for place in self._places], lines, width)]

    def text_notes(self) -> list[str]:
        """The signs."""
        return [signs_note(agreement_kinds(self.style.palette))]

    def view(self) -> Spec:
        """A cell per pair, left of the diagonal."""
        kinds = [kind._replace(sign=sign) for kind, sign in zip(
            agreement_kinds(self.style.palette), ["", "·", "m", "i", "!"], strict=True)]  # fmt: skip
        names = [self.runs[place] for place in self._places]
        square = Square.of(names, self.style, widest=1.3)
        values = [
            {"run": square.labels[at], "column": other + 1, "name": shown_name(names[at]),
             "other": shown_name(names[other]), "kind": kinds[kind].word, "sign": kinds[kind].sign}
            for at, row in enumerate(self._found)
            for other, kind in enumerate(row[:at])
        ]  # fmt: skip
        tooltip = [
            {"field": "other", "type": "nominal", "title": "Better mean"},
            {"field": "name", "type": "nominal", "title": "Worse mean"},
            {"field": "kind", "type": "nominal", "title": "Significant"},
        ]
        drawn = square.layers(kinds, tooltip=tooltip, x_title=COLUMNS, legend=None)
        diagonal = [
            {"run": label, "column": at, "label": self.style.if_fits(str(at), square.cell[0])}
            for at, label in enumerate(square.labels, start=1)
        ]
        drawn["layer"].append({
            "data": {"values": diagonal},
            "mark": {"type": "text", "color": self.style.palette.soft},
            "encoding": {"x": square.x(COLUMNS), "y": square.y(), "text": {"field": "label", "type": "nominal"}},
        })  # fmt: skip
        return {"data": {"values": values}, **drawn}
