"""Tasks for people with a spreadsheet or a program of their own: CSV with one pair a row, and JSON lines.

Neither holds the right answers of test pairs. A filled-in sheet is read by `read_judgments` as it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Final

from runoff.files.task_table import csv_lines
from runoff.tables.tasks import Tasks

SHEET_COLUMNS: Final = (
    "task", "query", "left", "right", "question", "left_text", "right_text", "preferred", "assessor"
)  # fmt: skip
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def render_task_sheet(tasks: Tasks, queries: Mapping[str, str], docs: Mapping[str, str]) -> Iterator[str]:
    """The lines of a CSV file in which an assessor writes `left`, `right` or `tie` into the column `preferred`.

    A text that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    rows: list[tuple[str, ...] | list[object]] = [SHEET_COLUMNS]
    for row in tasks:
        shown = (_plain(text) for text in (queries[row.query_id], docs[row.left], docs[row.right]))
        rows.append([row.task, row.query_id, row.left, row.right, *shown, "", ""])
    yield from csv_lines(rows)


def _plain(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def render_task_jsonl(tasks: Tasks, queries: Mapping[str, str], docs: Mapping[str, str]) -> Iterator[str]:
    """The lines of a JSON lines file: an object for every pair, with ids and texts."""
    for row in tasks:
        record = {
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
        yield json.dumps(record, ensure_ascii=False) + "\n"
