"""The measure of a command if nobody names one: it follows from the labels, and is the same for every command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from runoff.tables.qrels import Qrels

if TYPE_CHECKING:
    from runoff.files.parquet.cut_qrels import CutQrels

SINGLE: Final = "RR@10"
"""Where a query has one answer: how early it is found."""
SEVERAL: Final = "nDCG@10"
"""Where a query has several relevant documents, or some that are more relevant than others."""
CHOSEN: Final = "No measure was named, so {} was chosen: {}."


def default_measure(labels: Qrels | CutQrels) -> tuple[str, str]:
    r"""A measure that suits the labels, and a sentence why.

    nDCG@10 if there are two or more grades above 0, or if most of the queries that can be answered have several
    relevant documents; else RR@10. Labels that are too many for memory are looked through part by part.

    >>> from runoff import read_qrels
    >>> default_measure(read_qrels(b"q 0 a 2\nq 0 b 1\n"))
    ('nDCG@10', 'No measure was named, so nDCG@10 was chosen: the labels have 2 grades above 0.')
    """
    grades: set[float] = set()
    answerable = with_several = 0
    for part in [labels] if isinstance(labels, Qrels) else labels.read_parts():
        grades |= {grade for grade in part.grade_of.values() if grade > 0}
        relevant = part.judged[:, 1:].sum(axis=1)
        answerable += int(np.count_nonzero(relevant))
        with_several += int(np.count_nonzero(relevant > 1))
    if len(grades) > 1:
        return SEVERAL, CHOSEN.format(SEVERAL, f"the labels have {len(grades)} grades above 0")
    if 2 * with_several > answerable:
        return SEVERAL, CHOSEN.format(SEVERAL, "most queries have several relevant documents")
    if 2 * with_several == answerable:
        why = "only half of the queries have several relevant documents" if answerable else "nothing is relevant"
        return SINGLE, CHOSEN.format(SINGLE, why)
    return SINGLE, CHOSEN.format(SINGLE, "most queries have one relevant document")
