"""From what somebody calls a measure to the measure: by ir_measures' names, trec_eval's, in any case; else ir_measures.

What is understood prints as ir_measures spells it: `mrr@10` and `recip_rank` are `RR@10` and `RR`.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from importlib.util import find_spec
from typing import Any, Final

from runoff.errors import MeasureError
from runoff.measures._base import Measure
from runoff.measures._trec_eval_names import ALONE, CUT, HANDED_ON
from runoff.measures.external import EXTERNAL_NAMES, EXTRA, find_external
from runoff.measures.spelling import Spelling, read_spelling

_GROUP: Final = "trec_eval's name for a group of measures; expected one; name each, such as AP and nDCG@10"
_NOT_TRANSLATED: Final = {
    "all_trec": _GROUP,
    "official": _GROUP,
    "iprec_at_recall": "a measure of trec_eval that runoff lacks; expected another; write IPrec@0.1 for that of "
    "ir_measures, which is as in trec_eval 9",
}
"""Other names of trec_eval, and what to write instead."""

_CUT_NAME: Final = re.compile(r"(\w+?)[_.]([0-9]+)")
_NAME_ALONE: Final = re.compile(r"[\w.-]+")
_NUMBERED: Final = re.compile(r"(.*?[^\W\d])[_.]?([0-9]+)")


def from_trec_eval(name: str) -> str | None:
    """How runoff spells a measure that trec_eval calls `name`, in any case; None if trec_eval has none of that name.

    >>> from_trec_eval("ndcg_cut_10"), from_trec_eval("NDCG_CUT.10"), from_trec_eval("nDCG@10")
    ('nDCG@10', 'nDCG@10', None)
    """
    alone = _in_lower_case(ALONE).get(name.lower())
    match = _CUT_NAME.fullmatch(name)
    stem = _in_lower_case(CUT).get(match[1].lower()) if match else None
    return alone or (f"{stem}@{int(match[2])}" if match and stem else None)


def _in_lower_case(names: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in names.items()}


def find_measure(text: str, measures: Mapping[str, type[Measure]]) -> Measure:
    """The measure that a text names, in whatever spelling; it prints as ir_measures spells it."""
    name = text.strip()
    stem = name.partition("@")[0].partition("(")[0]
    if stem in measures and measures[stem].name == stem:
        return build_measure(read_spelling(name), measures)
    if name not in measures:
        handed_on = _in_lower_case(HANDED_ON).get(name.lower())
        translated = from_trec_eval(name) or handed_on
        if translated is not None:
            return build_measure(read_spelling(translated), measures)
        cut = next((cut for cut in CUT if cut.lower() == name.lower() and cut not in measures), None)
        if cut is not None:
            raise _without_cutoff(name, CUT[cut])
        why = next((why for start, why in _NOT_TRANSLATED.items() if name.lower().startswith(start)), None)
        if why is not None:
            raise MeasureError(f"{name} is {why}")
    try:
        spelling = read_spelling(text)
    except MeasureError:
        if _NAME_ALONE.fullmatch(name) and _near(name, measures):
            raise _unknown(name, measures) from None
        raise
    return build_measure(_in_our_case(spelling, measures), measures)


def _without_cutoff(name: str, ours: str) -> MeasureError:
    whole = " or set_recall for whole lists" if ours == "R" else ""
    return MeasureError(
        f"{name} is trec_eval's name for a measure at several cutoffs; expected one cutoff; "
        f"write {name}_10 or {ours}@10{whole}"
    )


def _in_our_case(spelling: Spelling, measures: Mapping[str, type[Measure]]) -> Spelling:
    """The same with the name as ir_measures has it; an alias becomes the name."""
    names = [spelling.name] if spelling.name in measures or spelling.name in EXTERNAL_NAMES else []
    if not names:
        others = (name for name in (*measures, *EXTERNAL_NAMES, *ALONE, *CUT))
        names = [name for name in others if name.lower() == spelling.name.lower()]
    canonical = {_canonical(name, measures) for name in names}
    if len(canonical) > 1:
        listed = " or ".join(sorted(canonical))
        raise MeasureError(f"{spelling.name!r} may be {listed}; expected one of these; write it in that case")
    name = next(iter(canonical), spelling.name)
    return replace(spelling, name=name, text=name + spelling.text[len(spelling.name) :])


def _canonical(name: str, measures: Mapping[str, type[Measure]]) -> str:
    if name in measures:
        return measures[name].name
    return ALONE.get(name) or CUT.get(name) or name


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
    return _unknown(spelling.name, measures, "" if spelling.cutoff is None else f"@{spelling.cutoff}")


def _unknown(name: str, measures: Mapping[str, type[Measure]], cutoff: str = "") -> MeasureError:
    close = _near(name, measures, cutoff)
    hint = f"did you mean {' or '.join(close)}? " if close else ""
    names = ", ".join(dict.fromkeys(measure.name for measure in measures.values()))
    others = "" if find_spec("ir_measures") else f", which comes with: pip install 'runoff[{EXTRA}]'"
    return MeasureError(
        f"no measure is called {name!r}; {hint}expected one of {names}; "
        f"other measures are handed to ir_measures{others}"
    )


def _near(name: str, measures: Mapping[str, type[Measure]], cutoff: str = "") -> list[str]:
    """Measures that were perhaps meant by a name that is none: with a number behind it, `@` is missing."""
    numbered = None if cutoff else _NUMBERED.fullmatch(name)
    stem, cutoff = (numbered[1], f"@{numbered[2]}") if numbered else (name, cutoff)
    near = _close(stem, (*EXTERNAL_NAMES, *measures, *ALONE, *CUT))
    return list(dict.fromkeys(f"{_canonical(each, measures)}{cutoff}" for each in near))


def _close(name: str, names: Iterable[str]) -> list[str]:
    lower = {each.lower(): each for each in names}
    if name.lower() in lower:
        return [lower[name.lower()]]
    return [lower[each] for each in difflib.get_close_matches(name.lower(), lower, n=3, cutoff=0.6)]
