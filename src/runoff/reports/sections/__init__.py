"""The sections of a report, and the ordered list of them."""

from __future__ import annotations

from typing import Final

from runoff.reports.sections._base import Content, Fact, InputFile, Origin, ReportInputs, Section
from runoff.reports.sections.doubts import DOUBTS
from runoff.reports.sections.elsewhere import ELSEWHERE
from runoff.reports.sections.evidence import EVIDENCE
from runoff.reports.sections.labels import LABELS
from runoff.reports.sections.leader import LEADER
from runoff.reports.sections.measures import MEASURES
from runoff.reports.sections.metadata import METADATA
from runoff.reports.sections.origin import ORIGIN
from runoff.reports.sections.outcomes import OUTCOMES
from runoff.reports.sections.repeats import REPEATS
from runoff.reports.sections.verdict import VERDICT

__all__ = ["Content", "Fact", "InputFile", "Origin", "ReportInputs", "SECTIONS", "Section", "sections_of"]

SECTIONS: Final[tuple[Section, ...]] = (
    VERDICT,
    LEADER,
    OUTCOMES,
    DOUBTS,
    EVIDENCE,
    ELSEWHERE,
    MEASURES,
    REPEATS,
    LABELS,
    METADATA,
    ORIGIN,
)
"""Every section, in the order of the page: those that are shown at once, then those that are folded."""


def sections_of(inputs: ReportInputs) -> tuple[tuple[Section, Content], ...]:
    """Every section that has something to say about a board, with what it says."""
    contents = ((section, section.content(inputs)) for section in SECTIONS)
    return tuple((section, content) for section, content in contents if content is not None)
