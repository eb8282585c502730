"""Every run against every other one under do no harm: a square of verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from runoff.display.charts._base import check_most, first_of
from runoff.display.charts._labels import shown_name
from runoff.display.charts._matrix import Matrix
from runoff.display.charts._spec import Kind, Spec, layer, text
from runoff.phrases import counted
from runoff.verdicts import VerdictOrderResult


@dataclass(frozen=True, eq=False)
class VerdictMatrix(Matrix):
    """What the run of each row gets as the challenger of the run of each column; rows in the verdict order.

    Copeland 1951; Lin et al. 2021, https://doi.org/10.48550/arXiv.2102.12887

    most  how many runs are shown, the first ones of the order
    """

    name: ClassVar = "verdict_matrix"
    description: ClassVar = "The verdict on every run against every other one, in the order of the verdicts."
    column_title: ClassVar = "Run of the column"
    legend: ClassVar = "The row's run is"
    tips: ClassVar = (("name", "Row"), ("kind", "Verdict"), ("other", "Column"))

    verdict_order: VerdictOrderResult
    most: int = 60

    def __post_init__(self) -> None:
        check_most(self.most)

    @property
    def _places(self) -> tuple[int, ...]:
        return self.verdict_order.order[: self.most]

    @property
    def title(self) -> str:
        shown = first_of(len(self._places), len(self.verdict_order.runs), "runs", "best")
        return f"Which runs are better than which? Do no harm{shown}"

    @property
    def subtitle(self) -> str:
        level = f"at {self.verdict_order.policy.alpha:g}, each pair by itself"
        return f"The verdict on the row's run against the column's, {level}; Copeland scores in brackets"

    def text_alternative(self) -> str:
        result = self.verdict_order
        others = len(result.runs) - 1
        leaders = [
            f"{shown_name(result.runs[place])} is better than {result.better[place]:,} and worse than "
            f"{result.worse[place]:,} of {others:,} others, with {counted(result.trade_offs[place], 'trade-off')}"
            for place in self._places[:3]
        ]
        pairs, decided = len(result.runs) * others // 2, sum(result.better)
        return (
            f"{'; '.join(leaders)}. Of {counted(pairs, 'pair')}, {decided:,} {'has' if decided == 1 else 'have'} a "
            "better and a worse run."
        )

    def text_notes(self) -> list[str]:
        return ["The row's run against the column's; columns are in the order of the rows.", *super().text_notes()]

    def rows(self) -> Sequence[str]:
        return [self.verdict_order.runs[place] for place in self._places]

    def kinds(self) -> Sequence[Kind]:
        palette = self.style.palette
        return (
            Kind("better", palette.second, "+"),
            Kind("worse", palette.first, "−"),
            Kind("trade-off", palette.series[3], "±"),
            Kind("inconclusive", palette.line, "·"),
        )

    def cell(self, row: int, column: int) -> Spec | None:
        verdict = self.verdict_order.verdicts[self._places[row]][self._places[column]]
        if verdict is None:
            return None
        return {"kind": verdict, "sign": ""} if verdict == "inconclusive" else {"kind": verdict}

    def beside(self) -> int:
        return self.style.text_width("(+100)")

    def more_layers(self, axes: Spec, cell: tuple[float, float]) -> list[Spec]:  # noqa: ARG002
        scores = [
            {"row": label, "score": f"({score:+d})" if (score := self.verdict_order.copeland[place]) else "(0)"}
            for label, place in zip(self.labels(), self._places, strict=True)
        ]
        encoding = {"y": axes["y"], "x": {"value": "width"}, "text": text("score")}
        dx = self.style.sheet.font // 2
        return [layer("text", encoding, scores, align="left", dx=dx, color=self.style.palette.soft)]
