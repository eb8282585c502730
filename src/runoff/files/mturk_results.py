"""Results of Mechanical Turk and sites like it: CSV with one assignment a row.

`Input.*` are the columns of the task, `Answer.choice_1` the choice of the first pair: left or right; or, as the site's
own form elements write it, `Answer.choice_1.left` and `Answer.choice_1.right`, one of which is true.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping
from typing import Final

from runoff.errors import InputError
from runoff.files.judgment_rows import JudgmentRows
from runoff.files.problems import quoted
from runoff.tables.ids import Text
from runoff.tables.preferences import Preferences

WORKER, SECONDS, TASK = "WorkerId", "WorkTimeInSeconds", "Input.task"
_CHOICE: Final = re.compile(r"Answer\.choice_(\d+)(?:\.(left|right|tie))?")
_USED: Final = re.compile(r"Input\.(?:task|(?:query_id|left_id|right_id|query|left|right)_\d+)|Answer\.choice_.*")
_TRUE: Final = frozenset(("true", "1", "on", "yes"))


def is_mturk_header(cells: Iterable[str]) -> bool:
    """Whether a header is that of such a file."""
    names = {cell.strip().strip('"').lower() for cell in cells}
    return WORKER.lower() in names and any(name.startswith("answer.") for name in names)


def parse_mturk_results(chunks: Iterable[Text], *, where: str, name: str) -> Preferences:
    """The judgments in the results; a pair without a choice is none.

    The time of an assignment is shared evenly among its pairs. Rejected assignments count like others: test pairs
    decide whose judgments are kept.
    """
    data = b"".join(chunk.bytes.tobytes() for chunk in chunks)
    rows = JudgmentRows(where)
    try:
        reader = csv.DictReader(io.StringIO(data.decode(), newline=""), strict=True)
        header = list(reader.fieldnames or ())
        places = sorted({int(found[1]) for one in header if (found := _CHOICE.fullmatch(one))})
        needed = [TASK, *(f"Input.{what}_id_{place}" for place in places for what in ("query", "left", "right"))]
        missing = [one for one in needed if one not in header]
        if missing or not places:
            lacking = ", ".join(missing[:5]) or "Answer.choice_1"
            problem = (
                f"{where}:1: no column {lacking}; expected results of tasks that `runoff tasks` wrote; fix the file"
            )
            raise InputError([problem])
        for record in reader:
            _add(rows, reader.line_num, record, places)
    except UnicodeDecodeError:
        raise InputError([f"{where}: bytes that are not UTF-8; expected text in UTF-8; convert the file"]) from None
    except csv.Error as error:
        raise InputError([f"{where}: not CSV ({error}); expected results of tasks; download them again"]) from None
    ignored = [one for one in header if one not in (WORKER, SECONDS) and not _USED.fullmatch(one)]
    return rows.table(name, ignored)


def _add(rows: JudgmentRows, line: int, record: Mapping[str, str | None], places: Iterable[int]) -> None:
    if None in record or any(value is None for value in record.values()):
        rows.problems.add(line, "not as many fields as the first line; expected one for each; fix or remove this line")
        return
    chosen = {place: choice for place in places if (choice := _choice(rows, line, record, place))}
    seconds = record.get(SECONDS) or ""
    if seconds and chosen:
        try:
            seconds = str(float(seconds) / len(chosen))
        except ValueError:
            rows.problems.add(line, f"{SECONDS} {quoted(seconds)} is no time; expected seconds; fix the line")
            return
    for place, choice in chosen.items():
        query_id, left, right = (str(record[f"Input.{what}_id_{place}"]) for what in ("query", "left", "right"))
        if not query_id and not left and not right:  # a place of the page that this task leaves empty
            continue
        rows.add(line, (query_id, left, right, choice, record[WORKER] or "", record[TASK] or "", seconds, ""))


def _choice(rows: JudgmentRows, line: int, record: Mapping[str, str | None], place: int) -> str:
    plain = (record.get(f"Answer.choice_{place}") or "").strip()
    ticked = [
        side
        for side in ("left", "right", "tie")
        if (record.get(f"Answer.choice_{place}.{side}") or "").strip().lower() in _TRUE
    ]
    given = [*([plain] if plain else []), *ticked]
    if len(given) > 1 or (given and given[0].lower() not in ("left", "right", "tie")):
        rows.problems.add(
            line, f"choice {place} is {quoted(', '.join(given))}; expected left, right or tie; fix or remove this line"
        )
        return ""
    return given[0].lower() if given else ""
