"""Runs and qrels that are in memory already: Polars and pandas frames, dicts and tuples.

Ids may be text or whole numbers (a frame often holds them as integers); everything is checked as in a file, with row
numbers in the place of line numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from runoff import rows
from runoff.choices import DuplicateRule, TieRule
from runoff.errors import InputError, UsageError
from runoff.files.column_names import DOC_NAMES, QUERY_NAMES, NumberColumn, number_column_of, picked
from runoff.files.problems import Problems, note_repeated, quoted
from runoff.rows import HIGHEST_GRADE
from runoff.tables.ids import Ids, numbers_of
from runoff.tables.qrels import Qrels
from runoff.tables.ranked_lists import ALL, ListRequest, rank_batches
from runoff.tables.run import Run


def batch_of(queries: Ids, docs: Ids, numbers: NDArray[np.float64]) -> rows.Batch:
    """Equally long columns of queries, documents and scores or grades as rows."""
    return rows.columns_batch(
        queries.text.padded_bytes,
        numbers_of(queries.bounds),
        docs.text.padded_bytes,
        numbers_of(docs.bounds),
        numbers_of(numbers, np.float64),
    )


def qrels_of_batches(
    name: str,
    batches: Sequence[rows.Batch],
    problems: Problems,
    lines_before: Sequence[int] = (0,),
    *,
    first_of: Callable[[int], str] | None = None,
) -> Qrels:
    """The qrels made of the judgments in some batches; what is judged twice, or graded too finely, is a problem.

    lines_before and first_of  see `note_repeated`
    """
    lists = rows.group(batches)
    ranked = lists.rank(0, lists.queries, (), ALL, ALL, rows.UNRANKED, 0)
    note_repeated(problems, ranked.repeated, ranked.repeated_total, lines_before, verb="is judged", first_of=first_of)
    lengths = np.frombuffer(ranked.lengths, dtype=np.int64)
    grades = np.nan_to_num(np.frombuffer(ranked.scores, dtype=np.float64))
    build = partial(
        Qrels.of_grades,
        name,
        tuple(Ids.packed(*lists.query_ids())),
        np.repeat(np.arange(len(lengths)), lengths),
        Ids.packed(ranked.docs_text, ranked.docs_bounds),
    )
    try:
        return build(grades)
    except UsageError as error:
        problems.add(0, str(error))
        return build(np.round(grades))


Columns = Mapping[str, Sequence[Any]]
"""Equally long columns by name."""

_NOT_IN_IDS: Final = re.compile("[\x00-\x1f\ud800-\udfff]")
"""Control characters, and halves of characters, which UTF-8 cannot hold."""


def _ids(values: Sequence[Any], column: str, problems: Problems) -> list[str]:
    texts = []
    for number, value in enumerate(values, start=1):
        is_id = isinstance(value, (str, int, np.integer)) and not isinstance(value, bool)
        text = str(value) if is_id else ""
        if not text or _NOT_IN_IDS.search(text):
            problems.add(
                number, f"{column} {quoted(str(value))} cannot be an id; expected text or a whole number; fix it"
            )
        texts.append(text)
    return texts


def _numbers(values: Sequence[Any], column: str, problems: Problems) -> NDArray[np.float64]:
    numbers = np.full(len(values), np.nan)
    for row, value in enumerate(values):
        if isinstance(value, (int, float, np.integer, np.floating)):
            with suppress(OverflowError):  # a whole number beyond float64
                numbers[row] = value
    bad = np.flatnonzero(~np.isfinite(numbers))
    problems.add_all(
        (bad + 1).tolist(),
        lambda place: (
            f"{column} {quoted(str(values[bad[place]]))} is not a finite number; expected one such as 12.5; "
            "fix or remove the row"
        ),
    )
    return numbers


def note_odd_numbers(numbers: NDArray[np.float64], column: NumberColumn, problems: Problems) -> None:
    """Note what cannot be the scores, ranks or grades of a column: single numbers by row, or all of them."""
    if column.holds == "rank":
        _note_odd_ranks(numbers, problems)
    elif column.is_either:
        _note_other_kind(numbers, column, problems)
    elif column.holds == "grade":
        _note_odd_grades(numbers, problems)


HIGHEST_LIKELY_GRADE: Final = 10
"""Whole numbers up to this one are taken for grades where a file does not say what its numbers are."""


def are_likely_grades(numbers: NDArray[np.float64]) -> bool:
    """Whether all of some numbers are whole and small, as grades are and scores hardly ever."""
    return bool(((numbers == np.round(numbers)) & (np.abs(numbers) <= HIGHEST_LIKELY_GRADE)).all())


def _note_other_kind(numbers: NDArray[np.float64], column: NumberColumn, problems: Problems) -> None:
    """Note a column `score` that holds grades in a run, or scores in qrels: BEIR calls both so."""
    if not len(numbers) or are_likely_grades(numbers) == (column.holds == "grade"):
        return
    if column.holds == "grade":
        odd = numbers[(numbers != np.round(numbers)) | (np.abs(numbers) > HIGHEST_LIKELY_GRADE)][0]
        problems.add(
            0,
            f"the column '{column.name}' holds {odd:g}; this looks like a run; expected grades, whole numbers up to "
            f"{HIGHEST_LIKELY_GRADE}; if these are grades, call the column 'relevance'",
        )
    else:
        problems.add(
            0,
            f"the column '{column.name}' holds whole numbers up to {numbers.max():g} alone; this looks like qrels of "
            "BEIR; expected scores; if these are scores, call the columns query_id, doc_id and score",
        )


def _note_odd_ranks(numbers: NDArray[np.float64], problems: Problems) -> None:
    """Note every number that is not a rank, by its row."""
    odd = np.flatnonzero((numbers != np.round(numbers)) | (numbers < 1))
    problems.add_all(
        (odd + 1).tolist(),
        lambda place: (
            f"rank {numbers[odd[place]]:g} is not a whole number of 1 or more; expected one such as 7; "
            "fix or remove the row"
        ),
    )


def _note_odd_grades(numbers: NDArray[np.float64], problems: Problems) -> None:
    """Note every number that is not a grade, by its row."""
    odd = np.flatnonzero(np.abs(numbers) > HIGHEST_GRADE)
    problems.add_all(
        (odd + 1).tolist(),
        lambda place: (
            f"grade {numbers[odd[place]]:g} is not a number from -{HIGHEST_GRADE} to {HIGHEST_GRADE}; "
            "expected one such as 0, 1 or 1.8; fix or remove the row"
        ),
    )


def run_of_table(
    columns: Columns,
    name: str,
    tie_rule: TieRule,
    *,
    where: str | None = None,
    duplicates: DuplicateRule = "error",
) -> Run:
    """The run in some columns: query, document, and a score or a rank."""
    where = where or name
    problems = Problems(where)
    query_ids = _ids(columns[picked(columns, QUERY_NAMES, where)], "query", problems)
    docs = _ids(columns[picked(columns, DOC_NAMES, where)], "document", problems)
    if not query_ids:
        raise InputError([f"{where}: the table has no rows; expected ranked documents; check where it comes from"])
    column = number_column_of(columns, "run", where)
    numbers = _numbers(columns[column.name], column.holds, problems)
    problems.raise_if_any()
    note_odd_numbers(numbers, column, problems)
    request = ListRequest(top=ALL, tie_rule=tie_rule, duplicates=duplicates)
    batch = batch_of(Ids.of(query_ids), Ids.of(docs), -numbers if column.holds == "rank" else numbers)
    lists = rank_batches([batch], request)
    note_repeated(problems, lists.repeated, lists.repeated_total)
    problems.raise_if_any()
    return Run.of_lists(name, lists, request)


def qrels_of_table(columns: Columns, name: str, *, where: str | None = None) -> Qrels:
    """The qrels in some columns: query, document and grade."""
    where = where or name
    problems = Problems(where)
    query_ids = _ids(columns[picked(columns, QUERY_NAMES, where)], "query", problems)
    docs = _ids(columns[picked(columns, DOC_NAMES, where)], "document", problems)
    if not query_ids:
        raise InputError([f"{where}: the table has no rows; expected judgments; check where it comes from"])
    column = number_column_of(columns, "qrels", where)
    numbers = _numbers(columns[column.name], column.holds, problems)
    problems.raise_if_any()
    note_odd_numbers(numbers, column, problems)
    problems.raise_if_any()
    qrels = qrels_of_batches(name, [batch_of(Ids.of(query_ids), Ids.of(docs), numbers)], problems)
    problems.raise_if_any()
    return qrels
