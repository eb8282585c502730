"""The measure of a command if nobody names one: it follows from the labels, and is the same for every command."""

from __future__ import annotations

from typing import Final

import numpy as np

from runoff.tables.qrels import Qrels

SINGLE: Final = "RR@10"
"""Where a query has one answer: how early it is found."""
SEVERAL: Final = "nDCG@10"
"""Where a query has several relevant documents, or some that are more relevant than others."""
CHOSEN: Final = "No measure was named, so {} was chosen: {}."


def default_measure(labels: object) -> tuple[str, str]:
    r"""A measure that suits the labels, and a sentence why.

    nDCG@10 if there are two or more grades above 0, or if most of the queries that can be answered have several
    relevant documents; else RR@10. Labels that are read part by part are not looked through first.

    >>> from runoff import read_qrels
    >>> default_measure(read_qrels(b"q 0 a 2\nq 0 b 1\n"))
    ('nDCG@10', 'No measure was named, so nDCG@10 was chosen: the labels have 2 grades above 0.')
    """
    if not isinstance(labels, Qrels):
        return SINGLE, CHOSEN.format(SINGLE, "labels in parts are not looked through for their grades")
    relevant = labels.judged[:, 1:]
    grades = int((relevant.sum(axis=0) > 0).sum())
    if grades > 1:
        return SEVERAL, CHOSEN.format(SEVERAL, f"the labels have {grades} grades above 0")
    found = relevant.sum(axis=1)
    if 2 * int(np.count_nonzero(found > 1)) > int(np.count_nonzero(found)):
        return SEVERAL, CHOSEN.format(SEVERAL, "most queries have several relevant documents")
    return SINGLE, CHOSEN.format(SINGLE, "most queries have one relevant document")
