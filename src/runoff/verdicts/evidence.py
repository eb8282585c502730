"""All evidence for a pair of runs, line by line: for whom each line speaks, how strongly, and where they conflict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from runoff.verdicts.facet import Facet, corrected
from runoff.verdicts.policy import Policy

Basis = Literal["scores", "found", "lists", "people", "other queries"]
ALIKE: Final[tuple[Basis, ...]] = ("scores", "found", "lists")
"""Lines on these bases look at the same queries with the same labels."""
Kind = Literal["agree", "lean", "conflict", "nothing"]
MOST_NAMED: Final = 4


@dataclass(frozen=True, kw_only=True)
class EvidenceLine:
    """One line of evidence; its facet says for whom it speaks, said of the challenger.

    key      its stable name, such as `t` or `ipso`
    label    what it is called
    basis    what it rests on
    strength the numbers, in a few words
    meaning  what it means if it is significant, in one line
    counts   whether it is counted: of several tests of one measure, one is
    """

    key: str
    label: str
    basis: Basis
    facet: Facet
    strength: str
    meaning: str
    counts: bool = True

    @property
    def speaks_for(self) -> Literal["champion", "challenger"] | None:
        """The run that it significantly favours; None where it shows no difference."""
        return "challenger" if self.facet.is_ahead else "champion" if self.facet.is_behind else None


@dataclass(frozen=True, kw_only=True)
class EvidenceResult:
    """Every line of evidence about a challenger and a champion."""

    champion: str
    challenger: str
    lines: tuple[EvidenceLine, ...]
    policy: Policy

    def favouring(self, side: Literal["champion", "challenger"] | None) -> tuple[EvidenceLine, ...]:
        """The lines that count and speak for a side, or for none."""
        return tuple(line for line in self.counted if line.speaks_for == side)

    @property
    def counted(self) -> tuple[EvidenceLine, ...]:
        """The lines that count."""
        return tuple(line for line in self.lines if line.counts)

    @property
    def kind(self) -> Kind:
        """agree: every line speaks for one run; lean: some do and none for the other; conflict: some for each."""
        ours, theirs = len(self.favouring("challenger")), len(self.favouring("champion"))
        if ours and theirs:
            return "conflict"
        return "agree" if max(ours, theirs) == len(self.counted) > 0 else "lean" if ours or theirs else "nothing"

    @property
    def sentence(self) -> str:
        """How many lines speak for whom, which conflict, and which show no difference."""
        ours, theirs, none = (self.favouring(side) for side in ("challenger", "champion", None))
        total = len(self.counted)
        if not ours and not theirs:
            if total == 1:
                return f"The only line of evidence favours neither {self.challenger} nor {self.champion}."
            return f"None of the {total} lines of evidence favours {self.challenger} or {self.champion}."
        most, least, winner, other = (
            (ours, theirs, self.challenger, self.champion)
            if len(ours) >= len(theirs)
            else (theirs, ours, self.champion, self.challenger)
        )
        favour = "favours" if len(most) == 1 else "favour"
        if least:
            text = (
                f"The evidence conflicts: {len(most)} of {total} lines {favour} {winner} ({_named(most)}), "
                f"{len(least)} {other} ({_named(least)})"
            )
        elif len(most) == total:
            text = f"{'The only line' if total == 1 else f'All {total} lines'} of evidence {favour} {winner}"
        else:
            text = f"{len(most)} of {total} lines of evidence {favour} {winner}, none {other}"
        return f"{text}; {_named(none)} show{'s' if len(none) == 1 else ''} no difference." if none else f"{text}."

    @property
    def caution(self) -> str:
        """Why lines must not be counted like independent witnesses."""
        others = [line.label for line in self.lines if line.basis not in ALIKE]
        apart = f", except {' and '.join(others)}," if others else ""
        return (
            f"The lines{apart} look at the same queries, labels and lists in different ways: they are not independent, "
            "and ten that agree are not ten times the evidence."
        )

    def to_dict(self) -> dict[str, object]:
        """The keys of `evidence` in JSON."""
        return {
            "kind": self.kind,
            "favour_challenger": len(self.favouring("challenger")),
            "favour_champion": len(self.favouring("champion")),
            "cannot_tell": len(self.favouring(None)),
            "sentence": self.sentence,
            "lines": [
                {
                    "key": line.key,
                    "label": line.label,
                    "basis": line.basis,
                    "counts": line.counts,
                    "favours": line.speaks_for,
                    "direction": line.facet.direction,
                    "raw_p": line.facet.raw_p,
                    "p": line.facet.p,
                    "strength": line.strength,
                    "meaning": line.meaning,
                }
                for line in self.lines
            ],
        }


def together(found: Sequence[EvidenceResult], policy: Policy) -> tuple[EvidenceResult, ...]:
    """The evidence about several challengers of one champion, each line corrected over all who have it."""
    lines = [list(one.lines) for one in found]
    for key in dict.fromkeys(line.key for one in found for line in one.lines):
        places = [
            (row, column) for row, one in enumerate(found) for column, line in enumerate(one.lines) if line.key == key
        ]
        facets = corrected([lines[row][column].facet for row, column in places], policy)
        for (row, column), facet in zip(places, facets, strict=True):
            lines[row][column] = replace(lines[row][column], facet=facet)
    return tuple(replace(one, lines=tuple(mine)) for one, mine in zip(found, lines, strict=True))


def _named(lines: Sequence[EvidenceLine]) -> str:
    names = [line.label for line in lines]
    if len(names) > MOST_NAMED:
        names = [*names[: MOST_NAMED - 1], f"{len(names) - MOST_NAMED + 1} more"]
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
