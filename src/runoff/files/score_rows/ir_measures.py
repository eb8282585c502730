"""`ir_measures -q`: query, measure and value with tabs between them, of one run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from runoff.errors import InputError
from runoff.files.score_rows._base import MEANS, ScoreFormat, ScoreLine, SingleScore

_MEASURE: Final = re.compile(r"[^\W\d]\w*(\(.*\))?(@[0-9.]+)?")


def _fields(line: ScoreLine) -> list[str]:
    return [field.strip() for field in line.text.split("\t")]


def _fits(lines: Sequence[ScoreLine]) -> bool:
    rows = [_fields(line) for line in lines]
    if any(len(row) not in (2, 3) or not _MEASURE.fullmatch(row[-2]) for row in rows):
        return False
    if all(len(row) == 2 for row in rows):
        return any("@" in row[0] or "(" in row[0] for row in rows)
    named = [row for row in rows if len(row) == 3]
    is_written = any(mark in row[1] for row in named for mark in "@(")
    return is_written or any(row[0] in MEANS for row in rows) or not all(_MEASURE.fullmatch(row[0]) for row in named)


def _rows(lines: Sequence[ScoreLine], name: str, run: str) -> list[SingleScore]:
    rows = []
    for line in lines:
        fields = _fields(line)
        if len(fields) == 3:
            rows.append(SingleScore(f"{name}:{line.number}", run, *fields))
        elif len(fields) != 2:
            problem = f"{name}:{line.number}: {len(fields)} fields; expected 3 (query measure value); fix the line"
            raise InputError([problem])
    if all(row.query in MEANS for row in rows):
        raise InputError([f"{name}: means alone; expected scores per query; run ir_measures with -q"])
    return rows


IR_MEASURES: Final = ScoreFormat(name="ir_measures -q", fits=_fits, rows=_rows)
