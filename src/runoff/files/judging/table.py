"""Judgments as a table: CSV (or tabs) with a header, or JSON lines with the same keys.

The columns are `query,left,right,preferred,assessor,task,seconds,expected` in any order; the last four may be missing.
`preferred` is a document's id, or left, right, A, B or tie. Other columns are passed over and named in the result.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, Final

from runoff.errors import InputError
from runoff.files.csv_cells import text_of_cell
from runoff.files.judging.rows import COLUMNS, NAMES, NEEDED, JudgmentRows
from runoff.files.judging.task_table import csv_lines
from runoff.files.problems import Problems, quoted
from runoff.tables.ids import Text
from runoff.tables.preferences import Preferences

SEPARATORS: Final = (",", "\t", ";")
_TOP: Final = re.compile(r"(?:[^\S\n]*(?:#[^\n]*)?\n)*")
"""Blank lines and comments at the top."""


def judgment_separator(line: str) -> str | None:
    """What separates the columns if this is the header of a table of judgments, else None.

    >>> judgment_separator("left,right,query,preferred"), judgment_separator("q1 a b a")
    (',', None)
    """
    for separator in SEPARATORS:
        cells = {_plain(cell) for cell in line.split(separator)}
        if len(cells) > 1 and any(name in cells for name in NAMES["preferred"]):
            return separator
    return None


def parse_judgment_csv(chunks: Iterable[Text], *, where: str, name: str) -> Preferences:
    r"""The judgments in the chunks of a CSV file, or one with tabs or semicolons, whose first line names the columns.

    >>> from runoff.files.streams import read_chunks
    >>> data = b"preferred,left,right,query,assessor\nB,d1,d2,q,ann\ntie,d1,d3,q,bob\n"
    >>> table = parse_judgment_csv(read_chunks(data), where="votes.csv", name="votes")
    >>> [(row.left, row.right, row.preferred, row.assessor) for row in table]
    [('d1', 'd2', 'd2', 'ann'), ('d1', 'd3', None, 'bob')]
    """
    text, above = _text_of(chunks, where)
    separator = judgment_separator(text.partition("\n")[0]) or ","
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=separator)
    try:
        header = next(reader, [])
        places, ignored = _columns(header, where)
        rows = JudgmentRows(where)
        for cells in reader:
            if not cells:
                continue
            if len(cells) != len(header):
                rows.problems.add(
                    above + reader.line_num,
                    f"{len(cells)} fields; expected {len(header)} as in the first line; fix or remove this line",
                )
                continue
            texts = [text_of_cell(cells[place].strip()) if place >= 0 else "" for place in places]
            rows.add(above + reader.line_num, texts)
    except csv.Error as error:
        problem = f"{where}:{above + reader.line_num}: not CSV ({error}); expected a table of judgments; write it again"
        raise InputError([problem]) from None
    return rows.table(name, ignored)


def parse_judgment_jsonl(chunks: Iterable[Text], *, where: str, name: str) -> Preferences:
    """The judgments in the chunks of a file that holds a JSON object on every line.

    >>> from runoff.files.streams import read_chunks
    >>> line = b'{"query": "q", "left": "d1", "right": "d2", "preferred": "d2", "seconds": 7.5}'
    >>> next(iter(parse_judgment_jsonl(read_chunks(line), where="votes", name="votes"))).seconds
    7.5
    """
    rows = JudgmentRows(where)
    column_of = {key: place for place, column in enumerate(COLUMNS) for key in NAMES[column]}
    ignored: dict[str, None] = {}
    content, above = _text_of(chunks, where)
    for line, text in enumerate(content.split("\n"), start=above + 1):
        if not text.strip():
            continue
        record = _record(line, text, rows.problems)
        if record is None:
            continue
        cells = [""] * len(COLUMNS)
        for key, value in record.items():
            place = column_of.get(_plain(key))
            if place is None:
                ignored[key] = None
            else:
                cells[place] = "" if value is None else str(value).strip()
        missing = [column for column, cell in zip(NEEDED, cells, strict=False) if not cell]
        if missing:
            rows.problems.add(line, f"no {' and no '.join(missing)}; expected {', '.join(NEEDED)}; fix the line")
            continue
        rows.add(line, cells)
    return rows.table(name, tuple(ignored))


def render_judgment_csv(table: Preferences) -> Iterator[str]:
    """The lines of a CSV file that holds all that the table knows, each with its line end."""
    rows = ([*row[:3], "tie" if row.preferred is None else row.preferred, *row[4:]] for row in table)
    yield from csv_lines(chain([COLUMNS], rows))


def _text_of(chunks: Iterable[Text], where: str) -> tuple[str, int]:
    """The content from its first line that is neither blank nor a comment, and how many lines stand above that."""
    data = b"".join(chunk.bytes.tobytes() for chunk in chunks)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problem = f"{where}:{line}: bytes that are not UTF-8; expected text in UTF-8; convert the file"
        raise InputError([problem]) from None
    start = _TOP.match(text).end()  # type: ignore[union-attr]  # it matches nothing too
    return text[start:], text.count("\n", 0, start)


def _plain(name: str) -> str:
    return name.strip().strip('"').lower()


def _columns(header: Sequence[str], where: str) -> tuple[list[int], list[str]]:
    """For each of COLUMNS the place in the header, -1 for none; and the columns that are not used."""
    problems = Problems(where)
    names = [_plain(name) for name in header]
    places = []
    for column in COLUMNS:
        matches = [place for place, name in enumerate(names) if name in NAMES[column]]
        if len(matches) > 1:
            both = " and ".join(quoted(header[place]) for place in matches)
            problems.add(1, f"{both} are both the {column}; expected one such column; rename or drop the others")
        if not matches and column in NEEDED:
            problems.add(
                1,
                f"no column for {quoted(column)} among {', '.join(map(quoted, header)) or 'none'}; expected one called "
                f"{' or '.join(map(quoted, NAMES[column]))}; rename a column",
            )
        places.append(matches[0] if matches else -1)
    problems.raise_if_any()
    return places, [name for place, name in enumerate(header) if place not in places]


def _record(line: int, text: str, problems: Problems) -> dict[str, Any] | None:
    try:
        record = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        problems.add(line, f"not JSON ({error}); expected an object on every line; fix or remove this line")
        return None
    if not isinstance(record, dict):
        problems.add(line, f"a {type(record).__name__}; expected an object on every line; fix or remove this line")
        return None
    return record
