"""All evidence about a pair of runs as a table."""

from __future__ import annotations

from typing import Final

from runoff.display.grid import Column, Grid
from runoff.significance.corrections import spoken_correction
from runoff.verdicts import EvidenceLine, EvidenceResult

NEITHER: Final = "neither"


def evidence_grid(found: EvidenceResult, measure: str) -> Grid:
    """A row per line of evidence: what says it, for whom it speaks, how strongly, and what it means."""
    sizes = {line.facet.family.size for line in found.lines}
    correction = found.policy.correction
    how = (
        f"corrected by {spoken_correction(correction)} over {max(sizes)} challengers"
        if max(sizes, default=1) > 1
        else "not corrected"
    )
    return Grid(
        title=f"Evidence for {found.challenger} against {found.champion}",
        columns=[
            Column("evidence", "Evidence"),
            Column("basis", "Of"),
            Column("favours", "For", help="The run that it significantly favours."),
            Column("p", "p", "p"),
            Column("strength", "How strong", help="The effect with its 95% interval, or the two sides of a vote."),
            Column("meaning", "It asks whether"),
        ],
        rows=[
            [line.label, basis(line, measure), favoured(found, line), line.facet.p, line.strength, line.meaning]
            for line in found.lines
        ],
        notes=[
            (
                f"Votes and ranks are {found.challenger} : {found.champion}. Each line is decided by itself at "
                f"{found.policy.alpha:g}, {how}."
            ),
            found.caution,
        ],
    )


def favoured(found: EvidenceResult, line: EvidenceLine) -> str:
    """The name of the run that a line favours."""
    names = {"champion": found.champion, "challenger": found.challenger}
    return names[line.speaks_for] if line.speaks_for else NEITHER


def basis(line: EvidenceLine, measure: str) -> str:
    """What a line rests on, in a word."""
    return measure if line.basis == "scores" else line.basis
