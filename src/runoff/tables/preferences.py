"""Preference judgments: which of two documents an assessor preferred for a query."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError
from runoff.phrases import counted
from runoff.tables.ids import Ids, Rows, Words, intern_ids, mixed
from runoff.tables.read_only import ReadOnlyArrays

Codes = NDArray[np.int32]
Sides = NDArray[np.int8]

LEFT: Final = 1
RIGHT: Final = -1
TIE: Final = 0
ABSENT: Final = -1

ROW_COLUMNS: Final = ("row_query", "left", "right", "choice", "row_assessor", "row_task", "seconds", "expected")


class Judgment(NamedTuple):
    """One row of a table of preferences, in words; what is not known is None.

    preferred  the preferred document, None where the assessor saw no difference
    expected   the right answer of a test pair, None for a real pair
    """

    query_id: str
    left: str
    right: str
    preferred: str | None
    assessor: str | None = None
    task: str | None = None
    seconds: float | None = None
    expected: str | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Preferences(ReadOnlyArrays):
    """Preference judgments in the order of their file, as whole numbers into lists of distinct ids.

    query_ids        the queries; some may have no judgment left
    docs             the documents, each once
    row_query        int32, judgments: the query, as a place in query_ids
    left, right      int32, judgments: the documents on the two sides, as places in docs; never the same
    choice           int8, judgments: LEFT, RIGHT or TIE
    assessors        the assessors, and row_assessor: a place in them, or ABSENT
    tasks            the tasks, and row_task: a place in them, or ABSENT
    seconds          float64, judgments: how long it took, NaN where that is not known
    expected         int8, judgments: the right answer of a test pair, LEFT or RIGHT; 0 for a real pair
    repeated         rows of the input that an assessor gave twice in one task; they count once and are not in here
    ignored_columns  columns of the input that were not used
    """

    name: str
    query_ids: tuple[str, ...]
    docs: Ids
    row_query: Codes
    left: Codes
    right: Codes
    choice: Sides
    assessors: tuple[str, ...]
    row_assessor: Codes
    tasks: tuple[str, ...]
    row_task: Codes
    seconds: NDArray[np.float64]
    expected: Sides
    repeated: int = 0
    ignored_columns: tuple[str, ...] = ()

    @classmethod
    def of(cls, judgments: Iterable[Sequence[object]], *, name: str = "judgments") -> Preferences:
        """The table of some judgments, each a `Judgment` or a tuple of its first fields; none is left out.

        >>> table = Preferences.of([("q", "a", "b", "a", "ann"), ("q", "b", "a", None)])
        >>> table, table.choice.tolist()
        (<Preferences judgments: 2 judgments for 1 query>, [1, 0])
        """
        rows = [Judgment(*judgment) for judgment in judgments]  # type: ignore[arg-type]
        docs, (left, right) = intern_ids([Ids.of(row.left for row in rows), Ids.of(row.right for row in rows)])
        query_ids, row_query = _interned([row.query_id for row in rows])
        assessors, row_assessor = _interned([row.assessor for row in rows])
        tasks, row_task = _interned([row.task for row in rows])
        return cls(
            name=name,
            query_ids=query_ids,
            docs=docs,
            row_query=row_query,
            left=left.astype(np.int32),
            right=right.astype(np.int32),
            choice=np.array([_side(row, row.preferred, "preferred") for row in rows], dtype=np.int8),
            assessors=assessors,
            row_assessor=row_assessor,
            tasks=tasks,
            row_task=row_task,
            seconds=np.array([np.nan if row.seconds is None else row.seconds for row in rows], dtype=np.float64),
            expected=np.array([_side(row, row.expected, "expected") for row in rows], dtype=np.int8),
        )

    def __len__(self) -> int:
        return len(self.choice)

    def __repr__(self) -> str:
        judgments, queries = counted(len(self), "judgment"), counted(len(self.query_ids), "query", "queries")
        return f"<Preferences {self.name}: {judgments} for {queries}>"

    def __iter__(self) -> Iterator[Judgment]:
        """Its judgments in words."""
        docs = list(self.docs)
        for query, left, right, choice, assessor, task, seconds, expected in zip(
            *(getattr(self, column).tolist() for column in ROW_COLUMNS), strict=True
        ):
            side = {LEFT: docs[left], RIGHT: docs[right], TIE: None}
            yield Judgment(
                self.query_ids[query],
                docs[left],
                docs[right],
                side[choice],
                None if assessor == ABSENT else self.assessors[assessor],
                None if task == ABSENT else self.tasks[task],
                None if np.isnan(seconds) else seconds,
                side[expected],
            )

    @property
    def is_test(self) -> NDArray[np.bool_]:
        """Which judgments are of test pairs."""
        tests: NDArray[np.bool_] = self.expected != 0
        return tests

    def take(self, rows: Rows | NDArray[np.bool_]) -> Preferences:
        """The judgments at some rows, in that order; the lists of queries, documents, assessors and tasks stay."""
        return replace(self, **{column: getattr(self, column)[rows] for column in ROW_COLUMNS})

    @classmethod
    def joined(cls, tables: Sequence[Preferences], *, name: str = "judgments") -> Preferences:
        """Several tables, one behind the other; what repeats between them stays.

        >>> one, two = Preferences.of([("q", "a", "b", "a")]), Preferences.of([("r", "b", "a", "a")])
        >>> [tuple(row[:4]) for row in Preferences.joined([one, two])]
        [('q', 'a', 'b', 'a'), ('r', 'b', 'a', 'a')]
        """
        docs, places = intern_ids([table.docs for table in tables])
        columns: dict[str, Any] = {}
        for column in ("left", "right"):
            parts = [place[getattr(table, column)] for place, table in zip(places, tables, strict=True)]
            columns[column] = np.concatenate(parts).astype(np.int32)
        for column, listed in (("row_query", "query_ids"), ("row_assessor", "assessors"), ("row_task", "tasks")):
            columns[listed], columns[column] = _merged([(getattr(t, listed), getattr(t, column)) for t in tables])
        for column in ("choice", "seconds", "expected"):
            columns[column] = np.concatenate([getattr(table, column) for table in tables])
        ignored = dict.fromkeys(column for table in tables for column in table.ignored_columns)
        repeated = sum(table.repeated for table in tables)
        return cls(name=name, docs=docs, repeated=repeated, ignored_columns=tuple(ignored), **columns)


def _merged(parts: Sequence[tuple[tuple[str, ...], Codes]]) -> tuple[tuple[str, ...], Codes]:
    """Codes into several lists as codes into one list."""
    places: dict[str, int] = {}
    merged = []
    for listed, codes in parts:
        new = np.array([*(places.setdefault(name, len(places)) for name in listed), ABSENT], dtype=np.int32)
        merged.append(new[codes])  # ABSENT is the last place
    return tuple(places), np.concatenate(merged)


def _interned(values: Sequence[str | None]) -> tuple[tuple[str, ...], Codes]:
    places: dict[str, int] = {}
    codes = [ABSENT if value is None else places.setdefault(value, len(places)) for value in values]
    return tuple(places), np.array(codes, dtype=np.int32)


def _side(row: Judgment, doc_id: str | None, field: str) -> int:
    if row.left == row.right:
        raise UsageError(f"document {row.left!r} of query {row.query_id!r} is compared with itself; give two documents")
    if doc_id is not None and doc_id not in (row.left, row.right):
        raise UsageError(f"{field} {doc_id!r} is neither {row.left!r} nor {row.right!r}; name one of the two, or None")
    return TIE if doc_id is None else LEFT if doc_id == row.left else RIGHT


@dataclass(frozen=True, kw_only=True)
class JudgmentFile:
    """One source of judgments; `same_as` names an earlier one with the same content, and then nothing is counted."""

    name: str
    digest: str
    judgments: int
    repeated: int
    same_as: str | None = None


_SAME = ("row_query", "left", "right", "choice", "row_assessor", "row_task")


def without_repeats(table: Preferences) -> Preferences:
    """The table without rows that say the same as an earlier one by the same assessor in the same task.

    The same means the same query, sides and preference; how long it took does not matter. Rows without an assessor are
    judgments of their own, however often they appear. What is left out is counted in `repeated`.

    >>> rows = [("q", "a", "b", "a", "ann"), ("q", "a", "b", "a", "ann"), ("q", "a", "b", "a"), ("q", "a", "b", "a")]
    >>> found = without_repeats(Preferences.of(rows))
    >>> len(found), found.repeated
    (3, 1)
    """
    named = np.flatnonzero(table.row_assessor != ABSENT)
    if not named.size:
        return table
    seed = 0
    while True:
        keys = _keys(table.take(named), seed)
        distinct, places = np.unique(keys, return_inverse=True)
        firsts = np.empty(len(distinct), dtype=np.int64)
        firsts[places[::-1]] = named[::-1]  # of several rows the one written last, the first, stays
        here = firsts[places]
        if all((getattr(table, column)[named] == getattr(table, column)[here]).all() for column in _SAME):
            break
        seed += 1
    keep = np.ones(len(table), dtype=np.bool_)
    keep[named[here != named]] = False
    repeated = int(len(keep) - keep.sum())
    return replace(table.take(keep), repeated=table.repeated + repeated) if repeated else table


def _keys(table: Preferences, seed: int) -> Words:
    """A 64-bit key for each judgment; equal judgments have equal keys, and others almost never."""
    keys = np.full(len(table), seed, dtype=np.uint64)
    for column in _SAME:
        keys = mixed(keys + getattr(table, column).astype(np.uint64))
    return keys
