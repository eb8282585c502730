"""JSON Lines: an object with run, query, measure and value on every line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from runoff.errors import InputError
from runoff.files.score_rows._base import FIELD_NAMES, ScoreFormat, ScoreLine, SingleScore


def _fits(lines: Sequence[ScoreLine]) -> bool:
    return lines[0].text.lstrip().startswith("{")


def _rows(lines: Sequence[ScoreLine], name: str, run: str) -> list[SingleScore]:
    rows, problems = [], []
    for number, text in lines:
        where = f"{name}:{number}"
        try:
            entry = json.loads(text)
        except (ValueError, RecursionError):
            entry = None
        if not isinstance(entry, dict):
            problems.append(f"{where}: not a JSON object; expected one with query, measure and value; fix the line")
            continue
        fields = {key: _first(entry, names) for key, names in FIELD_NAMES.items()}
        fields["run"] = run if fields["run"] is None else fields["run"]
        lacking = [key for key, value in fields.items() if value is None or isinstance(value, (dict, list, bool))]
        if lacking:
            problems.append(f"{where}: no {lacking[0]}; expected {', '.join(FIELD_NAMES)}; add it")
        else:
            rows.append(SingleScore(where, *(str(value) for value in fields.values())))
    if problems:
        raise InputError(problems)
    return rows


def _first(entry: dict[str, Any], names: Sequence[str]) -> object:
    return next((entry[name] for name in names if name in entry), None)


JSON_LINES: Final = ScoreFormat(name="JSON Lines", fits=_fits, rows=_rows)
