"""Tables out of parts of shards: a part of a run as a run, the shards of judgments as qrels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.errors import InputError
from runoff.files.assembly import has_equal_keys, note_duplicates
from runoff.files.problems import Problems
from runoff.files.shard_columns import id_column, number_column
from runoff.files.shard_parts import Part
from runoff.files.shards import Shard, read_shard
from runoff.files.tabular import (
    DOC_NAMES,
    GRADE_NAMES,
    QUERY_NAMES,
    RANK_NAMES,
    SCORE_NAMES,
    note_odd_grades,
    note_odd_ranks,
    picked,
)
from runoff.tables.ids import Ids, Rows, starts_of_blocks
from runoff.tables.qrels import Qrels, Sieve, pair_keys, pair_salts
from runoff.tables.ranking import RunRows, TieRule
from runoff.tables.run import Hits, Run

_RUN: Final = "score"
_LABELS: Final = "grade"
_WHOLE: Final = 0


def read_part_run(part: Part, *, name: str, tie_rule: TieRule) -> Run:
    """A part of a run as a run of its own; all its faults, with their files and rows, are one InputError."""
    rows = _run_rows(part)
    run = Run.ranked(name, rows, tie_rule)
    if has_equal_keys(run.keys(_WHOLE)):
        _refuse_repeated(part, rows)
    return run


def read_part_hits(part: Part, sieve: Sieve, *, name: str, tie_rule: TieRule) -> Hits:
    """What a sieve lets through of a part of a run; faults as above."""
    rows = _run_rows(part)
    run = Run.ranked(name, rows, tie_rule)
    keys = run.keys(sieve.seed)
    if has_equal_keys(keys):
        _refuse_repeated(part, rows)
    return run.hits(sieve, keys)


def read_part_qrels(part: Part, *, name: str) -> Qrels:
    """The judgments in a part; they need not be in any order."""
    problems = Problems()
    queries, docs, numbers, _ = _columns(part, problems, _LABELS)
    _raise(problems, part)
    note_odd_grades(numbers, problems)
    _raise(problems, part)
    query_ids, blocks, block_query = _blocks(queries)
    query = np.repeat(block_query, np.diff(blocks, append=len(numbers)))
    keys = pair_keys(pair_salts(Ids.of(query_ids))[query], docs.hashes())
    _note_repeated(part, keys, problems, query_ids, query, docs, "is judged")
    _raise(problems, part)
    order = np.argsort(query, kind="stable")
    grouped = bool((order[1:] > order[:-1]).all())
    return Qrels(
        name=name,
        query_ids=query_ids,
        row_query=query[order],
        docs=docs if grouped else docs.take(order),
        relevance=numbers[order].astype(np.int8),
    )


def _run_rows(part: Part) -> RunRows:
    problems = Problems()
    queries, docs, numbers, has_scores = _columns(part, problems, _RUN)
    _raise(problems, part)
    if not has_scores:
        note_odd_ranks(numbers, problems)
        _raise(problems, part)
        numbers = -numbers
    query_ids, blocks, block_query = _blocks(queries)
    return RunRows(query_ids=query_ids, block_starts=blocks, block_query=block_query, run_scores=numbers, docs=docs)


def _blocks(queries: Ids) -> tuple[tuple[str, ...], Rows, Rows]:
    """The distinct queries, the first rows of the blocks of one query each, and the blocks' queries."""
    starts = starts_of_blocks(queries.text, queries.starts, queries.lengths)
    places: dict[str, int] = {}
    block_query = np.array([places.setdefault(one, len(places)) for one in queries.take(starts)], dtype=np.int64)
    return tuple(places), starts, block_query


def _columns(part: Part, problems: Problems, kind: str) -> tuple[Ids, Ids, NDArray[np.float64], bool]:
    """Queries, documents and numbers of a part, and whether the numbers are scores (and not ranks)."""
    queries, docs, numbers = [], [], []
    before, has_scores = 0, True
    for piece in part.pieces:
        query, doc, number = names = _names(piece.shard, kind)
        frame = read_shard(piece.shard, names, piece.start, piece.stop)
        has_scores = number not in RANK_NAMES
        queries.append(id_column(frame[query], "query", problems, before))
        docs.append(id_column(frame[doc], "document", problems, before))
        numbers.append(number_column(frame[number], kind if has_scores else "rank", problems, before))
        before += len(frame)
    if len(queries) == 1:
        return queries[0], docs[0], numbers[0], has_scores
    return Ids.joined(queries), Ids.joined(docs), np.concatenate(numbers), has_scores


def _names(shard: Shard, kind: str) -> tuple[str, str, str]:
    query, doc = (picked(shard.columns, names, shard.path) for names in (QUERY_NAMES, DOC_NAMES))
    if kind == _LABELS:
        return query, doc, picked(shard.columns, GRADE_NAMES, shard.path)
    return query, doc, picked(shard.columns, (*SCORE_NAMES, *RANK_NAMES), shard.path)


def check_columns(shards: Sequence[Shard], *, kind: str) -> None:
    """An InputError if shards lack a column, or some hold scores and others ranks; `kind` is score or grade."""
    ranked = [_names(shard, kind)[2] in RANK_NAMES for shard in shards]
    if any(ranked) and not all(ranked):
        odd = shards[ranked.index(not ranked[0])]
        first, then = ("ranks", "scores") if ranked[0] else ("scores", "ranks")
        raise InputError(
            [f"{odd.path}: holds {then}, {shards[0].path} {first}; expected the same in all shards; write one again"]
        )


def _refuse_repeated(part: Part, rows: RunRows) -> None:
    problems = Problems()
    query = rows.row_query
    keys = pair_keys(pair_salts(Ids.of(rows.query_ids))[query], rows.docs.hashes())
    _note_repeated(part, keys, problems, rows.query_ids, query, rows.docs, "stands")
    _raise(problems, part)


def _note_repeated(
    part: Part,
    keys: NDArray[np.uint64],
    problems: Problems,
    query_ids: Sequence[str],
    query: Rows,
    docs: Ids,
    verb: str,
) -> None:
    def pairs_at(some: Rows) -> list[tuple[str, str]]:
        found = query[some].tolist()
        return [(query_ids[place], doc) for place, doc in zip(found, docs.take(some), strict=True)]

    one_file = len({piece.shard.path for piece in part.pieces}) == 1
    first: Callable[[int], str] = (lambda row: f"line {part.place(row).rpartition(':')[2]}") if one_file else part.place
    note_duplicates(keys, problems, pairs_at=pairs_at, line_of=lambda row: row + 1, verb=verb, first_of=first)


def _raise(problems: Problems, part: Part) -> None:
    """Raise what was noted by rows of the part, from 1, told by files and rows of files."""
    if not problems.total:
        return
    kept = problems.in_order()
    raise InputError([f"{part.place(one.line - 1)}: {one.text}" for one in kept], total=problems.total)
