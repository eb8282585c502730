"""The sections of a report, and the ordered list of them."""

from __future__ import annotations

from typing import Final

from runoff.reports.sections._base import Charted, Content, Fact, InputFile, Origin, ReportInputs, Section
from runoff.reports.sections.elsewhere import ELSEWHERE
from runoff.reports.sections.evidence import EVIDENCE
from runoff.reports.sections.labels import LABELS
from runoff.reports.sections.leader import LEADER
from runoff.reports.sections.measures import MEASURES
from runoff.reports.sections.origin import ORIGIN
from runoff.reports.sections.outcomes import OUTCOMES
from runoff.reports.sections.repeats import REPEATS
from runoff.reports.sections.verdict import VERDICT

__all__ = ["Charted", "Content", "Fact", "InputFile", "Origin", "ReportInputs", "SECTIONS", "Section"]

SECTIONS: Final[tuple[Section, ...]] = (
    VERDICT,
    LEADER,
    OUTCOMES,
    EVIDENCE,
    MEASURES,
    ELSEWHERE,
    REPEATS,
    LABELS,
    ORIGIN,
)
"""Every section, in the order in which a report shows them."""
