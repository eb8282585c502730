"""Judgments too many for memory: an index of their queries, and the judgments between two queries."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import numpy as np

from runoff.files.parquet.parts import Part, ShardRows, check_columns, read_part_qrels, read_queries
from runoff.files.parquet.shards import Shard, find_shards
from runoff.files.streams import Source, source_name
from runoff.tables.ids import Ids
from runoff.tables.qrels import Qrels

if TYPE_CHECKING:
    import polars as pl

Order: TypeAlias = Literal["number", "text"]
ORDERS: Final[tuple[Order, ...]] = ("number", "text")
"""9 before 10, and 10 before 9; text by its code points, as Spark, Polars and `sort` with LC_ALL=C have it."""
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,17}")


class OutOfOrderError(Exception):
    """The queries of a table are not in an order by which it can be cut; never leaves the package."""


def key_of(order: Order) -> Callable[[str], Any]:
    """What a query id is compared by; an id that has no place in the order is an OutOfOrderError.

    >>> key_of("number")("9") < key_of("number")("10"), key_of("text")("9") < key_of("text")("10")
    (True, False)
    """
    return _number if order == "number" else str


def _number(query_id: str) -> int:
    if not _NUMBER.fullmatch(query_id):
        raise OutOfOrderError(query_id)
    return int(query_id)


def keys_of(ids: pl.Series, order: Order) -> pl.Series | None:
    """A column of ids as what they are compared by; None if one of them has no place in the order."""
    import polars as pl

    if ids.has_nulls():
        return None
    if order == "text":
        return ids
    return ids.cast(pl.Int64) if ids.str.contains(f"^({_NUMBER.pattern})$").all() else None


def is_rising(ids: pl.Series, order: Order) -> bool:
    """Whether each id is behind the one before; the ids are those of queries, each once."""
    keys = keys_of(ids, order)
    return keys is not None and bool((keys.slice(1) > keys.slice(0, max(len(keys) - 1, 0))).all())


LOOK_ROWS: Final = 1 << 22
"""Rows whose queries are looked at at once."""
STEP: Final = 1024
"""One in this many queries is in the index."""


@dataclass(frozen=True, kw_only=True)
class Window:
    """Queries from `low` (None: the first) up to `high` (None: the last), `high` left out, in an order."""

    low: str | None
    high: str | None
    order: Order

    def __contains__(self, query_id: object) -> bool:
        key = key_of(self.order)
        place = key(str(query_id))
        return (self.low is None or place >= key(self.low)) and (self.high is None or place < key(self.high))


@dataclass(frozen=True, kw_only=True)
class LabelPart:
    """The judgments of the queries in a window, somewhere within some rows.

    name    what the qrels are called
    rows    rows that hold all of them, and perhaps some of the queries before and behind
    """

    name: str
    window: Window
    rows: Part


@dataclass(frozen=True, kw_only=True, eq=False)
class CutQrels:
    """Judgments in shards whose queries are in order, not read.

    source   where they are
    queries  how many queries they are for
    orders   the orders that the queries are in: text, number or both
    places   every 1024th query, and the row where it begins
    """

    name: str
    source: str
    shards: tuple[Shard, ...]
    queries: int
    rows: int
    orders: tuple[Order, ...]
    places: tuple[tuple[str, int], ...]

    @cached_property
    def _keys(self) -> dict[Order, list[Any]]:
        return {order: [key_of(order)(query) for query, _ in self.places] for order in self.orders}

    @cached_property
    def _starts(self) -> list[int]:
        return [*(row for _, row in self.places), self.rows]

    @cached_property
    def _rows(self) -> ShardRows:
        return ShardRows(self.shards)

    def parts(self, window: Window, *, part_rows: int) -> Iterator[LabelPart]:
        """The judgments of the queries in a window, in pieces of `part_rows` rows or little more."""
        key, keys = key_of(window.order), self._keys[window.order]
        first = 0 if window.low is None else max(bisect_right(keys, key(window.low)) - 1, 0)
        behind = len(keys) if window.high is None else max(bisect_left(keys, key(window.high)), first)
        starts = self._starts
        cuts = [first]
        for place in range(first + 1, behind):
            if starts[place + 1] - starts[cuts[-1]] > part_rows:
                cuts.append(place)
        cuts.append(behind)
        bounds = [window.low, *(self.places[place][0] for place in cuts[1:-1]), window.high]
        for (low, high), (start, stop) in zip(pairwise(bounds), pairwise(cuts), strict=True):
            rows = self._rows.pieces(starts[start], starts[stop])
            yield LabelPart(
                name=self.name,
                window=Window(low=low, high=high, order=window.order),
                rows=Part(number=start, pieces=rows),
            )

    def read_parts(self, part_rows: int = LOOK_ROWS) -> Iterator[Qrels]:
        """All judgments, part by part, each of whole queries."""
        whole = Window(low=None, high=None, order=self.orders[0])
        return map(read_label_part, self.parts(whole, part_rows=part_rows))


def cut_qrels(source: Source, *, name: str, max_bytes: int, part_rows: int, step: int = STEP) -> CutQrels | None:
    """An index of judgments that are more than `part_rows`; None if they are fewer, or their queries in no order.

    step  one in this many queries is in the index

    Only the column of queries is read, once.
    """
    shards = find_shards(source, max_bytes=max_bytes)
    check_columns(shards, kind="qrels")
    rows = ShardRows(shards)
    total = rows.total
    if total <= part_rows:
        return None
    orders: tuple[Order, ...] = ORDERS
    places: list[tuple[str, int]] = []
    queries, last = 0, None
    for start in range(0, total, LOOK_ROWS):
        ids = read_queries(rows.pieces(start, min(start + LOOK_ROWS, total)))
        new = np.flatnonzero((ids != ids.shift(1, fill_value=last)).fill_null(value=True).to_numpy())
        first_ids = ids.gather(new)
        rising = first_ids if last is None else ids.clear().extend_constant(last, 1).append(first_ids)
        orders = tuple(order for order in orders if is_rising(rising, order))
        if not orders:
            return None
        indexed = range(-queries % step, len(new), step)
        places += [(first_ids[place], start + int(new[place])) for place in indexed]
        queries += len(new)
        last = first_ids[-1] if len(first_ids) else last
    return CutQrels(
        name=name,
        source=source_name(source),
        shards=shards,
        queries=queries,
        rows=total,
        orders=orders,
        places=tuple(places),
    )


def read_label_part(labels: LabelPart) -> Qrels:
    """The judgments of the queries in a window; all faults in them, with their files and rows, are one InputError."""
    window = labels.window
    keys = keys_of(read_queries(labels.rows.pieces), window.order)
    if keys is None:  # they were in order when they were looked at
        raise OutOfOrderError(labels.name)
    key = key_of(window.order)
    start, stop = (
        none if edge is None else int((keys < key(edge)).sum())
        for edge, none in ((window.low, 0), (window.high, len(keys)))
    )
    if start >= stop:
        return Qrels(
            name=labels.name,
            query_ids=(),
            row_query=np.zeros(0, dtype=np.int64),
            docs=Ids.of(()),
            relevance=np.zeros(0, dtype=np.int8),
        )
    return read_part_qrels(_narrowed(labels.rows, start, stop), name=labels.name)


def _narrowed(part: Part, start: int, stop: int) -> Part:
    """The rows `start` to `stop` of a part."""
    pieces, before = [], 0
    for piece in part.pieces:
        size = piece.stop - piece.start
        first, last = max(start - before, 0), min(stop - before, size)
        if first < last:
            pieces.append(type(piece)(shard=piece.shard, start=piece.start + first, stop=piece.start + last))
        before += size
    return Part(number=part.number, pieces=tuple(pieces))


def windows_of(parts: Sequence[Part], orders: Sequence[Order]) -> tuple[Window, ...]:
    """The queries that each part of a run may hold, if the run is in the order of the labels, else OutOfOrderError.

    A window goes from a part's first query to that of the next part, the first from the beginning, the last to the end.
    """
    begins = [part.begins for part in parts[1:] if part.begins is not None]
    for order in orders if len(begins) == len(parts) - 1 else ():
        try:
            keys = [key_of(order)(query) for query in begins]
        except OutOfOrderError:
            continue
        if all(first < second for first, second in pairwise(keys)):
            return tuple(Window(low=low, high=high, order=order) for low, high in pairwise([None, *begins, None]))
    raise OutOfOrderError(str(parts[0]))
