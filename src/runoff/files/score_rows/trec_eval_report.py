"""The report that trec_eval up to version 8 wrote for each query, as in TREC's proceedings: `Queryid (Num): 301`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from runoff.errors import InputError
from runoff.files.score_rows._base import MEANS, ScoreFormat, ScoreLine, SingleScore

_QUERY: Final = re.compile(r"Queryid \(Num\):\s*(\S+)")
_VALUES: Final = (
    (re.compile(r"At\s+([0-9]+) docs:\s+(\S+)"), "P_{}"),
    (re.compile(r"(Exact):\s+(\S+)"), "Rprec"),
    (re.compile(r"at ([0-9.]+)\s+(\S+)"), "iprec_at_recall_{}"),
)
_AVERAGE: Final = "Average precision (non-interpolated)"


def _fits(lines: Sequence[ScoreLine]) -> bool:
    return any(_QUERY.match(line.text.strip()) for line in lines[:9])


def _rows(lines: Sequence[ScoreLine], name: str, run: str) -> list[SingleScore]:
    blocks: list[tuple[str, list[SingleScore]]] = []
    is_average = False
    for number, text in lines:
        line, where = text.strip(), f"{name}:{number}"
        query = _QUERY.match(line)
        if query:
            blocks.append((query[1], []))
        elif blocks and is_average:
            blocks[-1][1].append(SingleScore(where, run, blocks[-1][0], "map", line))
        elif blocks:
            matches = ((pattern.fullmatch(line), measure) for pattern, measure in _VALUES)
            blocks[-1][1].extend(
                SingleScore(where, run, blocks[-1][0], measure.format(match[1]), match[2])
                for match, measure in matches
                if match
            )
        is_average = line.startswith(_AVERAGE)
    (last, _), before = blocks[-1], len(blocks) - 1
    if last not in {*MEANS, str(before)}:
        problem = (
            f"{name}: the last part is of query {last}; expected the means of {before:,} queries at the end, as "
            "trec_eval -q writes them; check that the file is complete"
        )
        raise InputError([problem])
    return [row for _, rows in blocks[:-1] for row in rows]


TREC_EVAL_REPORT: Final = ScoreFormat(name="trec_eval's report", fits=_fits, rows=_rows)
