"""The public table of the MS MARCO document leaderboard: published means, no run files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import numpy as np

from runoff.errors import InputError
from runoff.files._board_fields import day
from runoff.files.problems import Problems, quoted
from runoff.files.score_matrix import read_csv_rows
from runoff.files.streams import DEFAULT_MAX_BYTES, Source, source_name
from runoff.files.text.tokens import parse_decimal
from runoff.tables.board import DEVELOPMENT, PUBLIC, Board, BoardRun

_ORGANISERS: Final = "🏛"
_COLUMNS: Final = ("id", "date", "", "description", "team")
_SCORE: Final = re.compile(r"(?P<measure>\S+@\d+) \((?P<queries>Dev|Eval)\)")
_QUERY_SETS: Final = {"Dev": DEVELOPMENT, "Eval": PUBLIC}


def read_msmarco_table(
    source: Source, *, title: str = "MS MARCO document ranking", max_bytes: int = DEFAULT_MAX_BYTES
) -> Board:
    """The board in the CSV file that the leaderboard's archive publishes.

    Eval scores are those of the public queries, which teams were shown while labels were hidden, and Dev scores those
    of the development queries, whose labels they held. There are no private ones. A run that is marked as the
    organisers' is a baseline. The columns paper, code, type and tweet have no place on a board and are passed over.
    """
    name = source_name(source)
    rows = read_csv_rows(source, expected="a leaderboard's table; download it again", max_bytes=max_bytes)
    header = rows.pop(0)[1] if rows else []
    score_columns = {column: match for column in header if (match := _SCORE.fullmatch(column))}
    missing = [column for column in _COLUMNS if column not in header]
    measures = {match["measure"] for match in score_columns.values()}
    if missing or len(measures) != 1:
        problem = (
            f"{name}:1: the columns are {', '.join(map(quoted, header))}; expected id, date, a nameless one, "
            "description, team and scores such as 'MRR@100 (Eval)'; download the table again"
        )
        raise InputError([problem])
    problems = Problems(name)
    first_line: dict[str, int] = {}
    runs = []
    for line, row in rows:
        if len(row) != len(header):
            problems.add(line, f"{len(row)} fields; expected {len(header)} as in the first row; fix or remove the row")
            continue
        fields = dict(zip(header, row, strict=True))
        problems.add_repeated(first_line, "run", fields["id"], line, of="rows")
        runs.append(_run(fields, score_columns, line, problems))
    problems.raise_if_any()
    if not runs:
        raise InputError([f"{name}: the table has no rows; expected runs with scores; download it again"])
    measure = measures.pop()
    return Board(
        title=title, measure=measure.removeprefix("M") if measure.startswith("MRR") else measure, runs=tuple(runs)
    )


def _run(
    fields: Mapping[str, str], score_columns: Mapping[str, re.Match[str]], line: int, problems: Problems
) -> BoardRun:
    submitted = day(fields["date"].replace("/", "-"))
    if submitted is None:
        problems.add(line, f"date {quoted(fields['date'])} is not a date; expected one such as 2021/02/10; fix the row")
    if not fields["id"].strip():
        problems.add(line, "the id is empty; expected the name of a run; fix the row")
    scores = {}
    for column, match in score_columns.items():
        if not fields[column].strip():
            continue  # many old entries have no Dev score
        mean = float(parse_decimal(fields[column].strip().encode()))
        if np.isnan(mean):
            problems.add(
                line,
                f"{column} {quoted(fields[column])} is not a finite number; expected one such as 0.42; fix the row",
            )
        scores[_QUERY_SETS[match["queries"]]] = mean
    return BoardRun(
        name=fields["id"],
        team=fields["team"],
        date=submitted,
        description=fields["description"],
        baseline=_ORGANISERS in fields[""],
        scores=scores,
    )
