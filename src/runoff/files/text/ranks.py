"""What is odd about the ranks, scores and tags of a run in text that can be read: for `runoff check`.

Reading a run in TREC's format ignores its ranks and tags. Here all fields are looked at once more, chunk by chunk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial, reduce
from itertools import chain
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from runoff.files.streams import DEFAULT_MAX_BYTES, Source, map_in_order, read_chunks, skip_to_content, source_name
from runoff.files.text.formats import TextFormat
from runoff.files.text.tokens import Tokens, parse_decimals, tokenize
from runoff.tables.ids import Rows, Text, intern_tokens, starts_of_blocks

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Oddity:
    """How many queries or rows have something odd; of the first its line, its query and a value; none is count 0."""

    count: int = 0
    line: int = 0
    query: str = ""
    value: str = ""

    def then(self, later: Oddity) -> Oddity:
        """Of two parts of a file together."""
        return replace(self if self.count else later, count=self.count + later.count)

    def behind(self, lines: int) -> Oddity:
        """The same with some lines before it."""
        return replace(self, line=self.line + lines) if self.count else self


@dataclass(frozen=True, kw_only=True)
class RankOddities:
    """The odd queries of a run, and in `bad_ranks` and `other_tags` its odd rows.

    lines         how many lines the file has, blank ones and comments too
    queries       how many queries its usable rows have
    bad_ranks     rows whose rank is not a whole number
    not_from_one  queries with whole numbers as ranks, of which the lowest is not 1; the value is that rank
    rank_twice    queries with a rank twice; the value is the rank
    contradicted  queries in which a document has a higher score than one of a better rank; the value is its rank
    one_score     queries with several documents, all with the same score
    other_tags    rows with another tag than the first row; the value is the tag
    """

    lines: int = 0
    queries: int = 0
    bad_ranks: Oddity = field(default_factory=Oddity)
    not_from_one: Oddity = field(default_factory=Oddity)
    rank_twice: Oddity = field(default_factory=Oddity)
    contradicted: Oddity = field(default_factory=Oddity)
    one_score: Oddity = field(default_factory=Oddity)
    other_tags: Oddity = field(default_factory=Oddity)

    def then(self, later: RankOddities) -> RankOddities:
        """Of two parts of a file together, which have no query in common."""
        counts = {name: getattr(self, name) + getattr(later, name) for name in _COUNTS}
        odd = {name: getattr(self, name).then(getattr(later, name).behind(self.lines)) for name in _ODDITIES}
        return RankOddities(**counts, **odd)


_COUNTS: Final = ("lines", "queries")
_ODDITIES: Final = tuple(entry.name for entry in fields(RankOddities) if entry.name not in _COUNTS)


def rank_oddities(
    source: Source, run_format: TextFormat, *, max_bytes: int = DEFAULT_MAX_BYTES, threads: int | None = None
) -> RankOddities:
    """What is odd about a run in text, a path or bytes; lines that cannot be used are passed over."""
    read = partial(_pieces, source, run_format, max_bytes=max_bytes, threads=threads)
    together, seen = RankOddities(), set[str]()
    for piece in read(_reduced, block_column=run_format.query):
        before = len(seen)
        seen.update(piece.queries)
        if len(seen) < before + len(piece.queries):  # queries come back: all rows are looked at together
            return _reduced(_Rows.joined(list(read(lambda rows: rows)))).oddities
        together = together.then(piece.oddities)
    return together


@dataclass(frozen=True, eq=False)
class _Rows:
    """The usable rows of a part of a file, and what is odd about single ones.

    query, rank, score, line  per row; the query as a place in `queries`, the score NaN where the format has none
    """

    queries: Sequence[str]
    query: Rows
    rank: NDArray[np.float64]
    score: NDArray[np.float64]
    line: Rows
    alone: RankOddities

    @classmethod
    def joined(cls, parts: Sequence[_Rows]) -> _Rows:
        """All parts of a file; the same query in several parts is one."""
        places: dict[str, int] = {}
        query, line, before = [], [], 0
        for part in parts:
            here = [places.setdefault(name, len(places)) for name in part.queries]
            query.append(np.array(here, dtype=np.int64)[part.query])
            line.append(part.line + before)
            before += part.alone.lines
        return cls(
            queries=list(places),
            query=np.concatenate(query),
            rank=np.concatenate([part.rank for part in parts]),
            score=np.concatenate([part.score for part in parts]),
            line=np.concatenate(line),
            alone=reduce(RankOddities.then, (part.alone for part in parts)),
        )


@dataclass(frozen=True, eq=False)
class _Reduced:
    queries: Sequence[str]
    oddities: RankOddities


def _pieces(
    source: Source,
    run_format: TextFormat,
    shaped: Callable[[_Rows], Any],
    *,
    max_bytes: int,
    threads: int | None,
    block_column: int | None = None,
) -> Any:
    chunks = read_chunks(source, max_bytes=max_bytes, block_column=block_column)
    first, seen = skip_to_content(chunks, source_name(source), "a run")
    tag = first[len(run_format.fields) - 1] if run_format.has_tag else None
    return map_in_order(lambda text: shaped(_rows_of(text, run_format, tag)), chain(seen, chunks), threads=threads)


def _rows_of(text: Text, run_format: TextFormat, tag: bytes | None) -> _Rows:
    tokens = tokenize(text, run_format.fields, open_end=run_format.open_end)
    ranks, _ = parse_decimals(text, *tokens.column(run_format.rank))
    scores = np.full(len(tokens), np.nan)
    if run_format.number != run_format.rank:
        scores, _ = parse_decimals(text, *tokens.column(run_format.number))
    is_rank = (ranks == np.floor(ranks)) & (ranks >= 0)
    usable = is_rank if run_format.number == run_format.rank else ~np.isnan(scores)
    queries, query = _queries_of(tokens, run_format.query)
    bad = np.flatnonzero(usable & ~is_rank)
    return _Rows(
        queries=queries,
        query=query[usable],
        rank=np.where(is_rank, ranks, np.nan)[usable],
        score=scores[usable],
        line=tokens.lines[usable],
        alone=RankOddities(
            lines=tokens.line_count,
            bad_ranks=_odd_rows(tokens, bad, run_format.rank),
            other_tags=Oddity() if tag is None else _odd_rows(tokens, _other_tags(tokens, tag), -1),
        ),
    )


def _queries_of(tokens: Tokens, column: int) -> tuple[list[str], Rows]:
    """The distinct queries, and for every row its query's place among them."""
    starts, lengths = tokens.column(column)
    blocks = starts_of_blocks(tokens.text, starts, lengths)
    if not blocks.size:
        return [], np.zeros(0, dtype=np.int64)
    firsts, places = intern_tokens(tokens.text, starts[blocks], lengths[blocks])
    names = [tokens.token(int(row), column).decode() for row in blocks[firsts]]
    return names, np.repeat(places, np.diff(np.append(blocks, len(starts))))


def _other_tags(tokens: Tokens, tag: bytes) -> Rows:
    blocks = starts_of_blocks(tokens.text, *tokens.column(-1))
    differs = np.array([tokens.token(int(row), -1) != tag for row in blocks], dtype=np.bool_)
    return np.flatnonzero(np.repeat(differs, np.diff(np.append(blocks, len(tokens)))))


def _odd_rows(tokens: Tokens, rows: Rows, column: int) -> Oddity:
    if not rows.size:
        return Oddity()
    row = int(rows[0])
    value = tokens.token(row, column).decode()
    return Oddity(count=len(rows), line=int(tokens.lines[row]), value=value)


def _reduced(rows: _Rows) -> _Reduced:
    """What is odd about the queries of some rows, which are all rows of these queries."""
    if not len(rows.query):
        return _Reduced(rows.queries, rows.alone)
    query, rank, score, line = rows.query, rows.rank, rows.score, rows.line
    same = query[1:] == query[:-1]
    if not ((rank[1:] > rank[:-1]) | (query[1:] > query[:-1])).all():
        order = np.lexsort((rank, query))
        query, rank, score, line = query[order], rank[order], score[order], line[order]
        same = query[1:] == query[:-1]
    begins = np.flatnonzero(np.append(True, ~same))
    ends = np.append(begins[1:], len(query))
    later = rank[1:] > rank[:-1]
    is_one_score = (np.minimum.reduceat(score, begins) == np.maximum.reduceat(score, begins)) & (ends - begins > 1)

    def odd(positions: Rows) -> Oddity:
        if not positions.size:
            return Oddity()
        row = positions[np.argmin(line[positions])]
        name, value = rows.queries[int(query[row])], rank[row]
        return Oddity(
            count=len(np.unique(query[positions])),
            line=int(line[row]),
            query=name,
            value="" if np.isnan(value) else f"{value:.0f}",
        )

    oddities = replace(
        rows.alone,
        queries=len(begins),
        not_from_one=odd(begins[(rank[begins] != 1) & ~np.isnan(rank[ends - 1])]),  # a row without a rank comes last
        rank_twice=odd(np.flatnonzero(same & (rank[1:] == rank[:-1])) + 1),
        contradicted=odd(np.flatnonzero(same & later & (score[1:] > score[:-1])) + 1),
        one_score=odd(begins[is_one_score]),
    )
    return _Reduced(rows.queries, oddities)
