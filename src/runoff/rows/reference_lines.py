"""Reference implementation of `runoff.rows`, first half: lines into fields, fields into numbers."""
# ruff: noqa: FBT001 (flags are positional, as in the compiled module)

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator
from itertools import accumulate, pairwise
from math import inf, nan
from typing import Any, Final, TypeAlias

PADDING: Final = 64
MOST_FAULTS: Final = 20
CONTROL, NOT_UTF8, WIDTH, NUMBER = 1, 2, 3, 4
SCORE, RANK, GRADE = 0, 1, 2
HIGHEST_GRADE: Final = 127

Buffer: TypeAlias = Any  # an object of the buffer protocol; numpy's types do not say that arrays are
Fault: TypeAlias = tuple[int, int, int, bytes]
Layout: TypeAlias = tuple[int, bool, int, int, int, int]
Ids: TypeAlias = list[bytes]
Int64: TypeAlias = "array[int]"
Float64: TypeAlias = "array[float]"

_FIELD = re.compile(rb"[^\x00-\x20]+")
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]|\r(?=[^\n])")
# Each digit can be matched in one way only: with `\d+\.?\d*` the time for a long token would grow with its square.
_DECIMAL = re.compile(rb"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_RANK = re.compile(rb"[+-]?\d{1,18}")


def require(condition: bool, message: str) -> None:
    """A ValueError unless the caller's arguments are right."""
    if not condition:
        raise ValueError(message)


def whole_lines(buffer: Buffer, begin: int, end: int) -> bytes:
    """The text from `begin` to `end`, which must have padding behind it and end with a newline."""
    view = memoryview(buffer)
    require(0 <= begin <= end <= view.nbytes - PADDING, f"no text with padding from {begin} to {end}")
    text = bytes(view.cast("B")[begin:end])
    require(not text or text.endswith(b"\n"), "the text ends within a line")
    return text


def numbers_of(kind: str, buffer: Buffer) -> array[Any]:
    """The int64 ("q") or float64 ("d") numbers of a buffer."""
    view = memoryview(buffer)
    require(view.itemsize in (1, 8), f"numbers of {view.itemsize} bytes")
    numbers = array(kind)
    numbers.frombytes(view.tobytes())
    return numbers


def cut(text: Buffer, bounds: Buffer, *, padding: int = 0) -> Ids:
    """The ids of a column: id i is text[bounds[i]:bounds[i + 1]]."""
    content = memoryview(text).tobytes()
    places = numbers_of("q", bounds)
    fit = len(places) > 0 and places[0] >= 0 and places[-1] <= len(content) - padding
    require(fit, f"bounds are missing or beyond {len(content)} bytes of text with {padding} bytes of padding")
    require(all(start <= end for start, end in pairwise(places)), "bounds are not ascending")
    return [content[start:end] for start, end in pairwise(places)]


def joined(ids: Ids) -> tuple[bytes, Int64]:
    """Ids as one text with zeros before and behind, and their bounds, counted without the zeros."""
    return b"".join((bytes(8), *ids, bytes(PADDING))), array("q", accumulate(map(len, ids), initial=0))


def _byte_fault(text: bytes) -> tuple[int, int] | None:
    """The fault in the bytes of a line, or of whole lines, as (kind, value); None if they are right."""
    control = _CONTROL.search(text)
    if control:
        return CONTROL, control[0][0]
    try:
        text.decode()
    except UnicodeDecodeError:
        return NOT_UTF8, 0
    return None


def _is_content(fields: list[bytes]) -> bool:
    """Whether a line is neither blank nor a comment."""
    return bool(fields) and not fields[0].startswith(b"#")


def rows_of(text: bytes, width: int, open_end: bool, faults: list[Fault]) -> Iterator[tuple[int, int, list[bytes]]]:
    """The rows as (line, where the line starts, fields); what should be a row but is not becomes a fault."""
    may_be_bad = _byte_fault(text) is not None
    start = 0
    for number, line in enumerate(text.split(b"\n"), 1):
        byte_fault = _byte_fault(line) if may_be_bad else None
        fields = line.split()  # a line without control characters has no other separators
        if byte_fault:
            faults.append((number, *byte_fault, b""))
        elif _is_content(fields):
            if len(fields) == width or (open_end and len(fields) > width):
                yield number, start, fields
            else:
                faults.append((number, WIDTH, len(fields), b""))
        start += len(line) + 1


def split_fields(
    buffer: Buffer, begin: int, end: int, width: int, open_end: bool
) -> tuple[Int64, Int64, Int64, int, list[Fault], int]:
    """The fields of all rows: (starts, ends, lines, line_count, faults, fault_total).

    starts, ends  int64, rows x width: byte positions in the buffer
    lines         int64, rows: line numbers, from 1
    """
    text = whole_lines(buffer, begin, end)
    require(width >= 1, f"width {width} is below 1")
    starts, ends, lines, faults = array("q"), array("q"), array("q"), list[Fault]()
    for number, line_start, fields in rows_of(text, width, open_end, faults):
        lines.append(number)
        position = line_start
        for field in fields[:width]:
            # only separators come before it, so the next occurrence is the field itself
            position = text.index(field, position)
            starts.append(begin + position)
            position += len(field)
            ends.append(begin + position)
    return starts, ends, lines, text.count(b"\n"), faults[:MOST_FAULTS], len(faults)


def _decimal(token: bytes) -> float:
    """The finite number that a token spells; NaN if it spells none."""
    value = float(token) if _DECIMAL.fullmatch(token) else nan
    return value if abs(value) < inf else nan


def _rank_score(token: bytes) -> float:
    """Minus the rank that a token spells; NaN if it spells none."""
    rank = int(token) if _RANK.fullmatch(token) else 0
    return -float(rank) if rank >= 1 else nan


def _grade(token: bytes) -> float:
    """The grade that a token spells, which may be a fraction; NaN if it spells none."""
    grade = _decimal(token)
    return grade if abs(grade) <= HIGHEST_GRADE else nan


def number_reader(kind: int) -> Callable[[bytes], float]:
    """What reads a score, a rank or a grade."""
    readers = {SCORE: _decimal, RANK: _rank_score, GRADE: _grade}
    require(kind in readers, f"kind of number {kind}")
    return readers[kind]


def parse_decimals(buffer: Buffer, starts: Buffer, lengths: Buffer) -> Float64:
    """The numbers that tokens of a buffer spell, float64; NaN where a token is not a finite decimal number."""
    content = memoryview(buffer).tobytes()
    begins, sizes = numbers_of("q", starts), numbers_of("q", lengths)
    require(len(begins) == len(sizes), f"{len(begins)} starts and {len(sizes)} lengths")
    spans = [(begin, begin + size) for begin, size in zip(begins, sizes, strict=True)]
    fit = all(0 <= begin <= end <= len(content) - PADDING for begin, end in spans)
    require(fit, f"a token is beyond {len(content)} bytes of text with {PADDING} bytes of padding")
    return array("d", [_decimal(content[begin:end]) for begin, end in spans])


def block_start(buffer: Buffer, begin: int, end: int, query_column: int) -> int:
    """Where the rows of the text's last query begin: the start of a line; `begin` if all rows have the same query."""
    text = whole_lines(buffer, begin, end)
    require(query_column >= 0, f"column {query_column} is below 0")
    last_query, block = None, 0
    line_end = len(text) - 1
    while line_end >= 0:
        start = text.rfind(b"\n", 0, line_end) + 1
        fields = _FIELD.findall(text, start, line_end)
        line_end = start - 1
        if _is_content(fields):
            query = fields[query_column] if query_column < len(fields) else b""  # differs from all, itself included
            if last_query is not None and (query != last_query or not query):
                return begin + block
            last_query, block = query, start
    return begin
