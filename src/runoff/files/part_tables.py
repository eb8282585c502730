"""Tables out of parts of shards: a part of a run as a run, the shards of judgments as qrels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.errors import InputError
from runoff.files.assembly import batch_of, qrels_of_batches
from runoff.files.problems import Problems, note_repeated
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
from runoff.tables.ids import Ids
from runoff.tables.qrels import Qrels
from runoff.tables.ranked_lists import ListRequest, RankedLists, rank_batches

_RUN: Final = "score"
_LABELS: Final = "grade"


def read_part_lists(part: Part, request: ListRequest) -> RankedLists:
    """The ranked lists of a part of a run; all its faults, with their files and rows, are one InputError."""
    problems = Problems()
    queries, docs, numbers, has_scores = _columns(part, problems, _RUN)
    _raise(problems, part)
    if not has_scores:
        note_odd_ranks(numbers, problems)
        _raise(problems, part)
        numbers = -numbers
    lists = rank_batches([batch_of(queries, docs, numbers)], request)
    note_repeated(problems, lists.repeated, lists.repeated_total, first_of=_first_of(part))
    _raise(problems, part)
    return lists


def read_part_qrels(part: Part, *, name: str) -> Qrels:
    """The judgments in a part; they need not be in any order."""
    problems = Problems()
    queries, docs, numbers, _ = _columns(part, problems, _LABELS)
    _raise(problems, part)
    note_odd_grades(numbers, problems)
    _raise(problems, part)
    qrels = qrels_of_batches(name, [batch_of(queries, docs, numbers)], problems, first_of=_first_of(part))
    _raise(problems, part)
    return qrels


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


def _first_of(part: Part) -> Callable[[int], str]:
    """Says where a row of a part is, counted from 1: by its line alone if all rows are in one file."""
    if len({piece.shard.path for piece in part.pieces}) == 1:
        return lambda row: f"line {part.place(row - 1).rpartition(':')[2]}"
    return lambda row: part.place(row - 1)


def _raise(problems: Problems, part: Part) -> None:
    """Raise what was noted by rows of the part, from 1, told by files and rows of files."""
    if not problems.total:
        return
    places = [part.place(one.line - 1) if one.line else part.pieces[0].shard.path for one in problems.in_order()]
    texts = [f"{place}: {one.text}" for place, one in zip(places, problems.in_order(), strict=True)]
    raise InputError(texts, total=problems.total)
