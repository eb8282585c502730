"""What all evidence about a pair of runs is gathered from."""

from __future__ import annotations

from runoff.comparisons import recall_paired, recall_paired_tests
from runoff.comparisons.options import CompareOptions
from runoff.tables.serps import Serps
from runoff.verdicts import MoreEvidence


def more_of(serps: tuple[Serps, Serps] | None, question: CompareOptions | None, more: MoreEvidence) -> MoreEvidence:
    """What is known of a pair beside its comparison: recall-paired preference too, where ranked lists are known."""
    if serps is None or question is None:
        return more
    level = question.chosen_level(question.chosen_measure())
    found = recall_paired_tests(recall_paired(*serps, level=level))
    return MoreEvidence(recall_paired=found, votes=more.votes, elsewhere=more.elsewhere)
