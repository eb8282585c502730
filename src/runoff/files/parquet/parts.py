"""Parts of shards: rows cut where one query ends and the next begins, so that each part can be read alone."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from runoff.errors import InputError
from runoff.files.column_names import DOC_NAMES, QUERY_NAMES, Kind, NumberColumn, number_column_of, picked
from runoff.files.parquet.columns import id_column, id_series, number_column
from runoff.files.parquet.shards import Shard, read_shard
from runoff.files.problems import Problems, note_repeated
from runoff.files.tabular import batch_of, note_odd_numbers, qrels_of_batches
from runoff.tables.ids import Ids
from runoff.tables.qrels import Qrels
from runoff.tables.ranked_lists import ListRequest, RankedLists, rank_batches

if TYPE_CHECKING:
    import polars as pl

PART_ROWS: Final = 1 << 20
"""How many rows a part has at least, if there are enough; a part in work takes some 150 bytes a row."""
_FIRST_LOOK: Final = 2048


@dataclass(frozen=True, kw_only=True)
class Piece:
    """The rows `start` to `stop` (from 0, `stop` left out) of a shard."""

    shard: Shard
    start: int
    stop: int

    def __str__(self) -> str:
        return f"{self.shard.path}:{self.start + 1}-{self.stop}"


@dataclass(frozen=True, kw_only=True)
class Part:
    """Rows of whole queries: pieces of one shard or of several neighbours.

    number  its place among the parts of the source
    begins  the query of its first row; None for the first part
    """

    number: int
    pieces: tuple[Piece, ...]
    begins: str | None = None

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return sum(piece.stop - piece.start for piece in self.pieces)

    def place(self, row: int) -> str:
        """File and row, from 1, of a row of the part, from 0."""
        for piece in self.pieces:
            if row < piece.stop - piece.start:
                return f"{piece.shard.path}:{piece.start + row + 1}"
            row -= piece.stop - piece.start
        raise IndexError(row)

    def __str__(self) -> str:
        return " and ".join(map(str, self.pieces))


class ShardRows:
    """The rows of some shards, one shard behind the other, by their numbers from 0."""

    def __init__(self, shards: Sequence[Shard]) -> None:
        self.shards = [shard for shard in shards if shard.rows]
        self.starts = [0, *accumulate(shard.rows for shard in self.shards)]

    @property
    def total(self) -> int:
        """How many rows there are."""
        return self.starts[-1]

    def pieces(self, start: int, stop: int) -> tuple[Piece, ...]:
        """The rows `start` to `stop`, `stop` left out; few steps, however many shards there are."""
        pieces_of_rows, place = [], max(bisect_right(self.starts, start) - 1, 0)
        while start < min(stop, self.total):
            before, behind = self.starts[place], min(self.starts[place + 1], stop)
            pieces_of_rows.append(Piece(shard=self.shards[place], start=start - before, stop=behind - before))
            start, place = behind, place + 1
        return tuple(pieces_of_rows)


def whole_part(shards: Sequence[Shard]) -> Part:
    """All rows of all shards as one part."""
    return Part(number=0, pieces=tuple(Piece(shard=shard, start=0, stop=shard.rows) for shard in shards if shard.rows))


def cut_shards(shards: Sequence[Shard], *, part_rows: int = PART_ROWS) -> tuple[Part, ...]:
    """The rows of some shards in parts of about `part_rows`, each cut where a new query begins.

    A cut is looked for from a multiple of `part_rows` on: at the first row there whose query is not that of the row
    before. So a list that goes on in the next shard stays whole.
    """
    rows = ShardRows(shards)
    total = rows.total
    cuts: list[tuple[int, str | None]] = [(0, None)]
    while cuts[-1][0] < total:
        last = cuts[-1][0]
        wanted = max((last // part_rows + 1) * part_rows, last + (part_rows + 1) // 2)
        cuts.append(_next_query(rows, wanted) if wanted < total else (total, None))
    return tuple(
        Part(number=number, pieces=rows.pieces(start, stop), begins=query)
        for number, ((start, query), (stop, _)) in enumerate(pairwise(cuts))
    )


def _next_query(rows: ShardRows, row: int) -> tuple[int, str | None]:
    """The first row from `row` on whose query is not that of the row before, and its query.

    The number of rows, and no query, if there is none.
    """
    (before,) = read_queries(rows.pieces(row - 1, row))
    look = _FIRST_LOOK
    while row < rows.total:
        queries = read_queries(rows.pieces(row, min(row + look, rows.total)))
        changed = next((place for place, query in enumerate(queries) if query != before), None)
        if changed is not None:
            return row + changed, queries[changed]
        row += len(queries)
        look *= 4
    return rows.total, None


def read_queries(pieces: Sequence[Piece]) -> pl.Series:
    """The query ids of some rows."""
    import polars as pl

    queries: list[pl.Series] = []
    for piece in pieces:
        column = picked(piece.shard.columns, QUERY_NAMES, piece.shard.path)
        series = read_shard(piece.shard, [column], piece.start, piece.stop)[column]
        ids = id_series(series)
        if ids is None:
            problem = (
                f"{piece.shard.path}: the column '{column}' holds {series.dtype}; expected text or whole numbers; "
                "write it again"
            )
            raise InputError([problem])
        queries.append(ids.rename(""))
    return pl.concat(queries) if queries else pl.Series(dtype=pl.String)


def read_part_lists(part: Part, request: ListRequest) -> RankedLists:
    """The ranked lists of a part of a run; all its faults, with their files and rows, are one InputError."""
    problems = Problems()
    queries, docs, numbers, column = _columns(part, problems, "run")
    _raise(problems, part)
    note_odd_numbers(numbers, column, problems)
    _raise(problems, part)
    lists = rank_batches([batch_of(queries, docs, -numbers if column.holds == "rank" else numbers)], request)
    note_repeated(problems, lists.repeated, lists.repeated_total, first_of=_first_of(part))
    _raise(problems, part)
    return lists


def read_part_qrels(part: Part, *, name: str) -> Qrels:
    """The judgments in a part; they need not be in any order."""
    problems = Problems()
    queries, docs, numbers, column = _columns(part, problems, "qrels")
    _raise(problems, part)
    note_odd_numbers(numbers, column, problems)
    _raise(problems, part)
    qrels = qrels_of_batches(name, [batch_of(queries, docs, numbers)], problems, first_of=_first_of(part))
    _raise(problems, part)
    return qrels


def _columns(part: Part, problems: Problems, kind: Kind) -> tuple[Ids, Ids, NDArray[np.float64], NumberColumn]:
    """Queries, documents and numbers of a part, and what the numbers are."""
    queries, docs, numbers = [], [], []
    before = 0
    for piece in part.pieces:
        query, doc, column = _names(piece.shard, kind)
        frame = read_shard(piece.shard, (query, doc, column.name), piece.start, piece.stop)
        queries.append(id_column(frame[query], "query", problems, before))
        docs.append(id_column(frame[doc], "document", problems, before))
        numbers.append(number_column(frame[column.name], column.holds, problems, before))
        before += len(frame)
    if len(queries) == 1:
        return queries[0], docs[0], numbers[0], column
    return Ids.joined(queries), Ids.joined(docs), np.concatenate(numbers), column


def _names(shard: Shard, kind: Kind) -> tuple[str, str, NumberColumn]:
    query, doc = (picked(shard.columns, names, shard.path) for names in (QUERY_NAMES, DOC_NAMES))
    return query, doc, number_column_of(shard.columns, kind, shard.path)


def check_columns(shards: Sequence[Shard], *, kind: Kind) -> None:
    """An InputError if shards lack a column, or some hold scores and others ranks."""
    ranked = [_names(shard, kind)[2].holds == "rank" for shard in shards]
    if any(ranked) and not all(ranked):
        odd = shards[ranked.index(not ranked[0])]
        first, then = ("ranks", "scores") if ranked[0] else ("scores", "ranks")
        raise InputError(
            [f"{odd.path}: holds {then}, {shards[0].path} {first}; expected the same in all shards; write one again"]
        )


def _first_of(part: Part) -> Callable[[int], str]:
    """Says where a row of a part is, counted from 1: by its line alone if all rows are in one file."""
    if len({piece.shard.path for piece in part.pieces}) == 1:
        return lambda row: f"line {part.place(row - 1).rpartition(':')[2]}"
    return lambda row: f"{part.place(row - 1)} (these files are read as one; name each if they are several)"


def _raise(problems: Problems, part: Part) -> None:
    """Raise what was noted by rows of the part, from 1, with the file and its row instead."""
    if not problems.total:
        return
    places = [
        part.place(problem.line - 1) if problem.line else part.pieces[0].shard.path for problem in problems.in_order()
    ]
    texts = [f"{place}: {problem.text}" for place, problem in zip(places, problems.in_order(), strict=True)]
    raise InputError(texts, total=problems.total)
