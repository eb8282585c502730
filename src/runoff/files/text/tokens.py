"""Lines into fields: the places of all fields of a chunk, and what is wrong with the lines that have others.

Fields are separated by any mix of spaces and tabs. Blank lines and lines that begin with `#` are passed over. Every
other line must have the right number of fields; a line that has not is a fault with its line number.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff import rows
from runoff.errors import SHOWN_PROBLEMS
from runoff.files.problems import Problems
from runoff.phrases import counted
from runoff.tables.ids import Rows, Text, numbers_of

Fault = tuple[int, int, int, bytes]
"""What `runoff.rows` says of a line: its number, the kind of fault, a value, a token."""


@dataclass(frozen=True, eq=False)
class Tokens:
    """The fields of a chunk's good lines.

    starts    int64, rows x fields
    ends      int64, rows x fields: field j of row i ends before byte ends[i, j]
    lines     int64, rows: the line number of each row, counted within the chunk from 1
    problems  faults, with line numbers counted within the chunk from 1
    """

    text: Text
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    line_count: int
    lines: Rows
    problems: Problems = field(default_factory=Problems)

    def __len__(self) -> int:
        return len(self.ends)

    def token(self, row: int, column: int) -> bytes:
        """One field's bytes."""
        return self.text.bytes[self.starts[row, column] : self.ends[row, column]].tobytes()

    def column(self, column: int) -> tuple[Rows, Rows]:
        """The starts and lengths of one field in all rows."""
        starts = np.ascontiguousarray(self.starts[:, column])
        return starts, self.ends[:, column] - starts


def tokenize(text: Text, field_names: tuple[str, ...], *, open_end: bool = False) -> Tokens:
    """The fields of all lines of a chunk; its last byte must be a newline.

    With an open end a line may have more fields; what follows the named ones is ignored.
    """
    width = len(field_names)
    starts, ends, lines, line_count, faults, total = rows.split_fields(
        text.padded_bytes, 0, len(text.bytes), width, open_end
    )
    return Tokens(
        text,
        np.frombuffer(starts, dtype=np.int64).reshape(-1, width),
        np.frombuffer(ends, dtype=np.int64).reshape(-1, width),
        line_count,
        np.frombuffer(lines, dtype=np.int64),
        problems_of(faults, total, field_names),
    )


def problems_of(
    faults: Iterable[Fault],
    total: int,
    field_names: tuple[str, ...],
    *,
    number_fault: Callable[[bytes], str] | None = None,
) -> Problems:
    """The faults of a chunk in words; `number_fault` says what is wrong with a number that cannot be used."""
    listed = list(faults)
    problems = Problems(most=max(SHOWN_PROBLEMS, len(listed)))
    for line, kind, value, token in listed:
        if kind == rows.CONTROL:
            text = f"control character 0x{value:02x}; expected text in UTF-8; check that this is a run or qrels file"
        elif kind == rows.NOT_UTF8:
            text = "bytes that are not UTF-8; expected text in UTF-8; convert the file"
        elif kind == rows.WIDTH or number_fault is None:
            text = (
                f"{counted(value, 'field')}; expected {len(field_names)} ({' '.join(field_names)}); "
                "fix or remove this line"
            )
        else:
            text = number_fault(token)
        problems.add(line, text)
    problems.total = total
    return problems


_DECIMAL: Final = re.compile(rb"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")


def parse_decimal(token: bytes) -> float:
    """The finite number that one token spells; NaN if it spells none."""
    number = float(token) if _DECIMAL.fullmatch(token) else math.nan
    return number if math.isfinite(number) else math.nan


def parse_decimals(text: Text, starts: Rows, lengths: Rows) -> tuple[NDArray[np.float64], Rows]:
    """The numbers spelled by some tokens, and the rows of those that are not finite numbers (their value is NaN)."""
    columns = (numbers_of(column) for column in (starts, lengths))
    values = np.frombuffer(rows.parse_decimals(text.padded_bytes, *columns), dtype=np.float64)
    return values, np.flatnonzero(np.isnan(values))
