"""CSV with a row for each score, as `runoff evaluate --per-query --format csv` writes it."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import Final

from runoff.errors import InputError
from runoff.files.csv_cells import text_of_cell
from runoff.files.score_rows._base import ScoreFormat, ScoreLine, SingleScore

COLUMNS: Final = ("run", "query", "measure", "value")


def _header(line: ScoreLine) -> list[str]:
    return [cell.strip().lower().removeprefix("\ufeff") for cell in line.text.split(",")]


def _fits(lines: Sequence[ScoreLine]) -> bool:
    return sorted(_header(lines[0])) == sorted(COLUMNS)


def _rows(lines: Sequence[ScoreLine], name: str, run: str) -> list[SingleScore]:
    header = _header(lines[0])
    places = [header.index(column) for column in COLUMNS]
    rows = []
    for (number, _), cells in zip(lines[1:], csv.reader(line.text for line in lines[1:]), strict=False):
        if len(cells) != len(COLUMNS):
            problem = f"{name}:{number}: {len(cells)} fields; expected {len(COLUMNS)} ({','.join(header)}); fix the row"
            raise InputError([problem])
        row = SingleScore(f"{name}:{number}", *(text_of_cell(cells[place]) for place in places))
        rows.append(row if row.run else row._replace(run=run))
    return rows


LONG_CSV: Final = ScoreFormat(name="CSV with run, query, measure and value", fits=_fits, rows=_rows)
