"""Every run against every other one under do no harm: a square of verdicts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from runoff.display.charts._base import Chart, Spec, best_of, check_most
from runoff.display.charts._kinds import Kind, signs_note
from runoff.display.charts._labels import shown_name
from runoff.display.charts._squares import Square, square_text
from runoff.display.charts._style import Palette
from runoff.verdicts import VerdictOrderResult


@dataclass(frozen=True, eq=False)
class VerdictMatrix(Chart):
    """What the run of each row gets as the challenger of the run of each column; rows in the verdict order.

    Copeland 1951; Lin et al. 2021, https://doi.org/10.48550/arXiv.2102.12887

    most  how many runs are shown, the first ones of the order
    """

    name: ClassVar = "verdict_matrix"
    description: ClassVar = "The verdict on every run against every other one, in the order of the verdicts."

    verdict_order: VerdictOrderResult
    most: int = 60

    def __post_init__(self) -> None:
        check_most(self.most)

    @property
    def _places(self) -> tuple[int, ...]:
        return self.verdict_order.order[: self.most]

    @property
    def title(self) -> str:
        """How many runs are shown."""
        return f"Which runs are better than which? Do no harm{best_of(len(self._places), len(self.verdict_order.runs))}"

    @property
    def subtitle(self) -> str:
        """The rule, the level and how to read it."""
        level = f"at {self.verdict_order.policy.alpha:g}, each pair by itself"
        return f"The verdict on the row's run against the column's, {level}; Copeland scores in brackets"

    def text_alternative(self) -> str:
        """The first runs of the order and how many they are better and worse than."""
        found = self.verdict_order
        others = len(found.runs) - 1
        said = [
            f"{shown_name(found.runs[place])} is better than {found.better[place]:,} and worse than "
            f"{found.worse[place]:,} of {others:,} others, with {found.trade_offs[place]:,} "
            f"{'trade-off' if found.trade_offs[place] == 1 else 'trade-offs'}"
            for place in self._places[:3]
        ]
        pairs = len(found.runs) * others // 2
        decided = sum(found.better)
        return (
            f"{'; '.join(said)}. Of {pairs:,} {'pair' if pairs == 1 else 'pairs'}, {decided:,} "
            f"{'has' if decided == 1 else 'have'} a better and a worse run."
        )

    def text_lines(self, width: int) -> list[str]:
        """A line per run, a sign per other run."""
        signs = {kind.word: kind.sign for kind in _kinds(self.style.palette)}
        found = self.verdict_order
        lines = [
            "".join(signs.get(found.verdicts[row][column] or "", " ") for column in self._places)
            for row in self._places
        ]
        return [line.rstrip() for line in square_text([found.runs[place] for place in self._places], lines, width)]

    def text_notes(self) -> list[str]:
        """The signs."""
        return [
            "The row's run against the column's; columns are in the order of the rows.",
            signs_note(_kinds(self.style.palette)),
        ]

    def view(self) -> Spec:
        """A cell per verdict."""
        found, kinds = self.verdict_order, _kinds(self.style.palette)
        names = [found.runs[place] for place in self._places]
        square = Square.of(names, self.style, widest=1.3, beside=self.style.text_width("(+100)"))
        drawn = {kind.word: "" if kind.word == "inconclusive" else kind.sign for kind in kinds}
        values = []
        for at, row in enumerate(self._places):
            for other, column in enumerate(self._places):
                verdict = found.verdicts[row][column]
                if verdict is not None:
                    values.append({
                        "run": square.labels[at], "column": other + 1, "name": shown_name(names[at]),
                        "other": shown_name(names[other]), "kind": verdict, "sign": drawn[verdict],
                    })  # fmt: skip
        scores = [
            {"run": label, "score": _signed(found.copeland[place])}
            for label, place in zip(square.labels, self._places, strict=True)
        ]
        tooltip = [
            {"field": "name", "type": "nominal", "title": "Row"},
            {"field": "kind", "type": "nominal", "title": "Verdict"},
            {"field": "other", "type": "nominal", "title": "Column"},
        ]
        spec = square.layers(kinds, tooltip=tooltip, x_title="Run of the column", legend="The row's run is")
        spec["layer"].append({
            "data": {"values": scores},
            "mark": {"type": "text", "align": "left", "dx": self.style.sheet.font // 2,
                     "color": self.style.palette.soft},
            "encoding": {"y": square.y(), "x": {"value": "width"}, "text": {"field": "score", "type": "nominal"}},
        })  # fmt: skip
        return {"data": {"values": values}, **spec}


def _kinds(palette: Palette) -> tuple[Kind, ...]:
    return (
        Kind("better", palette.second, "+"),
        Kind("worse", palette.first, "−"),
        Kind("trade-off", palette.series[3], "±"),
        Kind("inconclusive", palette.line, "·"),
    )


def _signed(score: int) -> str:
    return f"({score:+d})" if score else "(0)"
