"""What a public result must not hold, found by looking at everything that can be reached from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date, timedelta
from typing import Any

import numpy as np

from runoff.display.charts import Chart
from runoff.display.shown import Shown
from runoff.tables.qrels import Qrels
from runoff.tables.ranked_lists import RankedLists
from runoff.tables.run import Run
from runoff.tables.scores import Scores
from runoff.tables.serps import Serps

FORBIDDEN = (Serps, Scores, Run, Qrels, RankedLists, Shown, Chart, np.ndarray)
"""Lists, scores and labels by query; results and charts, which hold them; and arrays of any kind."""
PLAIN = (str, bytes, bool, int, float, date, timedelta, type(None))
LONGEST = 200
"""Longer sequences could be values query by query; tables and pages of the tests have fewer rows."""


def forbidden_parts(result: Any) -> list[str]:
    """The paths within a result to whatever must not be in it; also to what nobody knows."""
    found: list[str] = []
    seen: set[int] = set()

    def look(value: Any, path: str) -> None:
        if isinstance(value, PLAIN) or id(value) in seen:
            return
        seen.add(id(value))
        if isinstance(value, FORBIDDEN):
            found.append(f"{path}: {type(value).__name__}")
        elif is_dataclass(value):
            # Everything that the object carries, also what is cached on it.
            names = {field.name for field in fields(value)} | set(getattr(value, "__dict__", ()))
            for name in sorted(names):
                look(getattr(value, name), f"{path}.{name}")
        elif isinstance(value, Mapping):
            for key, item in value.items():
                look(key, f"{path} key")
                look(item, f"{path}[{key!r}]")
        elif isinstance(value, (tuple, list, set, frozenset)):
            if len(value) > LONGEST:
                found.append(f"{path}: {len(value)} items")
            for place, item in enumerate(value):
                look(item, f"{path}[{place}]")
        else:
            found.append(f"{path}: {type(value).__name__}")

    look(result, type(result).__name__)
    return found
