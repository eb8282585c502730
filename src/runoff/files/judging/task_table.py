"""Task files: every pair with sides and right answers (keep it private), and sheets for assessors.

A CSV file with the columns `task,place,pair,query,left,right,expected`; the last is empty for a real pair.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from runoff.arguments import checks_arguments
from runoff.errors import InputError, UsageError
from runoff.files.csv_cells import harmless_cell, quoted_cell, text_of_cell
from runoff.files.problems import Problems, quoted
from runoff.files.runs import run_name
from runoff.files.streams import DEFAULT_MAX_BYTES, Source, read_chunks, source_name
from runoff.tables.tasks import JudgingPair, Tasks

COLUMNS: Final = ("task", "place", "pair", "query", "left", "right", "expected")


@checks_arguments
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
            f"{quoted(','.join(cells))} is not a pair of a task; expected {','.join(COLUMNS)}; fix or remove this line",
        )
        return None
    task, place, pair, query_id, left, right, expected = map(text_of_cell, cells)
    return JudgingPair(task, int(place), pair, query_id, left, right, expected or None)


def render_tasks(tasks: Tasks) -> Iterator[str]:
    """The lines of a task file, each with its line end."""
    yield from csv_lines([COLUMNS, *([*row[:6], row.expected or ""] for row in tasks)])


def csv_lines(rows: Iterable[Sequence[object]], *, for_programs: bool = False) -> Iterator[str]:
    """Rows as lines of CSV, each with its line end; None is an empty cell.

    for_programs  no spreadsheet opens it, so text that looks like a formula is written as it is
    """
    for row in rows:
        texts = [harmless_cell(cell) if isinstance(cell, str) and not for_programs else cell for cell in row]
        line = ",".join(quoted_cell("" if text is None else str(text)) for text in texts)
        yield (line or '""') + "\n"


SHEET_COLUMNS: Final = (
    "task",
    "query",
    "left",
    "right",
    "question",
    "left_text",
    "right_text",
    "preferred",
    "assessor",
)


def render_task_sheet(tasks: Tasks, queries: Mapping[str, str], docs: Mapping[str, str]) -> Iterator[str]:
    """The lines of a CSV file in which an assessor writes `left`, `right` or `tie` into the column `preferred`."""
    rows: list[tuple[str, ...] | list[object]] = [SHEET_COLUMNS]
    for row in tasks:
        texts = queries[row.query_id], docs[row.left], docs[row.right]
        rows.append([row.task, row.query_id, row.left, row.right, *texts, "", ""])
    yield from csv_lines(rows)


def render_task_jsonl(tasks: Tasks, queries: Mapping[str, str], docs: Mapping[str, str]) -> Iterator[str]:
    """The lines of a JSON lines file: an object for every pair, with ids and texts."""
    yield from (json.dumps(record, ensure_ascii=False) + "\n" for record in records_of(tasks, queries, docs))


def records_of(tasks: Tasks, queries: Mapping[str, str], docs: Mapping[str, str]) -> Iterator[dict[str, object]]:
    """What a program that shows pairs needs of each: ids and texts, and nothing about right answers."""
    for row in tasks:
        yield {
            "task": row.task,
            "place": row.place,
            "pair": row.pair,
            "query": row.query_id,
            "left": row.left,
            "right": row.right,
            "question": queries[row.query_id],
            "left_text": docs[row.left],
            "right_text": docs[row.right],
        }
