"""Both implementations of rows, and what they return in a form that can be compared byte for byte."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from runoff.rows import reference
from tests.rows.samples import PADDING, column

COMPILED = "runoff.rows._compiled"
compiled: Any = import_module(COMPILED) if find_spec(COMPILED) else None
IMPLEMENTATIONS: list[Any] = [reference] if compiled is None else [reference, compiled]
needs_compiled = pytest.mark.skipif(compiled is None, reason=f"{COMPILED} is not built; nothing to compare with")

Outcome = dict[str, Any]
Judgments = tuple[Sequence[bytes], Sequence[tuple[int, bytes]]]
"""Query ids, and (place of the query, document) of each row."""


def int64(buffer: Any) -> NDArray[np.int64]:
    return np.frombuffer(buffer, dtype=np.int64)


def float64(buffer: Any) -> NDArray[np.uint64]:
    """The bits of float64 numbers; NaN has many, and any is right."""
    numbers = np.frombuffer(buffer, dtype=np.float64)
    return np.where(np.isnan(numbers), np.nan, numbers).view(np.uint64)


def faults(first: Any) -> list[tuple[Any, ...]]:
    assert all(type(token) is bytes for *_, token in first)
    return [tuple(fault) for fault in first]


def split_outcome(module: Any, text: bytes, begin: int, end: int, width: int, open_end: bool) -> Outcome:
    starts, ends, lines, line_count, first, total = module.split_fields(text, begin, end, width, open_end)
    names = ("starts", "ends", "lines", "line_count", "faults", "fault_total")
    return dict(zip(names, (int64(starts), int64(ends), int64(lines), line_count, faults(first), total), strict=True))


def decimals_outcome(module: Any, tokens: Sequence[bytes], padding: bytes = bytes(PADDING)) -> Outcome:
    text, bounds = column(tokens, padding=padding)
    return {"values": float64(module.parse_decimals(text, bounds[:-1].copy(), np.diff(bounds)))}


def batch_outcome(batch: Any) -> Outcome:
    names = ("rows", "queries", "lines", "fault_total")
    return {
        **{name: int(getattr(batch, name)) for name in names},
        "in_blocks": bool(batch.in_blocks),
        "faults": faults(batch.faults),
    }


def parsed(module: Any, text: bytes, layout: Any, *, keep: bool = True, padding: bytes = bytes(PADDING)) -> Any:
    return module.parse_rows(text + padding, 0, len(text), layout, keep)


def judged_of(module: Any, judgments: Judgments) -> Any:
    queries, pairs = judgments
    places = np.array([place for place, _ in pairs], dtype=np.int64)
    return module.Judged(*column(queries), places, *column([doc for _, doc in pairs]))


def judged_outcome(judged: Any, asked: Sequence[tuple[int, bytes]]) -> Outcome:
    """What a table says; where a judgment is repeated, the rules do not say which row is found."""
    outcome = {"queries": judged.queries, "repeated": judged.repeated}
    places = np.array([place for place, _ in asked], dtype=np.int64)
    found = int64(judged.find(places, *column([doc for _, doc in asked])))
    return outcome if judged.repeated else {**outcome, "found": found}


def lists_outcome(lists: Any) -> Outcome:
    text, bounds = lists.query_ids()
    return {"queries": lists.queries, "rows": lists.rows, "text": bytes(text), "bounds": int64(bounds)}


def ranked_outcome(ranked: Any) -> Outcome:
    hits = {
        f"hits {number} {name}": int64(column)
        for number, columns in enumerate(ranked.hits)
        for name, column in zip(("places", "list", "rank", "row"), columns, strict=True)
    }
    return {
        "lengths": int64(ranked.lengths),
        "tied": np.frombuffer(ranked.tied, dtype=np.bool_),
        "dropped": ranked.dropped,
        "repeated": [tuple(row) for row in ranked.repeated],
        "repeated_total": ranked.repeated_total,
        "docs_text": bytes(ranked.docs_text),
        "docs_bounds": int64(ranked.docs_bounds),
        "scores": float64(ranked.scores),
        **hits,
    }


def assert_same(outcome_of: Callable[[Any], Outcome]) -> None:
    """Both implementations give the same outcome."""
    expected, given = outcome_of(reference), outcome_of(compiled)
    assert list(given) == list(expected)
    for name, value in expected.items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(given[name], value, err_msg=name, strict=True)
        else:
            assert given[name] == value, name


def assert_refused(call: Callable[[Any], object]) -> None:
    """Every implementation answers a caller's mistake with a ValueError or TypeError."""
    for module in IMPLEMENTATIONS:
        with pytest.raises((ValueError, TypeError)):
            call(module)
