"""The tables inside a specification."""

from __future__ import annotations

from typing import Any


def tables(spec: Any) -> list[list[dict[str, Any]]]:
    """Every table of a specification, in the order in which it is written."""
    if isinstance(spec, dict):
        own = [spec["data"]["values"]] if "data" in spec else []
        return own + [one for key, value in spec.items() if key != "data" for one in tables(value)]
    return [one for value in spec for one in tables(value)] if isinstance(spec, list) else []


def table_with(spec: Any, *fields: str) -> list[dict[str, Any]]:
    """The first table whose rows have these fields."""
    return next(table for table in tables(spec) if table and set(fields) <= set(table[0]))
