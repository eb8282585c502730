"""All evidence at a glance: a row per pair of runs, a column per line of evidence, a sign for whom it speaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from runoff.display.charts._base import Chart, Spec, check_most
from runoff.display.charts._kinds import Kind, colour_of, letters_of, signs_note
from runoff.display.charts._labels import fit, names_column, short_labels, shown_name
from runoff.display.charts._style import Palette
from runoff.errors import UsageError
from runoff.verdicts import EvidenceResult


@dataclass(frozen=True, eq=False)
class EvidenceMatrix(Chart):
    """For whom each line of evidence speaks, of every challenger.

    most  how many pairs are shown, the first ones
    """

    name: ClassVar = "evidence_matrix"
    description: ClassVar = "For whom each line of evidence speaks, pair by pair: agreement and conflict at a glance."

    evidence: Sequence[EvidenceResult]
    most: int = 40

    def __post_init__(self) -> None:
        check_most(self.most)
        if not self.evidence:
            raise UsageError("no evidence; expected that about one pair of runs at least; give some")

    @property
    def _shown(self) -> Sequence[EvidenceResult]:
        return self.evidence[: self.most]

    @property
    def _columns(self) -> dict[str, str]:
        """The lines that any pair has, by key, with their labels."""
        return {line.key: line.label for one in self._shown for line in one.lines}

    @property
    def _one_champion(self) -> bool:
        return len({one.champion for one in self._shown}) == 1

    @property
    def title(self) -> str:
        """Against whom, and how many pairs are shown."""
        against = f" against {shown_name(self._shown[0].champion)}" if self._one_champion else ""
        part = f", the first {self.most:,} of {len(self.evidence):,} pairs" if len(self.evidence) > self.most else ""
        return f"What does all evidence say{against}?{part}"

    @property
    def subtitle(self) -> str:
        """That lines are not independent."""
        return "Lines share queries and labels, and are not independent"

    def text_alternative(self) -> str:
        """How many pairs agree, lean and conflict."""
        kinds, first = [one.kind for one in self._shown], self._shown[0]
        pairs = f"{len(kinds):,} {'pair' if len(kinds) == 1 else 'pairs'}"
        return (
            f"Of {pairs} of runs, all evidence agrees on {kinds.count('agree'):,}, some favours one run and none the "
            f"other on {kinds.count('lean'):,}, it conflicts on {kinds.count('conflict'):,}, and none favours a run on "
            f"{kinds.count('nothing'):,}. {shown_name(first.challenger)} against {shown_name(first.champion)}: "
            f"{len(first.favouring('challenger')):,} lines for it, {len(first.favouring('champion')):,} against it, "
            f"{len(first.favouring(None)):,} that show no difference."
        )

    def _name(self, one: EvidenceResult) -> str:
        return one.challenger if self._one_champion else f"{one.challenger} : {one.champion}"

    def text_lines(self, width: int) -> list[str]:
        """A line per pair, a sign per line of evidence."""
        signs = {kind.word: kind.sign for kind in _kinds(self.style.palette)}
        names = [shown_name(self._name(one)) for one in self._shown]
        column = names_column(names, width)
        keys = list(self._columns)
        lines = []
        for name, one in zip(names, self._shown, strict=True):
            said = {line.key: signs[_word(line.speaks_for)] for line in one.lines}
            lines.append(f"{fit(name, column)}  {' '.join(said.get(key, ' ') for key in keys)}".rstrip())
        return lines

    def text_notes(self) -> list[str]:
        """The columns and the signs."""
        return [f"Columns: {', '.join(self._columns.values())}.", signs_note(_kinds(self.style.palette))]

    def view(self) -> Spec:
        """A cell per pair and line."""
        style, kinds = self.style, _kinds(self.style.palette)
        labels = short_labels([self._name(one) for one in self._shown], style.sheet.label)
        columns = self._columns
        signs = {kind.word: kind.sign for kind in kinds}
        values = [
            {"pair": label, "challenger": shown_name(one.challenger), "champion": shown_name(one.champion),
             "line": line.label, "kind": _word(line.speaks_for), "sign": signs[_word(line.speaks_for)],
             "p": line.facet.p, "strength": line.strength}
            for label, one in zip(labels, self._shown, strict=True)
            for line in one.lines
        ]  # fmt: skip
        x = {"field": "line", "type": "nominal", "title": None, "scale": {"domain": list(columns.values())},
             "axis": {"orient": "top", "labelAngle": -40, "domain": False, "ticks": False}}  # fmt: skip
        y = {"field": "pair", "type": "nominal", "title": None, "scale": {"domain": list(labels)}}
        tooltip = [
            *({"field": field, "type": "nominal", "title": title} for field, title in (
                ("challenger", "Challenger"), ("champion", "Champion"), ("line", "Evidence"), ("kind", "Speaks for"),
                ("strength", "How strong"))),
            {"field": "p", "type": "quantitative", "title": "p", "format": ".4f"},
        ]  # fmt: skip
        longest = max(map(style.text_width, columns.values()))
        room = max(style.plot_width(*labels, beside=longest // 2), 12 * len(columns))
        cell = min(room / len(columns), 3.0 * style.sheet.row)
        return {
            "width": round(cell * len(columns)),
            "height": style.row_height(len(labels)) * len(labels),
            "data": {"values": values},
            "layer": [
                {"mark": {"type": "rect", "stroke": style.palette.paper, "strokeWidth": 1},
                 "encoding": {"x": x, "y": y, "color": colour_of(kinds, style, title="Speaks for", below=True),
                              "tooltip": tooltip}},
                {"mark": {"type": "text", "fontSize": style.sheet.font},
                 "encoding": {"x": x, "y": y, "text": {"field": "sign", "type": "nominal"},
                              "color": letters_of(kinds)}},
            ],
            "resolve": {"scale": {"color": "independent"}},
        }  # fmt: skip


def _word(side: str | None) -> str:
    return {"challenger": "the challenger", "champion": "the champion"}.get(side or "", "neither")


def _kinds(palette: Palette) -> tuple[Kind, ...]:
    return (
        Kind("the challenger", palette.second, "+"),
        Kind("the champion", palette.first, "−"),
        Kind("neither", palette.line, "·"),
    )
