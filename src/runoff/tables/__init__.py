"""Frozen tables; nothing here reads a file or knows a measure."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "runoff.tables.board": ("Board", "BoardRun"),
    "runoff.tables.ids": ("Ids",),
    "runoff.tables.preferences": ("Judgment", "Preferences", "without_repeats"),
    "runoff.tables.qrels": ("Qrels",),
    "runoff.tables.run": ("Run",),
    "runoff.tables.scores": ("Scores",),
    "runoff.tables.serps": ("NOTHING", "UNJUDGED", "Serps"),
    "runoff.tables.tasks": ("JudgingPair", "Tasks"),
}
"""Each name's module, which is imported when the name is first used: most commands need few of them."""
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = list(_HOME_OF)  # names are listed once


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), name)
