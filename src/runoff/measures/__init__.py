"""Measures: SERPs in, per-query scores out. One measure per file; the order of the list is the order of display."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias, runtime_checkable

from runoff.arguments import checks_arguments
from runoff.errors import MeasureError, UsageError
from runoff.measures._base import BinaryMeasure, Measure, Scale
from runoff.measures.ap import AP
from runoff.measures.bpref import Bpref
from runoff.measures.err import ERR
from runoff.measures.esl import ESL
from runoff.measures.external import ExternalMeasure
from runoff.measures.judged import Judged
from runoff.measures.lookup import find_measure
from runoff.measures.ndcg import nDCG
from runoff.measures.p import P
from runoff.measures.r import R
from runoff.measures.rbp import RBP
from runoff.measures.rprec import Rprec
from runoff.measures.rr import RR
from runoff.measures.scoring import score
from runoff.measures.success import Success

MEASURES: tuple[type[Measure], ...] = (RR, AP, nDCG, P, R, Success, RBP, ERR, Rprec, Bpref, Judged, ESL)
"""Every measure that runoff computes, in the order of display."""

BY_NAME = {name: measure for measure in MEASURES for name in (measure.name, *measure.aliases)}
"""Every name and alias with its measure."""


@runtime_checkable
class PeerMeasure(Protocol):
    """A measure of ir_measures, such as `ir_measures.nDCG @ 10`: its text says all about it."""

    NAME: str
    SUPPORTED_PARAMS: Any


NamedMeasure: TypeAlias = str | Measure | PeerMeasure
"""A measure as it may be named: a text, one of ours, or one of ir_measures."""


@checks_arguments
def parse_measure(text: NamedMeasure) -> Measure:
    """The measure that a text names, as ir_measures or trec_eval spell it, in any case; or that an object of theirs is.

    It prints as ir_measures spells it.

    >>> parse_measure("RBP(p=0.8)@10"), parse_measure("RBP(p=0.8)@10") == RBP(cutoff=10)
    (RBP(p=0.8)@10, True)
    >>> parse_measure("ndcg_cut_10"), parse_measure("mrr@10"), parse_measure("MAP")
    (nDCG@10, RR@10, AP)
    """
    return text if isinstance(text, Measure) else find_measure(_text_of(text), BY_NAME)


def parse_measures(measures: NamedMeasure | Sequence[NamedMeasure]) -> tuple[Measure, ...]:
    """One measure or several.

    >>> parse_measures("P_10"), parse_measures(["RR@10", "map"])
    ((P@10,), (RR@10, AP))
    """
    if isinstance(measures, (str, Measure, PeerMeasure)):
        return (parse_measure(measures),)
    return tuple(map(parse_measure, measures))


def _text_of(measure: object) -> str:
    if isinstance(measure, (str, PeerMeasure)):
        return str(measure)
    kind = type(measure).__name__
    raise MeasureError(f"a {kind} is not a measure; expected a text such as 'nDCG@10', or a measure; name one")


def own_measure(name: str) -> Measure | None:
    """The measure of runoff that a text names; None where there is none, as for the name of any column of scores."""
    try:
        measure = parse_measure(name)
    except (MeasureError, UsageError):
        return None
    return None if isinstance(measure, ExternalMeasure) else measure


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
    "NamedMeasure",
    "P",
    "PeerMeasure",
    "R",
    "RBP",
    "RR",
    "Rprec",
    "Scale",
    "Success",
    "nDCG",
    "own_measure",
    "parse_measure",
    "parse_measures",
    "score",
]
