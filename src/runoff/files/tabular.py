"""Runs and qrels that are in memory already: Polars and pandas frames, dicts and tuples.

Ids may be text or whole numbers (a frame often holds them as integers); everything is checked as in a file, with row
numbers in the place of line numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from runoff import rows
from runoff.choices import DuplicateRule, TieRule
from runoff.errors import InputError, UsageError
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

QUERY_NAMES: Final = ("query_id", "qid", "query", "topic")
DOC_NAMES: Final = ("doc_id", "docno", "docid", "doc", "pid")
SCORE_NAMES: Final = ("run_score", "score")
RANK_NAMES: Final = ("rank",)
GRADE_NAMES: Final = ("relevance", "label", "grade", "rel")
_NOT_IN_IDS: Final = re.compile("[\x00-\x1f\ud800-\udfff]")
"""Control characters, and halves of characters, which UTF-8 cannot hold."""


def columns_of(table: Any, names: tuple[str, ...], where: str) -> Columns:
    """The columns of a frame, a {query: {doc: number}} dict or an iterable of (query, doc, number) tuples.

    `names` are what the three columns are called where the table does not name them itself.
    """
    if hasattr(table, "columns") and hasattr(table, "__getitem__"):
        return {str(column): _listed(table[column]) for column in _distinct(table.columns, where)}
    if isinstance(table, Mapping):
        return _columns_of_rows(
            ((query, doc, value) for query, docs in _nested(table, where) for doc, value in docs.items()), names, where
        )
    if isinstance(table, Iterable) and not isinstance(table, (str, bytes)):
        return _columns_of_rows(table, names, where)
    problem = (
        f"{where}: a {type(table).__name__} is not a table; expected a frame, a {{query: {{document: number}}}} "
        "dict or (query, document, number) tuples; to read a file use read_run or read_qrels"
    )
    raise InputError([problem])


def _listed(column: Any) -> Sequence[Any]:
    listed: Sequence[Any] = column.to_list() if hasattr(column, "to_list") else list(column)
    return listed


def _distinct(names: Iterable[Any], where: str) -> list[Any]:
    listed = list(names)
    for name in listed:
        if listed.count(name) > 1:
            raise InputError(
                [f"{where}: two columns are called {quoted(str(name))}; expected every column once; rename or drop one"]
            )
    return listed


def _nested(table: Mapping[Any, Any], where: str) -> Iterable[tuple[Any, Mapping[Any, Any]]]:
    for query, docs in table.items():
        if not isinstance(docs, Mapping):
            problem = (
                f"{where}: query {quoted(str(query))} maps to a {type(docs).__name__}; expected a dict "
                "{document: number}; nest the dict by query"
            )
            raise InputError([problem])
        yield query, docs


def _columns_of_rows(rows: Iterable[Any], names: tuple[str, ...], where: str) -> Columns:
    collected: tuple[list[Any], ...] = ([], [], [])
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, Iterable) or isinstance(row, (str, bytes, Mapping)):
            kind = type(row).__name__
            raise InputError(
                [f"{where}:{number}: a {kind} is not a row; expected a tuple ({', '.join(names)}); fix the row"]
            )
        fields = tuple(row)
        if len(fields) < len(names):
            raise InputError(
                [f"{where}:{number}: {len(fields)} fields; expected {len(names)} ({', '.join(names)}); fix the row"]
            )
        for column, value in zip(collected, fields, strict=False):
            column.append(value)
    return dict(zip(names, collected, strict=True))


def _pick(columns: Columns, names: tuple[str, ...], where: str) -> Sequence[Any]:
    return columns[picked(columns, names, where)]


def picked(columns: Iterable[str], names: tuple[str, ...], where: str) -> str:
    """The first of some names that is among the columns; an InputError if none is."""
    for name in names:
        if name in columns:
            return name
    problem = (
        f"{where}: no column for '{names[0]}' among {', '.join(map(repr, columns)) or 'none'}; expected one called "
        f"{' or '.join(map(repr, names))}; rename a column"
    )
    raise InputError([problem])


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


def note_odd_ranks(numbers: NDArray[np.float64], problems: Problems) -> None:
    """Note every number that is not a rank, by its row."""
    odd = np.flatnonzero((numbers != np.round(numbers)) | (numbers < 1))
    problems.add_all(
        (odd + 1).tolist(),
        lambda place: (
            f"rank {numbers[odd[place]]:g} is not a whole number of 1 or more; expected one such as 7; "
            "fix or remove the row"
        ),
    )


def note_odd_grades(numbers: NDArray[np.float64], problems: Problems) -> None:
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
    query_ids = _ids(_pick(columns, QUERY_NAMES, where), "query", problems)
    docs = _ids(_pick(columns, DOC_NAMES, where), "document", problems)
    if not query_ids:
        raise InputError([f"{where}: the table has no rows; expected ranked documents; check where it comes from"])
    has_scores = any(score in columns for score in SCORE_NAMES)
    values = _pick(columns, SCORE_NAMES if has_scores else (*SCORE_NAMES, *RANK_NAMES), where)
    numbers = _numbers(values, "score" if has_scores else "rank", problems)
    problems.raise_if_any()
    if not has_scores:
        note_odd_ranks(numbers, problems)
    request = ListRequest(top=ALL, tie_rule=tie_rule, duplicates=duplicates)
    batch = batch_of(Ids.of(query_ids), Ids.of(docs), numbers if has_scores else -numbers)
    lists = rank_batches([batch], request)
    note_repeated(problems, lists.repeated, lists.repeated_total)
    problems.raise_if_any()
    return Run.of_lists(name, lists, request)


def qrels_of_table(columns: Columns, name: str, *, where: str | None = None) -> Qrels:
    """The qrels in some columns: query, document and grade."""
    where = where or name
    problems = Problems(where)
    query_ids = _ids(_pick(columns, QUERY_NAMES, where), "query", problems)
    docs = _ids(_pick(columns, DOC_NAMES, where), "document", problems)
    if not query_ids:
        raise InputError([f"{where}: the table has no rows; expected judgments; check where it comes from"])
    numbers = _numbers(_pick(columns, GRADE_NAMES, where), "grade", problems)
    problems.raise_if_any()
    note_odd_grades(numbers, problems)
    problems.raise_if_any()
    qrels = qrels_of_batches(name, [batch_of(Ids.of(query_ids), Ids.of(docs), numbers)], problems)
    problems.raise_if_any()
    return qrels
