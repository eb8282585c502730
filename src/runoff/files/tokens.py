"""Lines into fields: the places of all tokens of a chunk, found as array work and checked line by line.

Fields are separated by any mix of spaces and tabs. Blank lines and lines that begin with `#` are passed over. Every
other line must have the right number of fields; a line that has not is a fault with its line number.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from runoff.files.problems import Problems
from runoff.tables.ids import Bytes, Rows, Text

_SPACE, _TAB, _CR, _LF, _HASH = 32, 9, 13, 10, 35
_NOT_ASCII = 0x80


@dataclass(frozen=True, eq=False)
class Tokens:
    """The fields of a chunk's good lines.

    starts  int64, rows x fields, or None where every field starts one byte behind the one before
    ends    int64, rows x fields: field j of row i ends before byte ends[i, j]
    lines   int64, rows: the line number of each row, counted within the chunk from 1; None where row i is line i + 1
    """

    text: Text
    starts: NDArray[np.int64] | None
    ends: NDArray[np.int64]
    line_count: int
    lines: Rows | None = None
    problems: Problems = field(default_factory=Problems)
    """Faults, with line numbers counted within the chunk from 1."""

    def __len__(self) -> int:
        return len(self.ends)

    def lines_of(self, rows: Rows) -> Rows:
        """The lines of some rows, counted within the chunk from 1."""
        return rows + 1 if self.lines is None else self.lines[rows]

    def token(self, row: int, column: int) -> bytes:
        """One field's bytes."""
        starts, lengths = self.column(column)
        return self.text.bytes[starts[row] : starts[row] + lengths[row]].tobytes()

    def column(self, column: int) -> tuple[Rows, Rows]:
        """The starts and lengths of one field in all rows."""
        if self.starts is not None:
            starts = np.ascontiguousarray(self.starts[:, column])
        elif column:
            starts = self.ends[:, column - 1] + 1
        else:
            starts = np.zeros(len(self), dtype=np.int64)
            np.add(self.ends[:-1, -1], 1, out=starts[1:])
        return starts, self.ends[:, column] - starts


def tokenize(text: Text, field_names: tuple[str, ...], *, open_end: bool = False) -> Tokens:
    """The fields of all lines of a chunk; its last byte must be a newline.

    With an open end a line may have more fields; what stands behind the named ones is passed over.
    """
    tokens = _tokenize_regular(text, len(field_names))
    return _tokenize_any(text, field_names, open_end=open_end) if tokens is None else tokens


def _tokenize_regular(text: Text, width: int) -> Tokens | None:
    """The fields if all lines have `width` of them and the same single separators between them, else None."""
    content = text.bytes
    blank = content <= _SPACE
    separators = np.flatnonzero(blank)
    if len(separators) % width or blank[0] or (blank[1:] & blank[:-1]).any():
        return None
    ends = separators.reshape(-1, width)
    kinds = content[separators]
    pattern = kinds[:width]
    if pattern[-1] != _LF or not set(pattern[:-1].tolist()) <= {_SPACE, _TAB}:
        return None
    if kinds.tobytes() != pattern.tobytes() * len(ends):
        return None
    if content[0] == _HASH or (content[ends[:-1, -1] + 1] == _HASH).any() or _is_not_utf8(content):
        return None
    return Tokens(text, None, ends, len(ends))


def _is_not_utf8(content: Bytes) -> bool:
    if content.max(initial=0) < _NOT_ASCII:
        return False
    try:
        content.tobytes().decode()
    except UnicodeDecodeError:
        return True
    return False


def _tokenize_any(text: Text, field_names: tuple[str, ...], *, open_end: bool) -> Tokens:
    """The fields of lines in any shape, with the faults of those that are not as they should be."""
    content = text.bytes
    width = len(field_names)
    blank = np.ones(len(content) + 1, dtype=np.bool_)
    np.less_equal(content, _SPACE, out=blank[1:])
    edges = np.flatnonzero(blank[1:] != blank[:-1])
    starts, ends = edges[0::2], edges[1::2]
    newlines = np.flatnonzero(content == _LF)
    line_of_token = np.searchsorted(newlines, starts)
    counts = np.bincount(line_of_token, minlength=len(newlines))
    first_token = np.cumsum(counts) - counts
    is_comment = np.zeros(len(newlines), dtype=np.bool_)
    filled = counts > 0
    is_comment[filled] = content[starts[first_token[filled]]] == _HASH

    problems = Problems()
    has_bad_bytes = _note_bad_bytes(content, newlines, problems)
    has_width = counts >= width if open_end else counts == width
    wrong = np.flatnonzero(filled & ~is_comment & ~has_bad_bytes & ~has_width)
    problems.add_all((wrong + 1).tolist(), lambda place: _wrong_width(int(counts[wrong[place]]), field_names))

    good = np.flatnonzero(has_width & ~is_comment & ~has_bad_bytes)
    rows = first_token[good][:, None] + np.arange(width)
    return Tokens(text, starts[rows], ends[rows], len(newlines), good + 1, problems)


def _wrong_width(found: int, field_names: tuple[str, ...]) -> str:
    return (
        f"{found} field{'s' if found != 1 else ''}; expected {len(field_names)} ({' '.join(field_names)}); "
        "mend or remove the line"
    )


def _note_bad_bytes(content: Bytes, newlines: Rows, problems: Problems) -> NDArray[np.bool_]:
    """Note lines with control characters, stray carriage returns or bytes that are not UTF-8; which lines those are."""
    found = np.zeros(len(newlines), dtype=np.bool_)
    control = (content < _SPACE) & (content != _TAB) & (content != _LF) & (content != _CR)
    control[:-1] |= (content[:-1] == _CR) & (content[1:] != _LF)
    positions = np.flatnonzero(control)
    lines, firsts = np.unique(np.searchsorted(newlines, positions), return_index=True)
    found[lines] = True
    problems.add_all(
        (lines + 1).tolist(),
        lambda place: (
            f"control character 0x{int(content[positions[firsts[place]]]):02x}; expected text in UTF-8; "
            "check that this is a run or qrels file"
        ),
    )
    if _is_not_utf8(content):
        begins = np.concatenate([[0], newlines[:-1] + 1])
        wrong = []
        for line in np.unique(np.searchsorted(newlines, np.flatnonzero(content >= _NOT_ASCII))).tolist():
            if not found[line] and _is_not_utf8(content[begins[line] : newlines[line]]):
                wrong.append(line + 1)
                found[line] = True
        problems.add_all(wrong, lambda _: "bytes that are not UTF-8; expected text in UTF-8; convert the file")
    return found
