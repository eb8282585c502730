r"""CSV and TSV with a header that names the columns: BEIR's qrels, Quepid's ratings, tables of one's own.

Columns are separated by tabs, commas, semicolons or spaces: by what makes a query and a document column of the header.
"""

from __future__ import annotations

import csv
import re
from array import array
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from operator import add
from typing import Final

from runoff.errors import InputError
from runoff.files.column_names import (
    DOC_NAMES,
    GRADE_NAMES,
    QUERY_NAMES,
    RANK_NAMES,
    SCORE_NAMES,
    Kind,
    find_column,
    number_column_of,
    plain_name,
)
from runoff.files.peers._base import BLOCK_ROWS, PeerFormat
from runoff.files.problems import Problems, quoted
from runoff.files.streams import FIRST_LINE, Source, read_chunks
from runoff.files.tabular import Block
from runoff.phrases import counted

_SEPARATORS: Final = ("\t", ",", ";", " ")
_QUEPID: Final = ["query", "docid", "rating"]
"""Quepid's ratings: a query that nobody rated is a row of its own there, a document one without a number."""
_FIRST: Final = re.compile(r"(?:^|\n)[^\S\n]*([^\s#][^\n]*)\n")
_NUMBER_NAMES: Final = (*SCORE_NAMES, *RANK_NAMES, *GRADE_NAMES)
"""One of these too, where a first row of TREC's formats could have a query called `query` and a document `doc`."""


def _fits(head: bytes) -> bool:
    return _separator(_first_line(head)) is not None


def _first_line(head: bytes) -> str:
    """The first line that is neither blank nor a comment."""
    line = FIRST_LINE.search(head)
    return line[1].decode(errors="replace").strip() if line else ""


def _separator(line: str) -> str | None:
    """What separates the columns of a header; None if the line is none."""
    for separator in _SEPARATORS:
        names = _cells(line, separator)
        wanted = (QUERY_NAMES, DOC_NAMES, *((_NUMBER_NAMES,) if separator.isspace() else ()))
        if len(names) > 2 and all(find_column(names, some) for some in wanted):
            return separator
    return None


def _cells(line: str, separator: str) -> list[str]:
    if separator == " ":
        return line.split()
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])]
    except csv.Error:
        return []


def _texts(source: Source, max_bytes: int) -> Iterator[str]:
    """The chunks of a file, whole lines each; what is not UTF-8 is reported with the id or number that holds it."""
    for chunk in read_chunks(source, max_bytes=max_bytes):
        yield chunk.bytes.tobytes().decode(errors="surrogateescape")


def _cells_of_plain(text: str, separator: str, width: int) -> list[str] | None:
    """The cells of some lines, row after row; None where a line has a quote or another number of cells."""
    if separator == " " or '"' in text or text.count("\r") != text.count("\r\n"):
        return None
    if {line.count(separator) for line in text.split("\n")[:-1]} != {width - 1}:
        return None
    return text[:-1].replace("\n", separator).split(separator)


def _records(lines: Iterator[str], separator: str, where: str, before: int) -> Iterator[tuple[int, Sequence[str]]]:
    """The rows that are not blank, each with its line; some lines are before them."""
    if separator == " ":
        yield from ((number, line.split()) for number, line in enumerate(lines, start=before + 1) if line.strip())
        return
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=True)
    try:
        for row in reader:
            if row and (len(row) > 1 or row[0].strip()):
                yield before + reader.line_num, row
    except csv.Error as error:
        raise InputError(
            [f"{where}:{before + reader.line_num}: {error}; expected a table with quotes in pairs; fix this line"]
        ) from None


def _blocks(source: Source, kind: Kind, max_bytes: int, problems: Problems) -> Iterator[Block]:
    where = problems.source
    texts = _texts(source, max_bytes)
    line, text, match = 0, "", None
    for text in texts:
        match = _FIRST.search(text)
        if match:
            break
        line += text.count("\n")
    first, end = (match[1], match.end()) if match else ("", len(text))
    line += text.count("\n", 0, end)
    first = first.strip().removeprefix("\ufeff")
    separator = _separator(first) or ","
    header = _cells(first, separator)
    _check_header(header, f"{where}:{line}")
    column = number_column_of(header, kind, f"{where}:{line}")
    query, doc = (header.index(find_column(header, names) or "") for names in (QUERY_NAMES, DOC_NAMES))
    places = query, doc, header.index(column.name)
    is_quepid = [plain_name(name) for name in header] == _QUEPID
    texts = chain([text[end:]], texts)
    for text in texts:
        cells = None if is_quepid else _cells_of_plain(text, separator, len(header))
        if cells is None:
            texts = chain([text], texts)
            break
        queries, docs, numbers = ([cell.strip() for cell in cells[place :: len(header)]] for place in places)
        yield Block(queries=queries, docs=docs, numbers=numbers, column=column, line_of=partial(add, line + 1))
        line += len(docs)
    rows: list[Sequence[str]] = []
    lines = array("q")

    def block() -> Block:
        own_lines = array("q", lines)
        queries, docs, numbers = ([row[place].strip() for row in rows] for place in places)
        return Block(queries=queries, docs=docs, numbers=numbers, column=column, line_of=own_lines.__getitem__)

    rest = (row + "\n" for text in texts for row in text.split("\n")[:-1])
    for number, row in _records(rest, separator, where, line):
        if is_quepid and not any(cell.strip() for cell in row[2:]):
            continue  # nobody rated the query, or this document
        if len(row) != len(header):
            problems.add(
                number,
                f"{counted(len(row), 'field')}; expected {len(header)} as in the header "
                f"({', '.join(header)}); fix or remove this line",
            )
            continue
        rows.append(row)
        lines.append(number)
        if len(rows) == BLOCK_ROWS:
            yield block()
            rows.clear()
            del lines[:]
    if rows:
        yield block()


def _check_header(header: Sequence[str], where: str) -> None:
    for name in header:
        if [plain_name(other) for other in header].count(plain_name(name)) > 1:
            raise InputError(
                [f"{where}: two columns are called {quoted(name)}; expected every column once; rename or drop one"]
            )


HEADER_TABLE: Final = PeerFormat(name="CSV or TSV with a header", fits=_fits, blocks=_blocks)
