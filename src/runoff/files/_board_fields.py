"""The values of a board's keys, checked one by one; every fault is noted, with its line."""

from __future__ import annotations

import difflib
import math
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final, TypeVar

from runoff.files._toml_lines import Place, line_of
from runoff.files.inside import path_inside
from runoff.files.parquet.shards import is_shard_folder
from runoff.files.problems import Problems, quoted
from runoff.files.streams import is_regular_file, split_part

Kind = TypeVar("Kind")
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def hint(name: str, known: Iterable[str]) -> str:
    """A question that names what was perhaps meant, with a space behind it; nothing if nothing is close.

    >>> hint("levle", ["level"]), hint("level", ["depth", "relevance_level"]), hint("x", ["depth"])
    ("did you mean 'level'? ", "did you mean 'relevance_level'? ", '')
    """
    names = list(known)
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.6) or [one for one in names if name in one.split("_")]
    return f"did you mean {quoted(close[0])}? " if close else ""


def shown(value: object) -> str:
    """A value as it may appear in a message."""
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, list):
        return "an array"
    if isinstance(value, bool):
        return str(value).lower()
    return quoted(value) if isinstance(value, str) else quoted(str(value))[1:-1]


@dataclass(frozen=True, kw_only=True)
class NamedFiles:
    """What the paths in a board are relative to, and which files they may name.

    check   whether the files have to be there
    inside  a folder that no path may lead out of, for a board from a stranger; None for one of our own
    """

    folder: Path
    check: bool
    inside: Path | None


@dataclass(frozen=True)
class Fields:
    """One table of the file: its content, its place, and how messages name it."""

    content: Mapping[str, Any]
    place: Place
    owner: str
    lines: Mapping[Place, int]
    problems: Problems

    def note(self, key: str | None, text: str) -> None:
        """Note a fault of a key, or of the table as a whole."""
        place = self.place if key is None or key not in self.content else (*self.place, key)
        self.problems.add(line_of(self.lines, place), text)

    def refuse_unknown(self, known: tuple[str, ...]) -> None:
        """Note every key that has no meaning here."""
        for key in self.content:
            if key not in known:
                self.note(
                    key,
                    f"unknown key {quoted(key)}{self.owner}; {hint(key, known)}expected one of {', '.join(known)}; "
                    "rename or remove it",
                )

    def value(self, key: str, kind: Callable[[Any], Kind | None], expected: str, default: Kind) -> Kind:
        """The value of a key as some kind makes it, or the default; None from the kind is a fault."""
        if key not in self.content:
            return default
        made = kind(self.content[key])
        if made is None:
            self.note(key, f"{key}{self.owner} is {shown(self.content[key])}; expected {expected}; fix it")
            return default
        return made

    def require(self, key: str, expected: str) -> None:
        """Note a key that has to be there and is not."""
        if key not in self.content:
            self.note(None, f"no key '{key}'{self.owner}; expected {expected}; add it")

    def file(self, key: str, files: NamedFiles) -> Path | None:
        """The path under a key; one that leads elsewhere is a fault, and so is a file that is not there."""
        name = self.value(key, text, "the path of a file, between quotes", "")
        if not name:
            return None
        path = files.folder / name
        if files.inside is not None and path_inside(files.inside, name, relative_to=files.folder) is None:
            self.note(
                key,
                f"{key}{self.owner}: {quoted(name)} leads out of the archive; expected a file inside it; "
                "change the path",
            )
            # It is not even looked for, so that nothing is said about files elsewhere.
            return path
        if files.check and not is_regular_file(split_part(os.fspath(path))[0]) and not is_shard_folder(path):
            self.note(
                key,
                f"{key}{self.owner}: there is no file {quoted(name)}; expected a file, its path relative to this one; "
                "check the path",
            )
        return path

    def tables(self, key: str) -> Iterable[tuple[str, Fields]]:
        """The tables inside a table of tables, by name."""
        empty: dict[str, Any] = {}
        outer = self.value(key, table, f"tables such as [{key}.NAME]", empty)
        for name, inner in outer.items():
            place = (*self.place, key, name)
            label = f"{key}.{name}" if name.isprintable() else f"{key}.{quoted(name)}"
            if isinstance(inner, dict):
                yield name, Fields(inner, place, f" of [{label}]", self.lines, self.problems)
            else:
                self.problems.add(
                    line_of(self.lines, place),
                    f"{label} is {shown(inner)}; expected a table with the path of a file; write [{label}] and a "
                    'line path = "FILE"',
                )


def text(value: object) -> str | None:
    """Text that says something."""
    return value if isinstance(value, str) and value.strip() else None


def any_text(value: object) -> str | None:
    """Text, also none."""
    return value if isinstance(value, str) else None


def flag(value: object) -> bool | None:
    """True or false."""
    return value if isinstance(value, bool) else None


def number(value: object) -> float | None:
    """A finite number."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    try:
        return float(value) if is_number and math.isfinite(value) else None  # type: ignore[arg-type]
    except OverflowError:  # a whole number beyond all floats
        return None


def amount(value: object) -> float | None:
    """A finite number of 0 or more."""
    found = number(value)
    return found if found is not None and found >= 0.0 else None


def day(value: object) -> date | None:
    """A date, as TOML writes it or as text."""
    if isinstance(value, date):
        return None if isinstance(value, datetime) else value
    try:
        return date.fromisoformat(value) if isinstance(value, str) and _DATE.fullmatch(value) else None
    except ValueError:
        return None


def table(value: object) -> dict[str, Any] | None:
    """A table."""
    return value if isinstance(value, dict) else None
