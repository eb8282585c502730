"""Tasks for Mechanical Turk and sites like it: CSV with one task a row, and the page that shows it.

The site puts the columns of a row into the page wherever it says `${column}`. Ids stand in columns that the page does
not show, so that the site's results say which documents were compared. Right answers are in neither.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from typing import Final

from runoff.files.task_table import csv_lines
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
    yield from csv_lines(rows)


def most_pairs(tasks: Tasks) -> int:
    """Pairs of the largest task: how many places the page needs."""
    return max((len(pairs) for pairs in tasks.by_task.values()), default=0)


def _page_text(text: str) -> str:
    return "<br>".join(html.escape(line) for line in text.splitlines())


def render_mturk_page(number: int) -> Iterator[str]:
    """The lines of the page that shows one task of so many pairs; plain HTML that a keyboard and a reader can use."""
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
