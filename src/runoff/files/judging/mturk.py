"""Mechanical Turk and sites like it: tasks as CSV, the page that shows them, and the results.

The site puts the columns of a row into the page wherever it says `${column}`. Ids are in columns that the page does
not show, so that the site's results say which documents were compared. Right answers are in neither.
"""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from runoff.errors import InputError
from runoff.files.judging.rows import JudgmentRows
from runoff.files.judging.task_table import csv_lines
from runoff.files.problems import quoted
from runoff.tables.ids import Text
from runoff.tables.preferences import Preferences
from runoff.tables.tasks import Tasks

PAIR_COLUMNS: Final = ("query_id", "left_id", "right_id", "query", "left", "right")
EMPTY: Final = "(nothing to compare here; choose either)"
_STYLE: Final = """\
  body { font: 1rem/1.5 sans-serif; color: #111; background: #fff; max-width: 60rem; margin: 0 auto; padding: 1rem; }
  fieldset { border: 1px solid #767676; margin: 0 0 2rem; padding: 1rem; min-width: 0; }
  legend { font-weight: bold; padding: 0 0.5rem; }
  .pair { display: flex; flex-wrap: wrap; gap: 1rem; }
  .pair label { flex: 1 1 20rem; border: 1px solid #767676; padding: 1rem; cursor: pointer; overflow-wrap: anywhere; }
  .pair label:focus-within { outline: 3px solid #1a4fa0; }
  input[type=radio] { width: 1.25rem; height: 1.25rem; vertical-align: middle; }"""


def render_mturk_csv(tasks: Tasks, queries: Mapping[str, str], docs: Mapping[str, str]) -> Iterator[str]:
    """The lines of the CSV file: `task`, then for each pair `query_id_1`, `left_id_1`, `right_id_1`, `query_1`, ...

    Texts are escaped for HTML, since the site puts them into the page as they are. A task with fewer pairs than the
    page has places has no ids in the last of them, and what is chosen there is no judgment.
    """
    number = most_pairs(tasks)
    rows: list[tuple[str, ...] | list[object]] = [
        ["task", *(f"{column}_{place}" for place in range(1, number + 1) for column in PAIR_COLUMNS)]
    ]
    for task, pairs in tasks.by_task.items():
        cells: list[object] = [task]
        for row in pairs:
            cells += [row.query_id, row.left, row.right]
            cells += [_page_text(text) for text in (queries[row.query_id], docs[row.left], docs[row.right])]
        rows.append([*cells, *["", "", "", EMPTY, "", ""] * (number - len(pairs))])
    yield from csv_lines(rows, for_programs=True)


def most_pairs(tasks: Tasks) -> int:
    """Pairs of the largest task: how many places the page needs."""
    return max((len(pairs) for pairs in tasks.by_task.values()), default=0)


def _page_text(text: str) -> str:
    return "<br>".join(html.escape(line) for line in text.splitlines())


def render_mturk_page(number: int) -> Iterator[str]:
    """The lines of the page that shows one task of `number` pairs; plain HTML that a keyboard and a reader can use."""
    yield '<script src="https://assets.crowd.aws/crowd-html-elements.js"></script>\n'
    yield f"<style>\n{_STYLE}\n</style>\n"
    yield '<crowd-form>\n<main lang="en">\n<h1>Which text answers the question better?</h1>\n'
    yield (
        f"<p>You will see {number} questions, each with two texts. Choose the text that best answers the question. If "
        "both do, choose the one that you would rather have found. Please read both texts to the end.</p>\n"
        "<p>You may stop at any time. By going on you agree that your choices, without your name, are used for "
        "research.</p>\n"
    )
    for place in range(1, number + 1):
        yield f"<fieldset>\n  <legend>{place} of {number}: ${{query_{place}}}</legend>\n"
        yield '  <div class="pair">\n'
        for side, name in (("left", "Left text"), ("right", "Right text")):
            yield (
                f'    <label><input type="radio" name="choice_{place}" value="{side}" required> {name}<br>'
                f"${{{side}_{place}}}</label>\n"
            )
        yield "  </div>\n</fieldset>\n"
    yield "</main>\n</crowd-form>\n"


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
        places = sorted({int(match[1]) for column in header if (match := _CHOICE.fullmatch(column))})
        needed = [TASK, *(f"Input.{part}_id_{place}" for place in places for part in ("query", "left", "right"))]
        missing = [column for column in needed if column not in header]
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
    ignored = [column for column in header if column not in (WORKER, SECONDS) and not _USED.fullmatch(column)]
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
            rows.problems.add(line, f"{SECONDS} {quoted(seconds)} is not a time; expected seconds; fix the line")
            return
    for place, choice in chosen.items():
        query_id, left, right = (str(record[f"Input.{part}_id_{place}"]) for part in ("query", "left", "right"))
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
    answers = [*([plain] if plain else []), *ticked]
    if len(answers) > 1 or (answers and answers[0].lower() not in ("left", "right", "tie")):
        rows.problems.add(
            line,
            f"choice {place} is {quoted(', '.join(answers))}; expected left, right or tie; fix or remove this line",
        )
        return ""
    return answers[0].lower() if answers else ""
