"""The contract of a format that other tools write: recognised by its first bytes, read as blocks of rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from runoff.files.column_names import Kind, NumberColumn
from runoff.files.problems import Problems
from runoff.files.streams import Source

BLOCK_ROWS: Final = 1 << 16
"""How many rows are held as Python's own values at a time."""
LineOf: TypeAlias = Callable[[int], int]
"""The line of a row, counted from 0 in its block."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Block:
    """Some rows of a file, as they are in it; nothing is checked yet.

    queries   their ids: text, or whole numbers in JSON
    docs      likewise
    numbers   text, or numbers in JSON
    column    what the numbers are
    line_of   where a row is
    """

    queries: Sequence[Any]
    docs: Sequence[Any]
    numbers: Sequence[Any]
    column: NumberColumn
    line_of: LineOf


@dataclass(frozen=True, eq=False, kw_only=True)
class PeerFormat:
    """A format, and how it is read.

    name    what messages and documents call it
    fits    whether the first bytes of a file are of this format
    blocks  the rows of a file; what is wrong with its form is noted in the problems
    """

    name: str
    fits: Callable[[bytes], bool]
    blocks: Callable[[Source, Kind, int, Problems], Iterator[Block]]


def shown(value: Any) -> str:
    """A value as it is in the file: text as it is, else as JSON writes it.

    >>> [shown(value) for value in ("x", None, True, [1])]
    ['x', 'null', 'true', '[1]']
    """
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode(errors="backslashreplace").decode()
