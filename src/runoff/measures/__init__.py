"""Measures: SERPs in, per-query scores out. One measure per file; the order of the list is the order of display."""

from __future__ import annotations

from runoff.measures._base import BinaryMeasure, Measure, Scale
from runoff.measures.ap import AP
from runoff.measures.bpref import Bpref
from runoff.measures.err import ERR
from runoff.measures.esl import ESL
from runoff.measures.external import ExternalMeasure
from runoff.measures.judged import Judged
from runoff.measures.lookup import build_measure
from runoff.measures.ndcg import nDCG
from runoff.measures.p import P
from runoff.measures.r import R
from runoff.measures.rbp import RBP
from runoff.measures.rprec import Rprec
from runoff.measures.rr import RR
from runoff.measures.scoring import score
from runoff.measures.spelling import read_spelling
from runoff.measures.success import Success

MEASURES: tuple[type[Measure], ...] = (RR, AP, nDCG, P, R, Success, RBP, ERR, Rprec, Bpref, Judged, ESL)
"""Every measure that runoff computes, in the order of display."""

BY_NAME = {name: measure for measure in MEASURES for name in (measure.name, *measure.aliases)}
"""Every name and alias with its measure."""


def parse_measure(text: str) -> Measure:
    """The measure that a text names, spelled as ir_measures spells it; it prints as it was typed.

    >>> parse_measure("RBP(p=0.8)@10"), parse_measure("RBP(p=0.8)@10") == RBP(cutoff=10)
    (RBP(p=0.8)@10, True)
    """
    return build_measure(read_spelling(text), BY_NAME)


__all__ = [
    "AP",
    "BY_NAME",
    "BinaryMeasure",
    "Bpref",
    "ERR",
    "ESL",
    "ExternalMeasure",
    "Judged",
    "MEASURES",
    "Measure",
    "P",
    "R",
    "RBP",
    "RR",
    "Rprec",
    "Scale",
    "Success",
    "nDCG",
    "parse_measure",
    "score",
]
