"""From a measure's text, taken apart, to the measure: by name among those listed, else from ir_measures."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import fields
from importlib.util import find_spec
from typing import Any, Final

from runoff.errors import MeasureError
from runoff.measures._base import Measure
from runoff.measures.external import EXTERNAL_NAMES, EXTRA, find_external
from runoff.measures.spelling import Spelling

ALONE: Final = {
    "map": "AP",
    "Rprec": "Rprec",
    "bpref": "Bpref",
    "recip_rank": "RR",
    "ndcg": "nDCG",
    "set_recall": "R",
}
"""Measures that stand alone."""

CUT: Final = {"P": "P", "recall": "R", "success": "Success", "map_cut": "AP", "ndcg_cut": "nDCG"}
"""Measures with `_k` behind their name."""


def from_trec_eval(name: str) -> str | None:
    """How runoff spells a measure that trec_eval calls `name`; None if trec_eval has none of that name.

    >>> from_trec_eval("ndcg_cut_10"), from_trec_eval("nDCG@10")
    ('nDCG@10', None)
    """
    stem, _, cutoff = name.rpartition("_")
    if name in ALONE:
        return ALONE[name]
    return f"{CUT[stem]}@{cutoff}" if stem in CUT and cutoff.isdecimal() else None


def build_measure(spelling: Spelling, measures: Mapping[str, type[Measure]]) -> Measure:
    """The measure that a text names; it prints as that text."""
    kind = measures.get(spelling.name)
    if kind is not None and set(spelling.parameters) <= {field.name for field in fields(kind)} - {"spelling"}:
        arguments: dict[str, Any] = {**spelling.parameters, "spelling": spelling.text}
        if spelling.cutoff is not None:
            if "cutoff" in arguments:
                raise MeasureError(f"{spelling.text} has two cutoffs; expected one; keep '@{spelling.cutoff}' alone")
            arguments["cutoff"] = spelling.cutoff
        measure = kind(**arguments)
        measure.require_cutoff()
        return measure
    external = find_external(spelling)
    if external is not None:
        return external
    raise _refusal(spelling, kind, measures)


def _refusal(spelling: Spelling, kind: type[Measure] | None, measures: Mapping[str, type[Measure]]) -> MeasureError:
    if kind is not None:
        unknown = next(name for name in spelling.parameters if name not in kind.parameters())
        return MeasureError(
            f"{spelling.text}: {kind.name} has no parameter '{unknown}'; expected {', '.join(kind.parameters())}; "
            "leave it out or use one of these"
        )
    translated = from_trec_eval(spelling.text)
    if translated is not None:
        return MeasureError(f"no measure is called {spelling.name!r}; trec_eval's {spelling.text} is {translated} here")
    lower = {name.lower(): name for name in (*EXTERNAL_NAMES, *measures)}
    close = [lower[name] for name in difflib.get_close_matches(spelling.name.lower(), lower, n=3, cutoff=0.6)]
    hint = f"did you mean {' or '.join(close)}? " if close else ""
    names = ", ".join(dict.fromkeys(measure.name for measure in measures.values()))
    others = "" if find_spec("ir_measures") else f", which comes with: pip install 'runoff[{EXTRA}]'"
    return MeasureError(
        f"no measure is called {spelling.name!r}; {hint}expected one of {names}; "
        f"other measures are handed to ir_measures{others}"
    )
