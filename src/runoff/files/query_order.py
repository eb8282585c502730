"""The order in which a large table has its queries: as text or as whole numbers; so two tables can be cut alike."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

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
