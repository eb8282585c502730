"""Runs and judgments in shards, part by part: memory is bounded by the part, however large the source."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final, Literal

from runoff.errors import InputError
from runoff.files.cut_qrels import CutQrels, LabelPart, Window, read_label_part
from runoff.files.lines import map_in_order
from runoff.files.part_tables import check_columns, read_part_hits, read_part_qrels, read_part_run
from runoff.files.query_order import OutOfOrderError
from runoff.files.shard_parts import PART_ROWS, Part, cut_shards, whole_part
from runoff.files.shards import Shard, check_cells, find_shards
from runoff.files.streams import Source, source_name
from runoff.tables.qrels import Qrels
from runoff.tables.ranking import TieRule
from runoff.tables.run import Run
from runoff.tables.serp_parts import SerpPart, SpreadQueryError, joined_serps, part_of_hits, with_own_labels
from runoff.tables.serps import Serps

MOST_ROWS_AT_ONCE: Final = 32 << 20
"""A run whose queries are spread is put in order in memory up to this size, some 6 GB; larger ones are refused.

So are judgments whose queries are in no order, or in another than those of a run."""


def parts_of(source: Source, *, max_bytes: int, part_rows: int = PART_ROWS) -> tuple[Part, ...]:
    """The parts of a sharded run; only footers and a few rows around each cut are read."""
    shards = _found(source, "score", max_bytes)
    return cut_shards(shards, part_rows=part_rows)


def read_sharded_run(source: Source, *, name: str, tie_rule: TieRule, max_bytes: int) -> Run:
    """The whole run, in memory."""
    shards = _found(source, "score", max_bytes)
    check_cells(source_name(source), shards, max_bytes)
    return read_part_run(whole_part(shards), name=name, tie_rule=tie_rule)


def read_sharded_qrels(source: Source, *, name: str, max_bytes: int) -> Qrels:
    """All judgments, in memory."""
    shards = _found(source, "grade", max_bytes)
    check_cells(source_name(source), shards, max_bytes)
    return read_part_qrels(whole_part(shards), name=name)


def _found(source: Source, kind: Literal["score", "grade"], max_bytes: int) -> tuple[Shard, ...]:
    """The shards of a run or of judgments; those without any row are refused."""
    shards = find_shards(source, max_bytes=max_bytes)
    check_columns(shards, kind=kind)
    if not any(shard.rows for shard in shards):
        expected = "ranked documents" if kind == "score" else "judgments"
        problem = f"{source_name(source)}: the table has no rows; expected {expected}; check where it comes from"
        raise InputError([problem])
    return shards


def read_cut_qrels(labels: CutQrels) -> Qrels:
    """All judgments of labels that were to be cut, in memory; refused where they are too many for it."""
    check_qrels_size(labels.source, labels.rows)
    return read_part_qrels(whole_part(labels.shards), name=labels.name)


def check_qrels_size(source: Source, rows: int) -> None:
    """Refuse so many judgments in no order that they cannot be held in memory."""
    if rows > MOST_ROWS_AT_ONCE:
        problem = (
            f"{source_name(source)}: holds {rows:,} judgments, too many for memory; expected queries in one order, as "
            "text or as numbers, here and in all runs; sort them by query and write them again"
        )
        raise InputError([problem])


def read_serp_part(part: Part, qrels: Qrels, *, name: str, tie_rule: TieRule, depth: int | None) -> SerpPart:
    """What a part of a run earns under some qrels."""
    return part_of_hits(read_part_hits(part, qrels.sieve, name=name, tie_rule=tie_rule), qrels, depth=depth)


def read_labelled_part(
    part: Part, window: Window, labels: LabelPart, *, name: str, tie_rule: TieRule, depth: int | None
) -> SerpPart:
    """What a part of a run earns under labels that are read for it alone.

    A query of the part outside its window is an OutOfOrderError; queries outside the labels' window are left out.
    """
    qrels = read_label_part(labels)
    hits = read_part_hits(part, qrels.sieve, name=name, tie_rule=tie_rule)
    if not all(query_id in window for query_id in hits.query_ids):
        raise OutOfOrderError(str(part))
    return with_own_labels(part_of_hits(hits, qrels, depth=depth, counted=labels.window), qrels)


def read_sharded_serps(
    source: Source,
    qrels: Qrels,
    *,
    name: str,
    tie_rule: TieRule,
    depth: int | None,
    max_bytes: int,
    threads: int | None = None,
) -> Serps:
    """What a sharded run earns under some qrels, several parts at a time."""
    parts = parts_of(source, max_bytes=max_bytes)
    qrels.sieve  # noqa: B018  # made once, here, and not by every thread
    one = partial(read_serp_part, qrels=qrels, name=name, tie_rule=tie_rule, depth=depth)
    return serps_of_parts(
        map_in_order(one, parts, threads=threads), parts, qrels, name=name, tie_rule=tie_rule, depth=depth
    )


def read_serps_and_top_of_parts(
    parts: Sequence[Part],
    labels: Sequence[Qrels],
    *,
    top: int,
    name: str,
    tie_rule: TieRule,
    depth: int | None,
    threads: int | None = None,
) -> tuple[tuple[Serps, ...], Run]:
    """What a run earns under each of some qrels, and the run cut at rank `top`; every part is read once."""

    def one(part: Part) -> tuple[list[SerpPart], Run]:
        run = read_part_run(part, name=name, tie_rule=tie_rule)
        return [part_of_hits(run.hits(qrels.sieve), qrels, depth=depth) for qrels in labels], run.top(top)

    for qrels in labels:
        qrels.sieve  # noqa: B018  # made once, here, and not by every thread
    found = list(map_in_order(one, parts, threads=threads))
    spread = _spread_query([run for _, run in found])
    if spread is not None:
        whole = _whole_run(parts, spread, name=name, tie_rule=tie_rule)
        return tuple(whole.serps(qrels, depth=depth) for qrels in labels), whole.top(top)
    earned = [
        joined_serps([some[place] for some, _ in found], qrels, run=name, depth=depth, tie_rule=tie_rule)
        for place, qrels in enumerate(labels)
    ]
    return tuple(earned), Run.joined([run for _, run in found])


def serps_of_parts(
    found: Iterable[SerpPart], parts: Sequence[Part], qrels: Qrels, *, name: str, tie_rule: TieRule, depth: int | None
) -> Serps:
    """The SERPs of a run from what was found in its parts, in their order.

    Where a query stands in two parts, its list is put together in memory from the whole run if that is small enough.
    """
    listed = list(found)
    try:
        return joined_serps(listed, qrels, run=name, depth=depth, tie_rule=tie_rule)
    except SpreadQueryError as error:
        spread = error
    return _whole_run(parts, spread, name=name, tie_rule=tie_rule).serps(qrels, depth=depth)


def _spread_query(runs: Sequence[Run]) -> SpreadQueryError | None:
    """A query that is in two parts, if there is one."""
    seen: dict[str, int] = {}
    for number, run in enumerate(runs):
        for query_id in run.query_ids:
            if seen.setdefault(query_id, number) != number:
                return SpreadQueryError(query_id, (seen[query_id], number))
    return None


def _whole_run(parts: Sequence[Part], spread: SpreadQueryError, *, name: str, tie_rule: TieRule) -> Run:
    """The whole run, in memory, since a query is in two parts; refused if it is too large."""
    if sum(part.rows for part in parts) > MOST_ROWS_AT_ONCE:
        first, second = (parts[number] for number in spread.parts)
        problem = (
            f"{second}: query '{spread.query_id}' stands here and in {first}; expected the rows of a query "
            "together in a run this large; sort the run by query and write it again"
        )
        raise InputError([problem])
    whole = Part(number=0, pieces=tuple(piece for part in parts for piece in part.pieces))
    return read_part_run(whole, name=name, tie_rule=tie_rule)
