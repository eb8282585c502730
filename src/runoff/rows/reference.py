r"""Reference implementation of `runoff.rows` in plain Python: lines into fields, fields into numbers, rows into ranks.

Each rule is one small function. The tests compare the compiled module with this one, which also does the work where
the compiled module is missing. Time and memory are linear in the text, except for sorting.

>>> from runoff.rows import reference as rows
>>> text = b"q1 Q0 d1 1 0.5 tag\nq1 Q0 d2 2 0.5 tag\n"
>>> batch = rows.parse_rows(text + bytes(rows.PADDING), 0, len(text), (6, True, 0, 2, 4, rows.SCORE), True)
>>> ranked = rows.group([batch]).rank(0, 1, (), -1, -1, rows.TREC_EVAL, rows.ERROR)
>>> ranked.docs_text.strip(bytes(1)), ranked.scores.tolist()
(b'd2d1', [0.5, 0.5])
"""
# ruff: noqa: FBT001 (flags are positional, as in the compiled module)

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from math import isnan
from typing import Final, TypeAlias

from runoff.rows.reference_lines import (
    CONTROL,
    GRADE,
    HIGHEST_GRADE,
    MOST_FAULTS,
    NOT_UTF8,
    NUMBER,
    PADDING,
    RANK,
    SCORE,
    WIDTH,
    Buffer,
    Fault,
    Float64,
    Ids,
    Int64,
    Layout,
    block_start,
    cut,
    joined,
    number_reader,
    numbers_of,
    parse_decimals,
    require,
    rows_of,
    split_fields,
    whole_lines,
)

__all__ = [
    "BEST",
    "CONTROL",
    "DOC_ASCENDING",
    "ERROR",
    "FILE",
    "FIRST",
    "FLOAT32",
    "GRADE",
    "HIGHEST_GRADE",
    "MOST_FAULTS",
    "NOT_UTF8",
    "NUMBER",
    "PADDING",
    "RANK",
    "SCORE",
    "TREC_EVAL",
    "UNRANKED",
    "WIDTH",
    "Batch",
    "Judged",
    "Lists",
    "Ranked",
    "block_start",
    "columns_batch",
    "group",
    "parse_decimals",
    "parse_rows",
    "split_fields",
]

TREC_EVAL, FLOAT32, FILE, DOC_ASCENDING, UNRANKED = 0, 1, 2, 3, 4
ERROR, FIRST, BEST = 0, 1, 2

Repeated: TypeAlias = tuple[int, int, int, int, bytes, bytes]
_LONGEST_TOKEN: Final = 256


class Batch:
    """Rows in the order of their text.

    rows, queries, lines  how many rows, distinct queries and lines there are
    in_blocks             whether no query comes back after another one
    faults, fault_total   the first faults, by line, and the number of all
    """

    def __init__(
        self, queries: Ids, docs: Ids, scores: Float64, row_lines: Sequence[int], lines: int, faults: list[Fault]
    ) -> None:
        self.docs, self.scores, self.row_lines = docs, scores, row_lines
        self.rows, self.lines = len(docs), lines
        self.faults, self.fault_total = faults[:MOST_FAULTS], len(faults)
        sizes = [(query, sum(1 for _ in rows)) for query, rows in groupby(queries)]
        ends = accumulate(size for _, size in sizes)
        self.blocks = [(query, end - size, end) for (query, size), end in zip(sizes, ends, strict=True)]
        self.queries = len({query for query, _ in sizes})
        self.in_blocks = len(sizes) == self.queries


def parse_rows(buffer: Buffer, begin: int, end: int, layout: Layout, keep: bool) -> Batch:  # noqa: ARG001
    """The rows of a text; layout is (width, open_end, query_column, doc_column, number_column, kind of number).

    Ids are copied out of the buffer, whatever `keep` says.
    """
    text = whole_lines(buffer, begin, end)
    width, open_end, query_column, doc_column, number_column, kind = layout
    fit = all(0 <= column < width for column in (query_column, doc_column, number_column))
    require(fit, f"a column of layout {layout} is beyond its width")
    score_of = number_reader(kind)
    queries, docs, scores, row_lines, faults = [], [], array("d"), array("q"), list[Fault]()
    for number, _, fields in rows_of(text, width, open_end, faults):
        score = score_of(fields[number_column])
        if isnan(score):
            faults.append((number, NUMBER, 0, fields[number_column][:_LONGEST_TOKEN]))
        queries.append(fields[query_column])
        docs.append(fields[doc_column])
        scores.append(score)
        row_lines.append(number)
    return Batch(queries, docs, scores, row_lines, text.count(b"\n"), faults)


def columns_batch(
    query_text: Buffer, query_bounds: Buffer, doc_text: Buffer, doc_bounds: Buffer, scores: Buffer
) -> Batch:
    """The rows of columns: id i is text[bounds[i]:bounds[i + 1]]; row i counts as line i + 1."""
    queries = cut(query_text, query_bounds, padding=PADDING)
    docs = cut(doc_text, doc_bounds, padding=PADDING)
    numbers = numbers_of("d", scores)
    require(len(queries) == len(docs) == len(numbers), "the columns differ in length")
    return Batch(queries, docs, numbers, range(1, len(docs) + 1), len(docs), [])


class JudgedDocs:
    """Judged documents; row i is document i, judged for the query at place row_query[i].

    queries   how many queries there are
    repeated  (row, earlier row) of the first row whose query and document came before; None if there is none
    """

    def __init__(
        self, query_text: Buffer, query_bounds: Buffer, row_query: Buffer, doc_text: Buffer, doc_bounds: Buffer
    ) -> None:
        query_ids = cut(query_text, query_bounds)
        self.queries = len(query_ids)
        self.places = {query: place for place, query in reversed(list(enumerate(query_ids)))}
        self.rows: list[dict[bytes, int]] = [{} for _ in query_ids]
        self.repeated: tuple[int, int] | None = None
        for row, (place, doc) in enumerate(_pairs(row_query, cut(doc_text, doc_bounds), range(self.queries))):
            earlier = self.rows[place].setdefault(doc, row)
            if earlier != row and self.repeated is None:
                self.repeated = row, earlier

    def find(self, places: Buffer, doc_text: Buffer, doc_bounds: Buffer) -> Int64:
        """For each place of a query and document the row of its judgment; -1 if it has none or the place is -1."""
        pairs = _pairs(places, cut(doc_text, doc_bounds), range(-1, self.queries))
        return array("q", [self.rows[place].get(doc, -1) if place >= 0 else -1 for place, doc in pairs])


Judged = JudgedDocs
"""Its name in the compiled module."""


def _pairs(places: Buffer, docs: Ids, allowed: range) -> list[tuple[int, bytes]]:
    """Places of queries with their documents."""
    numbers = numbers_of("q", places)
    require(len(numbers) == len(docs), f"{len(numbers)} places and {len(docs)} documents")
    require(all(place in allowed for place in numbers), "a place is out of range")
    return list(zip(numbers, docs, strict=True))


def _without_duplicates(docs: Ids, compared: Float64, duplicates: int) -> list[int]:
    """The rows that stay, in the order of the file: for each document the first one, or the first of the best."""
    stays: dict[bytes, int] = {}
    for row, doc in enumerate(docs):
        other = stays.setdefault(doc, row)
        is_better = compared[row] > compared[other] or (isnan(compared[other]) and not isnan(compared[row]))
        if duplicates == BEST and is_better:
            stays[doc] = row
    return sorted(stays.values())


def _rank_order(rows: Sequence[int], docs: Ids, compared: Float64, tie_rule: int) -> list[int]:
    """Rows in the order of the file into rank order; sorting keeps the order of what is equal."""
    if tie_rule == UNRANKED:
        return list(rows)
    ranked = [row for row in rows if not isnan(compared[row])]
    has_ties = len({compared[row] for row in ranked}) < len(ranked)
    if has_ties and tie_rule != FILE:
        ranked.sort(key=docs.__getitem__, reverse=tie_rule != DOC_ASCENDING)
    ranked.sort(key=compared.__getitem__, reverse=True)
    return ranked + [row for row in rows if isnan(compared[row])]


@dataclass(frozen=True, eq=False, slots=True)
class _List:
    """The ranked documents of one query, and how many of its rows repeat an earlier document."""

    query: bytes
    docs: Ids
    scores: list[float]
    is_tied: bool
    extra: int


def _hits(judged: JudgedDocs, lists: Sequence[_List]) -> tuple[Int64, ...]:
    """The judged documents of ranked lists: (places, hit_list, hit_rank, hit_row)."""
    places = array("q", [judged.places.get(ranked.query, -1) for ranked in lists])
    hits: list[tuple[int, int, int]] = []
    for number, (place, ranked) in enumerate(zip(places, lists, strict=True)):
        rows = judged.rows[place] if place >= 0 else {}
        hits += [(number, rank, rows[doc]) for rank, doc in enumerate(ranked.docs) if doc in rows]
    return places, *(array("q", [hit[column] for hit in hits]) for column in range(3))


@dataclass(frozen=True, eq=False, slots=True)
class Ranked:
    """Ranked lists of documents, best first; `docs` and `scores` are cut at `top`, all else is not."""

    lengths: Int64  # per list, without dropped duplicates
    tied: bytes  # bool per list: whether the scores at ranks depth and depth + 1 are equal
    dropped: int
    repeated: list[Repeated]  # (batch, line, first_batch, first_line, query, document)
    repeated_total: int
    docs_text: bytes
    docs_bounds: Int64
    scores: Float64
    hits: tuple[tuple[Int64, ...], ...]  # per `Judged`: (places, hit_list, hit_rank, hit_row)


class Lists:
    """The rows of some batches as of one file, by query in the order of first appearance."""

    def __init__(self, batches: Sequence[Batch]) -> None:
        self._batches = tuple(batches)
        self._pieces: dict[bytes, list[tuple[int, int, int]]] = {}
        for number, batch in enumerate(self._batches):
            for query, begin, end in batch.blocks:
                self._pieces.setdefault(query, []).append((number, begin, end))
        self._query_ids = list(self._pieces)
        self.queries = len(self._query_ids)
        self.rows = sum(batch.rows for batch in self._batches)

    def query_ids(self) -> tuple[bytes, Int64]:
        """All query ids as one text, and their bounds."""
        return joined(self._query_ids)

    def rank(
        self,
        first: int,
        last: int,
        judged: tuple[JudgedDocs, ...],
        depth: int,
        top: int,
        tie_rule: int,
        duplicates: int,
    ) -> Ranked:
        """The ranked lists of the queries from `first` to before `last`."""
        require(0 <= first <= last <= self.queries, f"queries {first} to {last} of {self.queries}")
        require(depth >= -1 and top >= -1, f"depth {depth} or top {top} is below -1")
        require(tie_rule in range(5) and duplicates in range(3), f"tie rule {tie_rule} or duplicates {duplicates}")
        if not all(isinstance(table, JudgedDocs) for table in judged):
            raise TypeError("expected a tuple of Judged")
        lists = [self._ranked_list(query, depth, tie_rule, duplicates) for query in self._query_ids[first:last]]
        extra = sum(ranked.extra for ranked in lists)
        repeating = [ranked.query for ranked in lists if ranked.extra and duplicates == ERROR]
        repeated = sorted(row for query in repeating for row in self._repeated_rows(query))
        cut = None if top < 0 else top
        docs_text, docs_bounds = joined([doc for ranked in lists for doc in ranked.docs[:cut]])
        return Ranked(
            lengths=array("q", [len(ranked.docs) for ranked in lists]),
            tied=bytes(ranked.is_tied for ranked in lists),
            dropped=0 if duplicates == ERROR else extra,
            repeated=repeated[:MOST_FAULTS],
            repeated_total=extra if duplicates == ERROR else 0,
            docs_text=docs_text,
            docs_bounds=docs_bounds,
            scores=array("d", [score for ranked in lists for score in ranked.scores[:cut]]),
            hits=tuple(_hits(table, lists) for table in judged),
        )

    def _ranked_list(self, query: bytes, depth: int, tie_rule: int, duplicates: int) -> _List:
        docs, scores = [], array("d")
        for number, begin, end in self._pieces[query]:
            docs += self._batches[number].docs[begin:end]
            scores += self._batches[number].scores[begin:end]
        compared = array("f", scores) if tie_rule == FLOAT32 else scores  # beyond float32 is infinite
        extra = len(docs) - len(set(docs))
        has_drops = extra > 0 and duplicates != ERROR
        rows = _without_duplicates(docs, compared, duplicates) if has_drops else range(len(docs))
        order = _rank_order(rows, docs, compared, tie_rule)
        is_tied = 0 < depth < len(order) and compared[order[depth - 1]] == compared[order[depth]]
        return _List(query, [docs[row] for row in order], [scores[row] for row in order], is_tied, extra)

    def _repeated_rows(self, query: bytes) -> list[Repeated]:
        """The first rows of a query whose document came before, each with the place of the document's first row."""
        firsts: dict[bytes, tuple[int, int]] = {}
        repeated: list[Repeated] = []
        for number, begin, end in self._pieces[query]:
            batch = self._batches[number]
            for line, doc in zip(batch.row_lines[begin:end], batch.docs[begin:end], strict=True):
                first = firsts.setdefault(doc, (number, line))
                if first != (number, line) and len(repeated) < MOST_FAULTS:
                    repeated.append((number, line, *first, query, doc))
        return repeated


def group(batches: Sequence[Batch]) -> Lists:
    """The rows of some batches, as if they were one file, by query."""
    if not all(isinstance(batch, Batch) for batch in batches):
        raise TypeError("expected a sequence of Batch")
    return Lists(batches)
