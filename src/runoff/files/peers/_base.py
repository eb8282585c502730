"""The contract of a format that other tools write: recognised by its first bytes, read as blocks of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from runoff.files.column_names import Kind
from runoff.files.problems import Problems
from runoff.files.streams import Source
from runoff.files.tabular import Block

BLOCK_ROWS: Final = 1 << 16
"""How many rows are held as Python's own values at a time."""


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
