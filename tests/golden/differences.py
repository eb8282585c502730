"""What changed between a golden file and an output, in few lines that a person reads."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from typing import Any

MOST_CHANGES = 20
MOST_LINES = 40
MOST_CHARACTERS = 160
"""Of a line; what changed is often at the end of a long one, so both ends are shown."""


def difference(name: str, expected: bytes, actual: bytes) -> str:
    """What changed, for JSON by key paths and for other text by lines; empty if nothing did.

    >>> print(difference("a.json", b'{"runs": [{"mean": 0.41}]}', b'{"runs": [{"mean": 0.42}]}'))
    runs[0].mean: 0.41 -> 0.42
    """
    if expected == actual:
        return ""
    changes: list[str] = []
    if name.endswith(".json"):
        changes = list(_json_changes(json.loads(expected), json.loads(actual), ""))
    if changes:
        return _first(changes, MOST_CHANGES, "changes")
    before, after = (content.decode("utf-8", "backslashreplace").splitlines() for content in (expected, actual))
    changes = list(difflib.unified_diff(before, after, "golden file", "output", lineterm="", n=1))
    return _first(changes, MOST_LINES, "lines") or "the same lines with other line ends"


def _first(changes: list[str], most: int, what: str) -> str:
    shown = [_shortened(change, MOST_CHARACTERS) for change in changes[:most]]
    more = len(changes) - len(shown)
    return "\n".join([*shown, f"... and {more} more {what}"] if more else shown)


def _json_changes(expected: Any, actual: Any, path: str) -> Iterator[str]:
    if isinstance(expected, dict) and isinstance(actual, dict):
        yield from _dict_changes(expected, actual, path)
    elif isinstance(expected, list) and isinstance(actual, list):
        if len(expected) != len(actual):
            yield f"{path or 'all'}: length {len(expected)} -> {len(actual)}"
        for place, (one, other) in enumerate(zip(expected, actual, strict=False)):
            yield from _json_changes(one, other, f"{path}[{place}]")
    elif _text(expected) != _text(actual):
        yield f"{path or 'all'}: {_value(expected)} -> {_value(actual)}"


def _dict_changes(expected: dict[str, Any], actual: dict[str, Any], path: str) -> Iterator[str]:
    start = f"{path}." if path else ""
    for key, value in expected.items():
        if key in actual:
            yield from _json_changes(value, actual[key], f"{start}{key}")
        else:
            yield f"{start}{key}: {_value(value)} -> is gone"
    yield from (f"{start}{key}: is new -> {_value(value)}" for key, value in actual.items() if key not in expected)
    before, after = [key for key in expected if key in actual], [key for key in actual if key in expected]
    if before != after:
        moved = [f"{one} -> {other}" for one, other in zip(before, after, strict=True) if one != other]
        yield f"{path or 'all'}: keys in another order: {', '.join(moved[:4])}{', ...' if len(moved) > 4 else ''}"


def _text(value: Any) -> str:
    """As written, so that 1 and 1.0, or 0.0 and -0.0, are not the same."""
    return json.dumps(value, ensure_ascii=False)


def _value(value: Any) -> str:
    return _shortened(_text(value), MOST_CHARACTERS // 2)


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most // 2]} ... {text[-(most // 2) :]}"
