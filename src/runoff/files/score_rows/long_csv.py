"""CSV or TSV with a row for each score, as `runoff evaluate --per-query --format csv` and PyTerrier write it."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import Final

from runoff.errors import InputError
from runoff.files.column_names import find_column
from runoff.files.csv_cells import text_of_cell
from runoff.files.score_rows._base import FIELD_NAMES, ScoreFormat, ScoreLine, SingleScore


def _cells(lines: Sequence[ScoreLine]) -> list[list[str]]:
    separator = "\t" if "\t" in lines[0].text else ","
    return list(csv.reader((line.text.removeprefix("\ufeff") for line in lines), delimiter=separator))


def _columns(header: Sequence[str]) -> list[str | None]:
    return [find_column(header, names) for names in FIELD_NAMES.values()]


def _fits(lines: Sequence[ScoreLine]) -> bool:
    try:
        return None not in _columns(_cells(lines[:1])[0])
    except csv.Error:
        return False


def _rows(lines: Sequence[ScoreLine], name: str, run: str) -> list[SingleScore]:
    try:
        header, *table = _cells(lines)
    except csv.Error as error:
        problem = f"{name}: not a table of CSV ({error}); expected a row for each score on a line; write it again"
        raise InputError([problem]) from None
    places = [header.index(str(column)) for column in _columns(header)]
    rows = []
    for (number, _), cells in zip(lines[1:], table, strict=False):
        if len(cells) != len(header):
            problem = f"{name}:{number}: {len(cells)} fields; expected {len(header)} ({','.join(header)}); fix the row"
            raise InputError([problem])
        row = SingleScore(f"{name}:{number}", *(text_of_cell(cells[place]) for place in places))
        rows.append(row if row.run else row._replace(run=run))
    return rows


LONG_CSV: Final = ScoreFormat(name="CSV with run, query, measure and value", fits=_fits, rows=_rows)
