"""Verdicts on every run against every other one, and the evidence about pairs of runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final

from runoff.display.charts._base import Words, best_of, first_of
from runoff.display.charts._labels import shown_name
from runoff.display.charts._matrix import Matrix
from runoff.display.charts._spec import Kind, Spec, layer, text
from runoff.phrases import counted
from runoff.verdicts import EvidenceResult, VerdictOrderResult


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

    @property
    def _places(self) -> tuple[int, ...]:
        return self.verdict_order.order[: self.most]

    def words(self) -> Words:
        result, others = self.verdict_order, len(self.verdict_order.runs) - 1
        leaders = [
            f"{shown_name(result.runs[place])} is better than {result.better[place]:,} and worse than "
            f"{result.worse[place]:,} of {others:,} others, with {counted(result.trade_offs[place], 'trade-off')}"
            for place in self._places[:3]
        ]
        pairs, decided = counted(len(result.runs) * others // 2, "pair"), sum(result.better)
        have = f"{decided:,} {'has' if decided == 1 else 'have'}"
        level = f"at {result.policy.alpha:g}, each pair by itself"
        return Words(
            f"Which runs are better than which? Do no harm{best_of(len(self._places), len(result.runs))}",
            f"{'; '.join(leaders)}. Of {pairs}, {have} a better and a worse run.",
            f"The verdict on the row's run against the column's, {level}; Copeland scores in brackets",
            ("The row's run against the column's; columns are in the order of the rows.",),
        )

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


WORDS: Final = {"challenger": "the challenger", "champion": "the champion", None: "neither"}


@dataclass(frozen=True, eq=False)
class EvidenceMatrix(Matrix):
    """Which run each line of evidence favours, for every challenger.

    most  how many pairs are shown, the first ones
    """

    name: ClassVar = "evidence_matrix"
    description: ClassVar = "Which run each line of evidence favours, pair by pair: agreement and conflict at a glance."
    legend: ClassVar = "Favours"
    empty: ClassVar = "no evidence; expected some about at least one pair of runs; give some"
    legend_below: ClassVar = True
    widest: ClassVar = 3.0
    narrowest: ClassVar = 12.0
    tips: ClassVar = (
        ("challenger", "Challenger"),
        ("champion", "Champion"),
        ("line", "Evidence"),
        ("kind", "Favours"),
        ("strength", "How strong"),
        ("p", "p", ".4f"),
    )

    evidence: Sequence[EvidenceResult]
    most: int = 40

    @property
    def _shown(self) -> Sequence[EvidenceResult]:
        return self.evidence[: self.most]

    @cached_property
    def _lines(self) -> dict[str, str]:
        """The lines that any pair has, by key, with their labels."""
        return {line.key: line.label for pair in self._shown for line in pair.lines}

    @property
    def _one_champion(self) -> bool:
        return len({pair.champion for pair in self._shown}) == 1

    def words(self) -> Words:
        kinds, first = [pair.kind for pair in self._shown], self._shown[0]
        agree, lean, conflict, nothing = (kinds.count(kind) for kind in ("agree", "lean", "conflict", "nothing"))
        favouring, against, neither = (len(first.favouring(side)) for side in ("challenger", "champion", None))
        pairs = f"Challengers of {shown_name(first.champion)}" if self._one_champion else "Pairs of runs"
        return Words(
            f"What does all the evidence say? {pairs}{first_of(len(self._shown), len(self.evidence), 'pairs')}",
            f"Of {counted(len(kinds), 'pair')} of runs, all evidence agrees on {agree:,}, some favours one run and "
            f"none the other on {lean:,}, it conflicts on {conflict:,}, and none favours a run on {nothing:,}. "
            f"{shown_name(first.challenger)} against {shown_name(first.champion)}: {counted(favouring, 'line')} for "
            f"it, {against:,} against it, {neither:,} with no difference shown.",
            "The lines share queries and labels, so they are not independent",
            (f"Columns: {', '.join(self._lines.values())}.",),
        )

    def rows(self) -> Sequence[str]:
        is_one = self._one_champion
        return [pair.challenger if is_one else f"{pair.challenger} : {pair.champion}" for pair in self._shown]

    def columns(self) -> Sequence[str]:
        return list(self._lines.values())

    def kinds(self) -> Sequence[Kind]:
        palette = self.style.palette
        return (
            Kind(WORDS["challenger"], palette.second, "+"),
            Kind(WORDS["champion"], palette.first, "−"),
            Kind(WORDS[None], palette.line, "·"),
        )

    def cell(self, row: int, column: int) -> Spec | None:
        pair, key = self._shown[row], list(self._lines)[column]
        line = next((line for line in pair.lines if line.key == key), None)
        if line is None:
            return None
        names = {"challenger": shown_name(pair.challenger), "champion": shown_name(pair.champion)}
        return {
            **names,
            "line": line.label,
            "kind": WORDS[line.speaks_for],
            "p": line.facet.p,
            "strength": line.strength,
        }

    def beside(self) -> int:
        return max(map(self.style.text_width, self._lines.values())) // 2  # the labels above are turned
