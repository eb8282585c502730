"""SERPs as one array that the store keeps: a row per query with everything that a comparison needs."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from runoff.comparisons.options import CompareOptions, at_level, board_level
from runoff.measures import ExternalMeasure, Measure, parse_measure
from runoff.tables.serps import Serps

if TYPE_CHECKING:
    from runoff.server.store.boards import StoredBoard
    from runoff.server.store.label_sets import LabelSet
    from runoff.tables.settings import BoardSettings

Settings = TypeVar("Settings", bound="BoardSettings")
SERP_ARRAYS: Final = ("grades", "retrieved", "judged", "depth_tied")
"""The arrays of `Serps`, a row per query."""
_LONGEST: Final = 60
_FORM: Final = 1
"""Grows when the same run, labels and settings would give another array."""


def measure_of(board: BoardSettings) -> Measure:
    """The measure of a stored board, at its relevance level."""
    return at_level(parse_measure(board.measure), board.relevance_level)


def under(board: Settings, labels: LabelSet) -> Settings:
    """The board with the relevance level of its labels, where these have their own."""
    return board if labels.relevance_level is None else replace(board, relevance_level=labels.relevance_level)


def question_of(board: BoardSettings) -> CompareOptions:
    """What is compared on a stored board."""
    measure = measure_of(board)
    level = board_level(board.relevance_level, measure)
    return CompareOptions(measures=measure, depth=board.depth, level=level, gains=board.gains)


def computation_version_of(board: StoredBoard, *, whole: bool = False) -> str:
    """The version of the computation behind what the public sees: what other settings gave is not used.

    Where queries are hidden from the public, it names the number of their subset. The version over the `whole` set of
    queries is the same where none is hidden.
    """
    subset = f", choice {board.hidden_subset}" if board.hidden_subset and not whole else ""
    text = f"{_FORM}{subset} {measure_of(board)} depth {board.depth}"
    if len(text) <= _LONGEST:
        return text
    # Cut alone, two measures with long names would be one.
    return f"{text[: _LONGEST - 17]} {hashlib.sha256(text.encode()).hexdigest()[:16]}"


def is_partial(computation_version: str) -> bool:
    """Whether a version of the computation leaves queries out.

    >>> is_partial("1, choice 2 RR@10 depth 10"), is_partial("1 RR@10 depth 10")
    (True, False)
    """
    return ", choice " in computation_version.partition(" depth ")[0]


def pack_serps(query_ids: Sequence[str], values: NDArray[np.float64], serps: Serps | None) -> NDArray[np.void]:
    """The values of a run, and its SERPs where the measure is computed from them, a row per query."""
    ids = np.array([query_id.encode() for query_id in query_ids], dtype=np.bytes_)
    columns: list[tuple[str, NDArray[np.generic]]] = [("query_id", ids), ("value", values)]
    if serps is not None:
        columns += [(name, getattr(serps, name)) for name in SERP_ARRAYS]
        columns.append(("extra_queries", np.full(len(query_ids), serps.extra_queries, dtype=np.int64)))
        if serps.values is not None:  # labels with fractions
            columns.append(("values", np.tile(np.array(serps.values), (len(query_ids), 1))))
    table = np.empty(len(query_ids), dtype=[(name, column.dtype, column.shape[1:]) for name, column in columns])
    for name, column in columns:
        table[name] = column
    return table


def query_ids_of(table: NDArray[np.void]) -> tuple[str, ...]:
    """The queries of a packed array."""
    return tuple(query_id.decode() for query_id in table["query_id"].tolist())


def unpack_serps(table: NDArray[np.void], name: str) -> Serps | None:
    """The SERPs of a packed array, for a run of that name; None where there are only values."""
    names = table.dtype.names or ()
    if "grades" not in names:
        return None
    arrays: dict[str, Any] = {name: np.ascontiguousarray(table[name]) for name in SERP_ARRAYS}
    return Serps(
        run=name,
        query_ids=query_ids_of(table),
        **arrays,
        tie_rule="trec_eval",
        extra_queries=int(table["extra_queries"][0]) if len(table) else 0,
        values=tuple(table["values"][0].tolist()) if "values" in names and len(table) else None,
    )


def needed_depth(board: BoardSettings) -> int | None:
    """The ranks to read of a run; None for whole lists."""
    measure = measure_of(board)
    return None if isinstance(measure, ExternalMeasure) else question_of(board).needed_depth()
