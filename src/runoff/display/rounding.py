"""Rounding of public results: numbers in tables, texts, charts and JSON get the digits of their board."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from runoff.display.grid import Column, Grid, Value

SHARE_DIGITS: Final = 2
"""Shares and probabilities are never shown with fewer: whole percents."""
SETTINGS: Final = frozenset({"alpha", "level", "seed"})
"""Names of numbers that somebody chose; they are shown as they are."""
SHARES: Final = frozenset({"shares", "p_first", "rank_probabilities"})
SHARE_FIELDS: Final = frozenset({"share", "p", "from", "to", "middle"})
"""Shares in the data of drawings."""
P_VALUES: Final = frozenset({"p", "p_corrected", "plain_p", "raw_p", "sign_p_range"})
TEXTS: Final = frozenset({"sentence", "remarks", "strength"})
"""Texts that have numbers in them, in JSON and as columns of tables."""
_DECIMAL: Final = re.compile(r"(?<![A-Za-z=_/:.\d])(?<![A-Za-z]-)(?<!level )(p = |< ?)?(\d+\.(\d+))(%?)")

_MINUS_ZERO: Final = re.compile(r"(^|[\s(\[])[-+\u2212](0\.0+)(?![\d.])")


def round_up(p: float, digits: int) -> float:
    """A p-value with this many digits, rounded up: it stays a p-value, and never becomes 0.

    >>> round_up(0.04321, 3), round_up(0.0000001, 3), round_up(0.05, 2), round_up(1.0, 1)
    (0.044, 0.001, 0.05, 1.0)
    """
    if not math.isfinite(p):
        return p
    # What is a multiple of the step but for its last bits is not raised by a step.
    steps: int = 10**digits
    return min(max(math.ceil(p * steps - 1e-9), 1) / steps, 1.0)


def rounded_text(text: str, digits: int) -> str:
    """A text whose decimal numbers have at most this many digits; a number inside a name, as in k1=0.9512, stays.

    >>> rounded_text("bm25_0.9512 leads with 0.39142 (-0.2 to 0.51; p = 0.0123, at level 0.05)", 1)
    'bm25_0.9512 leads with 0.4 (-0.2 to 0.5; p = 0.1, at level 0.05)'
    >>> rounded_text("first in 54.32%; p < 0.0001; a difference of -0.0002", 3)
    'first in 54.3%; p < 0.001; a difference of 0.000'
    """

    def shorter(found: re.Match[str]) -> str:
        before, whole, behind, percent = found[1] or "", found[2], found[3], found[4]
        places = min(max(digits - 2, 0) if percent else digits, len(behind))
        if before and not percent and len(behind) > digits:
            return f"{before}{round_up(float(whole), digits):.{digits}f}"
        return f"{before}{float(whole):.{places}f}{percent}"

    return _MINUS_ZERO.sub(r"\1\2", _DECIMAL.sub(shorter, text))


def rounded_grid(grid: Grid, digits: int) -> Grid:
    """The same table with no more digits: of scores, shares and p-values, also of what is sorted and saved."""
    most = {"number": digits, "share": max(digits, SHARE_DIGITS) - 2, "p": digits}
    columns = [
        replace(column, digits=min(column.places, most[column.kind])) if column.kind in most else column
        for column in grid.columns
    ]

    def shorter(column: Column, value: Value) -> Value:
        kind = column.kind
        if isinstance(value, str):
            return rounded_text(value, digits) if column.name in TEXTS else value
        if not isinstance(value, float) or not math.isfinite(value):
            return value
        if kind == "p":
            return round_up(value, digits)
        return round(value, max(digits, SHARE_DIGITS) if kind == "share" else digits) + 0.0

    rows = [[shorter(column, value) for column, value in zip(grid.columns, row, strict=True)] for row in grid.rows]
    return replace(grid, columns=columns, rows=rows, notes=[rounded_text(note, digits) for note in grid.notes])


def rounded_data(found: Mapping[str, Any], digits: int) -> dict[str, Any]:
    """The dictionary of a result with no more digits; names of runs, counts, ranks and settings stay as they are.

    >>> rounded_data({"mean": 0.41249, "p": 0.00001, "alpha": 0.05, "p_first": 0.123456, "rank": 3}, 3)
    {'mean': 0.412, 'p': 0.001, 'alpha': 0.05, 'p_first': 0.123, 'rank': 3}
    """
    return {name: _rounded(value, name, digits) for name, value in found.items()}


def rounded_spec(spec: Any, digits: int, *, field: str = "") -> Any:
    """The specification of a drawing with no more digits: of its data, of the ends of its scales, and in what it says.

    A drawing is made of the rounded numbers, so that no place in the picture tells more than they do.
    """
    if isinstance(spec, dict):
        return {
            key: _format(value, digits)
            if key == "format" and isinstance(value, str)
            else _ends(value, digits)
            if key == "domain"
            # Below `values` are the rows of the data, whose names are those of fields.
            else rounded_spec(value, digits, field=key if field or key == "values" else "")
            for key, value in spec.items()
        }
    if isinstance(spec, list):
        return [rounded_spec(value, digits, field=field) for value in spec]
    if isinstance(spec, float) and field:
        return round(spec, max(digits, SHARE_DIGITS) if field in SHARE_FIELDS else digits) + 0.0
    return spec


def _ends(domain: Any, digits: int) -> Any:
    """The ends of a scale, wide enough for the rounded numbers; other domains are not made of data."""
    if not (isinstance(domain, list) and len(domain) == 2 and any(isinstance(end, float) for end in domain)):
        return domain
    step = 10**digits
    low, high = math.floor(domain[0] * step), math.ceil(domain[1] * step)
    return [low / step, max(high, low + 1) / step]


def _rounded(value: Any, name: str, digits: int) -> Any:
    if isinstance(value, Mapping):
        # Below these the names are those of runs and facets, which may be called anything.
        inner = name if name in SHARES | P_VALUES else None
        return {key: _rounded(one, inner or key, digits) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rounded(one, name, digits) for one in value]
    if isinstance(value, str):
        return rounded_text(value, digits) if name in TEXTS else value
    if not isinstance(value, float) or not math.isfinite(value) or name in SETTINGS:
        return value
    if name in P_VALUES or name.endswith("_p"):
        return round_up(value, digits)
    return round(value, max(digits, SHARE_DIGITS) if name in SHARES else digits) + 0.0


def _format(text: str, digits: int) -> str:
    """A format of d3 with no more digits."""
    found = re.fullmatch(r"(\+?,?)\.(\d+)(~?[f%])", text)
    if found is None:
        return text
    most = max(digits - 2, 0) if found[3].endswith("%") else digits
    return f"{found[1]}.{min(int(found[2]), most)}{found[3]}"
