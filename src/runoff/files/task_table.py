"""The task file: every pair of every task, with its sides and the right answers of test pairs. Keep it to yourself.

A CSV file with the columns `task,place,pair,query,left,right,expected`; the last is empty for a real pair.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Final

from runoff.errors import InputError, UsageError
from runoff.files.problems import Problems, quoted
from runoff.files.runs import run_name
from runoff.files.streams import DEFAULT_MAX_BYTES, Source, read_chunks, source_name
from runoff.tables.tasks import JudgingPair, Tasks

COLUMNS: Final = ("task", "place", "pair", "query", "left", "right", "expected")


def read_tasks(source: Source, *, name: str | None = None, max_bytes: int = DEFAULT_MAX_BYTES) -> Tasks:
    r"""The tasks in a task file.

    >>> read_tasks(b"task,place,pair,query,left,right,expected\nt1,1,p,q,a,b,\n", name="mine")
    <Tasks mine: 1 pairs in 1 tasks>
    """
    where = source_name(source)
    problems = Problems(where)
    data = b"".join(chunk.bytes.tobytes() for chunk in read_chunks(source, max_bytes=max_bytes))
    try:
        reader = csv.reader(io.StringIO(data.decode(), newline=""), strict=True)
        header = tuple(next(reader, ()))
        if header != COLUMNS:
            problems.add(1, f"the columns are {', '.join(header)}; expected {','.join(COLUMNS)}; name a task file")
            problems.raise_if_any()
        rows = [row for cells in reader if (row := _row(reader.line_num, cells, problems))]
    except UnicodeDecodeError:
        raise InputError([f"{where}: bytes that are not UTF-8; expected a task file; convert the file"]) from None
    except csv.Error as error:
        raise InputError([f"{where}: not CSV ({error}); expected a task file; write it again"]) from None
    problems.raise_if_any()
    if not rows:
        raise InputError([f"{where}: no tasks; expected a pair on every line; check the file"])
    try:
        return Tasks(name=name or run_name(source), pairs=tuple(rows))
    except UsageError as error:
        raise InputError([f"{where}: {error}"]) from None


def _row(line: int, cells: list[str], problems: Problems) -> JudgingPair | None:
    if not cells:
        return None
    if len(cells) != len(COLUMNS) or not all(cells[:6]) or not cells[1].isdecimal():
        problems.add(
            line,
            f"{quoted(','.join(cells))} is no pair of a task; expected {','.join(COLUMNS)}; fix or remove this line",
        )
        return None
    task, place, pair, query_id, left, right, expected = cells
    return JudgingPair(task, int(place), pair, query_id, left, right, expected or None)


def render_tasks(tasks: Tasks) -> Iterator[str]:
    """The lines of a task file, each with its line end."""
    yield from csv_lines([COLUMNS, *([*row[:6], row.expected or ""] for row in tasks)])


def csv_lines(rows: list[tuple[str, ...] | list[object]]) -> Iterator[str]:
    """Rows as lines of CSV, each with its line end."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    for row in rows:
        writer.writerow(row)
        yield text.getvalue()
        text.seek(0)
        text.truncate()
