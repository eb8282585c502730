"""Rows of a table in memory, or of a file that another tool wrote: checked, and made into ranked lists or qrels.

Ids may be text or whole numbers (a frame often holds them as integers). Everything is checked as in the files of TREC;
in memory, row numbers take the place of line numbers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runoff import rows
from runoff.choices import DuplicateRule, TieRule
from runoff.errors import InputError, UsageError
from runoff.files.column_names import DOC_NAMES, QUERY_NAMES, Kind, NumberColumn, number_column_of, picked
from runoff.files.problems import Problems, note_repeated, quoted
from runoff.rows import HIGHEST_GRADE
from runoff.tables.ids import Ids, Rows, numbers_of
from runoff.tables.qrels import Qrels
from runoff.tables.ranked_lists import ALL, ListRequest, RankedLists, rank_batches
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


LineOf: TypeAlias = Callable[[int], int]
"""The line of a row, counted from 0 in its block."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Block:
    """Some rows of a file or table, as they are in it; nothing is checked yet.

    queries    their ids: text, or whole numbers
    docs       likewise
    numbers    numbers, or text in files
    column     what the numbers are
    line_of    where a row is
    in_memory  whether the values are Python's own, where text is not a number
    """

    queries: Sequence[Any]
    docs: Sequence[Any]
    numbers: Sequence[Any]
    column: NumberColumn
    line_of: LineOf
    in_memory: bool = False

    def spelled(self, value: Any) -> str:
        """A value in a message: text as it is, else as JSON or Python write it."""
        return str(value) if self.in_memory else shown(value)


def shown(value: Any) -> str:
    """A value as it is in the file: text as it is, else as JSON writes it.

    >>> [shown(value) for value in ("x", None, True, [1])]
    ['x', 'null', 'true', '[1]']
    """
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode(errors="backslashreplace").decode()


def lists_of_blocks(blocks: Iterable[Block], request: ListRequest, problems: Problems) -> RankedLists:
    """The ranked lists of a run; all its faults are raised in one InputError."""
    rows = _CheckedRows(problems)
    rows.take(blocks, "ranked documents")
    lists = rank_batches(rows.batches, request)
    repeated = Problems(most=problems.most)
    note_repeated(repeated, lists.repeated, lists.repeated_total, rows.before, first_of=rows.place)
    rows.absorb(repeated)
    problems.raise_if_any()
    return lists


def qrels_of_blocks(blocks: Iterable[Block], name: str, problems: Problems) -> Qrels:
    """The qrels, likewise."""
    rows = _CheckedRows(problems)
    rows.take(blocks, "judgments")
    repeated = Problems(most=problems.most)
    qrels = qrels_of_batches(name, rows.batches, repeated, rows.before, first_of=rows.place)
    rows.absorb(repeated)
    problems.raise_if_any()
    return qrels


def run_of_table(columns: Columns, name: str, tie_rule: TieRule, *, duplicates: DuplicateRule = "error") -> Run:
    """The run in some columns: query, document, and a score or a rank."""
    request = ListRequest(top=ALL, tie_rule=tie_rule, duplicates=duplicates)
    return Run.of_lists(name, lists_of_blocks([_block_of(columns, "run", name)], request, Problems(name)), request)


def qrels_of_table(columns: Columns, name: str, *, where: str | None = None) -> Qrels:
    """The qrels in some columns: query, document and grade."""
    where = where or name
    return qrels_of_blocks([_block_of(columns, "qrels", where)], name, Problems(where))


def _block_of(columns: Columns, kind: Kind, where: str) -> Block:
    queries, docs = (columns[picked(columns, names, where)] for names in (QUERY_NAMES, DOC_NAMES))
    # Without rows there may be no column of numbers, either.
    column = number_column_of(columns, kind, where) if queries else NumberColumn("", "score")
    numbers = columns[column.name] if queries else ()
    return Block(
        queries=queries, docs=docs, numbers=numbers, column=column, line_of=lambda row: row + 1, in_memory=True
    )


class _CheckedRows:
    """The rows of some blocks, packed; faults are noted with their lines."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.batches: list[rows.Batch] = []
        self.before = [0]
        self._blocks: list[tuple[Block, Rows]] = []

    def take(self, blocks: Iterable[Block], noun: str) -> None:
        """Check and pack all rows."""
        numbers = []
        for block in blocks:
            row_problems = Problems(most=self.problems.most)
            values, is_good = _numbers(block, row_problems)
            queries, docs = (
                _ids(block, column, name, row_problems, is_good)
                for column, name in ((block.queries, "query"), (block.docs, "document"))
            )
            if block.column.is_either:
                numbers.append(values[is_good])
            else:
                note_odd_numbers(np.where(is_good, values, 1.0), block.column, row_problems)
            if block.column.holds == "grade":
                is_good &= np.abs(values) <= HIGHEST_GRADE
            good_rows = np.flatnonzero(is_good)
            values = -values[good_rows] if block.column.holds == "rank" else values[good_rows]
            self.batches.append(batch_of(queries.take(good_rows), docs.take(good_rows), values))
            self._blocks.append((block, good_rows))
            self._absorb(row_problems, lambda line, block=block: block.line_of(line - 1))  # type: ignore[misc]
            self.before.append(self.before[-1] + len(good_rows))
        if numbers and not self.problems.total:
            note_odd_numbers(np.concatenate(numbers), self._blocks[0][0].column, self.problems)
        if not self.before[-1]:
            self.problems.raise_if_any()
            raise InputError([f"{self.problems.source}: no rows; expected {noun}; check where they come from"])

    def place(self, row: int) -> str:
        """How a message calls the line of a row, counted from 1 over all blocks."""
        return f"line {self._line(row)}"

    def _line(self, row: int) -> int:
        number = int(np.searchsorted(self.before, row, side="left")) - 1
        block, good_rows = self._blocks[number]
        return block.line_of(int(good_rows[row - self.before[number] - 1]))

    def absorb(self, row_problems: Problems) -> None:
        """Take over faults that are counted by the row over all blocks."""
        self._absorb(row_problems, self._line)

    def _absorb(self, row_problems: Problems, line_of: LineOf) -> None:
        for problem in row_problems.kept:
            self.problems.add(line_of(problem.line) if problem.line else 0, problem.text)
        self.problems.total += row_problems.total - len(row_problems.kept)


def _ids(block: Block, values: Sequence[Any], noun: str, problems: Problems, is_good: NDArray[np.bool_]) -> Ids:
    """The ids in a column; rows with what cannot be one are noted, and no longer good."""
    texts = values if set(map(type, values)) == {str} else [_text(value) for value in values]
    if "" in texts or _NOT_IN_IDS.search("".join(texts)):
        for row, text in enumerate(texts):
            if not text or _NOT_IN_IDS.search(text):
                is_good[row] = False
                problems.add(
                    row + 1,
                    f"{noun} {quoted(block.spelled(values[row]))} cannot be an id; expected text or a whole number; "
                    "fix it",
                )
        texts = [_NOT_IN_IDS.sub("?", text) for text in texts]
    return Ids.of(texts)


def _text(value: Any) -> str:
    return str(value) if isinstance(value, (str, int, np.integer)) and not isinstance(value, bool) else ""


def _numbers(block: Block, problems: Problems) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The numbers of a block, and which are good; what is none is noted."""
    values, noun = block.numbers, block.column.holds
    if not block.in_memory and set(map(type, values)) <= {str}:
        is_plain = not _NOT_IN_IDS.search("".join(values))
        texts = Ids.of(values if is_plain else [_NOT_IN_IDS.sub("?", value) for value in values])
        columns = (numbers_of(column) for column in (texts.starts, texts.lengths))
        numbers = np.frombuffer(rows.parse_decimals(texts.text.padded_bytes, *columns), dtype=np.float64).copy()
    else:
        numbers = _floats(values, block)
    is_good = np.isfinite(numbers)
    bad = np.flatnonzero(~is_good)
    example = "12.5 or 1e-7" if noun == "score" else "1 or 2" if noun == "rank" else "0, 1 or 1.8"

    def fault(place: int) -> str:
        if block.in_memory and isinstance(values[bad[place]], str):
            return (
                f"{noun} {quoted(values[bad[place]])} is text; expected a number such as {example}; convert the column "
                "to numbers"
            )
        value, doc, query = (
            quoted(block.spelled(column[bad[place]])) for column in (values, block.docs, block.queries)
        )
        return (
            f"{noun} {value} of document {doc} for query {query} is not a finite number; expected one such as "
            f"{example}; fix or remove this row"
        )

    problems.add_all((bad + 1).tolist(), fault)
    return numbers, is_good


def _floats(values: Sequence[Any], block: Block) -> NDArray[np.float64]:
    if set(map(type, values)) <= {int, float}:
        with suppress(OverflowError):
            return np.array(values, dtype=np.float64)
    return np.array([_number(value, block) for value in values], dtype=np.float64)


def _number(value: Any, block: Block) -> float:
    """A number of Python's, NumPy's or JSON's, where True is none."""
    if isinstance(value, (int, float, np.integer, np.floating)) and (block.in_memory or not isinstance(value, bool)):
        try:
            return float(value)
        except OverflowError:  # a whole number beyond float64
            return float("nan")
    return float("nan")


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


LIKE_QRELS: Final = (
    f"only whole numbers up to {HIGHEST_LIKELY_GRADE}, some of them equal; this looks like qrels; expected the scores "
    "of a run; check the order of runs and qrels; if these are scores, write 1.0 instead of 1"
)
"""What is wrong with a run whose form is that of qrels, too, if its numbers are those of grades."""


def are_small_and_whole(numbers: Sequence[Any]) -> bool:
    """Whether all numbers are of a whole type, and small.

    >>> [are_small_and_whole(numbers) for numbers in ([1, 0], [1.0, 0], [11], [True])]
    [True, False, False, False]
    """
    types = set(map(type, numbers))
    are_whole = all(issubclass(each, (int, np.integer)) and each is not bool for each in types)
    return are_whole and bool(types) and min(numbers) >= 0 and max(numbers) <= HIGHEST_LIKELY_GRADE


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
    todo = "add 1 to every rank" if len(odd) and not numbers[odd].any() else "fix or remove the row"
    problems.add_all(
        (odd + 1).tolist(),
        lambda place: (
            f"rank {numbers[odd[place]]:g} is not a whole number of 1 or more; expected one such as 7; {todo}"
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
