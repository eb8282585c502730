"""Runs and judgments in shards, part by part: memory is bounded by the part, not by the source."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from runoff.errors import InputError
from runoff.files.column_names import Kind
from runoff.files.parquet.cut_qrels import CutQrels, LabelPart, OutOfOrderError, Window, read_label_part
from runoff.files.parquet.parts import (
    PART_ROWS,
    Part,
    check_columns,
    cut_shards,
    read_part_lists,
    read_part_qrels,
    whole_part,
)
from runoff.files.parquet.shards import Shard, check_cells, find_shards
from runoff.files.streams import Source, map_in_order, source_name
from runoff.tables.qrels import Qrels
from runoff.tables.ranked_lists import ListRequest, RankedLists
from runoff.tables.serp_parts import SerpPart, SpreadQueryError, joined_serps, part_of_lists, with_own_labels
from runoff.tables.serps import Serps

MOST_ROWS_AT_ONCE: Final = 32 << 20
"""A run whose queries are spread is put in order in memory up to this size, some 6 GB; larger ones are refused.

So are judgments whose queries are in no order, or in another than those of a run."""


def parts_of(source: Source, *, max_bytes: int, part_rows: int = PART_ROWS) -> tuple[Part, ...]:
    """The parts of a sharded run; only footers and a few rows around each cut are read."""
    shards = _found(source, "run", max_bytes)
    return cut_shards(shards, part_rows=part_rows)


def read_whole_lists(source: Source, request: ListRequest, *, max_bytes: int) -> RankedLists:
    """The lists of the whole run, which is in memory meanwhile."""
    shards = _found(source, "run", max_bytes)
    check_cells(source_name(source), shards, max_bytes)
    return read_part_lists(whole_part(shards), request)


def read_sharded_qrels(source: Source, *, name: str, max_bytes: int) -> Qrels:
    """All judgments, in memory."""
    shards = _found(source, "qrels", max_bytes)
    check_cells(source_name(source), shards, max_bytes)
    return read_part_qrels(whole_part(shards), name=name)


def _found(source: Source, kind: Kind, max_bytes: int) -> tuple[Shard, ...]:
    """The shards of a run or of judgments; those without any row are refused."""
    shards = find_shards(source, max_bytes=max_bytes)
    check_columns(shards, kind=kind)
    if not any(shard.rows for shard in shards):
        expected = "ranked documents" if kind == "run" else "judgments"
        problem = f"{source_name(source)}: the table has no rows; expected {expected}; check where it comes from"
        raise InputError([problem])
    return shards


def read_cut_qrels(labels: CutQrels) -> Qrels:
    """All judgments of labels that were to be cut, in memory; refused where they are too many for it."""
    check_qrels_size(labels.source, labels.rows)
    return read_part_qrels(whole_part(labels.shards), name=labels.name)


def check_qrels_size(source: Source, rows: int) -> None:
    """Refuse judgments in no order that are too many for memory."""
    if rows > MOST_ROWS_AT_ONCE:
        problem = (
            f"{source_name(source)}: holds {rows:,} judgments, too many for memory; expected queries in one order, as "
            "text or as numbers, here and in all runs; sort them by query and write them again"
        )
        raise InputError([problem])


def read_serp_part(part: Part, qrels: Qrels, request: ListRequest) -> SerpPart:
    """What a part of a run earns under some qrels."""
    own_request = replace(request, labels=(qrels,))
    return part_of_lists(read_part_lists(part, own_request), own_request)


def read_labelled_part(part: Part, window: Window, labels: LabelPart, request: ListRequest) -> SerpPart:
    """What a part of a run earns under labels that are read for it alone.

    A query of the part outside its window is an OutOfOrderError; queries outside the labels' window are left out.
    """
    qrels = read_label_part(labels)
    own_request = replace(request, labels=(qrels,))
    lists = read_part_lists(part, own_request)
    if not all(query_id in window for query_id in lists.query_ids):
        raise OutOfOrderError(str(part))
    if labels.window.low != window.low:  # dropped rows are counted once, with the first labels of the part
        lists = replace(lists, dropped=0)
    return with_own_labels(part_of_lists(lists, own_request, counted=labels.window), qrels)


def read_sharded_serps(
    source: Source, request: ListRequest, *, name: str, max_bytes: int, threads: int | None = None
) -> Serps:
    """What a sharded run earns under the one set of labels, several parts at a time."""
    parts = parts_of(source, max_bytes=max_bytes)
    (qrels,) = request.labels
    serp_parts = map_in_order(partial(read_serp_part, qrels=qrels, request=request), parts, threads=threads)
    return serps_of_parts(serp_parts, parts, request, name=name)


def read_sharded_lists(
    source: Source, request: ListRequest, *, max_bytes: int, threads: int | None = None
) -> RankedLists:
    """The lists of a sharded run, several parts at a time; every part is read once."""
    parts = parts_of(source, max_bytes=max_bytes)
    part_lists = list(map_in_order(partial(read_part_lists, request=request), parts, threads=threads))
    spread = _spread_query(part_lists)
    return RankedLists.joined(part_lists) if spread is None else _whole_lists(parts, spread, request)


def serps_of_parts(serp_parts: Iterable[SerpPart], parts: Sequence[Part], request: ListRequest, *, name: str) -> Serps:
    """The SERPs of a run from what was found in its parts, in their order.

    Where a query is in two parts, its list is put together in memory from the whole run if that is small enough.
    """
    listed = list(serp_parts)
    try:
        return joined_serps(listed, run=name, request=request)
    except SpreadQueryError as error:
        spread = error
    return _whole_lists(parts, spread, request).serps(0, request, run=name)


def _spread_query(parts: Sequence[RankedLists]) -> SpreadQueryError | None:
    """A query that is in two parts, if there is one."""
    seen: dict[str, int] = {}
    for number, part in enumerate(parts):
        for query_id in part.query_ids:
            if seen.setdefault(query_id, number) != number:
                return SpreadQueryError(query_id, (seen[query_id], number))
    return None


def _whole_lists(parts: Sequence[Part], spread: SpreadQueryError, request: ListRequest) -> RankedLists:
    """The lists of the whole run, in memory, since a query is in two parts; refused if it is too large."""
    if sum(part.rows for part in parts) > MOST_ROWS_AT_ONCE:
        first, second = (parts[number] for number in spread.parts)
        problem = (
            f"{second}: query '{spread.query_id}' is here and in {first}; expected the rows of a query "
            "together in a run this large; sort the run by query and write it again"
        )
        raise InputError([problem])
    whole = Part(number=0, pieces=tuple(piece for part in parts for piece in part.pieces))
    return read_part_lists(whole, request)
