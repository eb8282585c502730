"""`trec_eval -q`: measure, query and value in columns; the line `runid all NAME` names the run that it ends."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from runoff.errors import InputError
from runoff.files.score_rows._base import MEANS, ScoreFormat, ScoreLine, SingleScore

_NAME: Final = re.compile(r"[A-Za-z]\S*|11pt_avg")
"""Of measures."""
_WIDTH: Final = 22
RUN_ID: Final = "runid"


def _fits(lines: Sequence[ScoreLine]) -> bool:
    fields = [line.text.split() for line in lines]
    if any((len(row) != 3 and row[0] != RUN_ID) or not _NAME.fullmatch(row[0]) for row in fields):
        return False
    is_padded = all(len(line.text.partition("\t")[0]) >= _WIDTH for line in lines)
    return is_padded or any(row[1] in MEANS for row in fields) or not any(_NAME.fullmatch(row[1]) for row in fields)


def _rows(lines: Sequence[ScoreLine], name: str, run: str) -> list[SingleScore]:
    """Blocks of lines by query and then lines of means, one block for each run."""
    rows: list[SingleScore] = []
    block: list[SingleScore] = []
    named: str | None = None
    is_ending, unnamed = False, 0
    for number, text in [*lines, ScoreLine(0, "end 0 0")]:
        measure, query, value = text.split(maxsplit=2)
        if is_ending and query not in MEANS:
            rows += (row._replace(run=named or run) for row in block)
            unnamed += named is None
            block, named, is_ending = [], None, False
            if unnamed and (number or len({row.run for row in rows}) > 1):
                raise InputError([_without_name(name)])
        is_ending = is_ending or query in MEANS
        if measure == RUN_ID:
            named = value
        block.append(SingleScore(f"{name}:{number}", run, query, measure, value))
    rows += (row._replace(run=named or run) for row in block[:-1])
    if all(row.query in MEANS for row in rows):
        problem = f"{name}: means alone; expected scores per query; run trec_eval with -q (and -c)"
        raise InputError([problem])
    return rows


def _without_name(name: str) -> str:
    return (
        f"{name}: several runs, and not all have a line 'runid all NAME'; expected the name of each; "
        "add -m runid to trec_eval's options, or write a file for each run into one folder"
    )


TREC_EVAL: Final = ScoreFormat(name="trec_eval -q", fits=_fits, rows=_rows)
