"""SERPs in parts: what whole queries of a run earn, small enough to travel, and many such parts as one table."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from runoff.errors import UsageError
from runoff.tables.ids import Ids, Rows, Text, Words
from runoff.tables.memory import Scratch
from runoff.tables.qrels import Qrels
from runoff.tables.ranked_lists import ListRequest, RankedLists
from runoff.tables.serps import NOTHING, UNJUDGED, Serps, Values, numbers_of, recoding, values_of

Count = TypeVar("Count", bound=np.generic)


@dataclass(frozen=True, eq=False, kw_only=True)
class SerpPart:
    """What some whole queries of a run earn: the ranks of their judged documents, and the lengths of their lists.

    places      int64: the queries of this part that are judged, as places in the qrels' query_ids
    retrieved   int64, one per place: the length of the list
    depth_tied  bool, one per place: see `Serps`
    hit_places  int64: for every judged document within the depth its query, as a place in the qrels' query_ids
    hit_ranks   int64: its rank, from 0
    hit_grades  int8: its grade, or its code as in `Serps`; below 0 given as 0
    extra       uint64: hashes of the ids of the queries that are not judged
    dropped     int64, a single number: rows that were dropped because their document is listed twice

    A part that was made with labels of its own brings along what must be known of them; the places are then in these
    queries:

    id_text     uint8: the ids of its judged queries, one behind the other
    id_bounds   int64: where each begins, and the end
    judged      int64, queries x (highest code + 1): see `Serps`
    values      float64: the grades above 0 where some are fractions, else empty; see `Serps`
    """

    places: Rows
    retrieved: Rows
    depth_tied: NDArray[np.bool_]
    hit_places: Rows
    hit_ranks: Rows
    hit_grades: NDArray[np.int8]
    extra: Words
    dropped: Rows = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    id_text: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(0, dtype=np.uint8))
    id_bounds: Rows = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    judged: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 1), dtype=np.int64))
    values: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))

    @property
    def own_values(self) -> Values | None:
        """The grades of its own labels that are above 0, where some are fractions."""
        return tuple(self.values.tolist()) or None

    @property
    def query_ids(self) -> tuple[str, ...]:
        """The queries of its own labels."""
        return tuple(Ids(Text.of(self.id_text), self.id_bounds))

    @property
    def size(self) -> int:
        """How many bytes its arrays take."""
        return sum(int(getattr(self, name).nbytes) for name in PART_ARRAYS)


PART_ARRAYS = (
    "places",
    "retrieved",
    "depth_tied",
    "hit_places",
    "hit_ranks",
    "hit_grades",
    "extra",
    "dropped",
    "id_text",
    "id_bounds",
    "judged",
    "values",
)
"""The names of the arrays of a part."""


class SpreadQueryError(Exception):
    """A query is in two parts; never leaves the package. `parts` are their numbers."""

    def __init__(self, query_id: str, parts: tuple[int, int]) -> None:
        super().__init__(query_id)
        self.query_id = query_id
        self.parts = parts


def part_of_lists(lists: RankedLists, request: ListRequest, *, counted: Container[str] | None = None) -> SerpPart:
    """The part of the SERPs that some lists make under the first of the labels.

    counted  which queries count as extra if they are not judged; all if None
    """
    hits, qrels = lists.hits[0], request.labels[0]
    is_judged = hits.places >= 0
    inside = slice(None) if request.depth is None else hits.ranks < request.depth
    strangers = [lists.query_ids[place] for place in np.flatnonzero(~is_judged).tolist()]
    if counted is not None:
        strangers = [query_id for query_id in strangers if query_id in counted]
    return SerpPart(
        places=hits.places[is_judged],
        retrieved=lists.lengths[is_judged],
        depth_tied=lists.depth_tied[is_judged],
        hit_places=hits.places[hits.lists[inside]],
        hit_ranks=hits.ranks[inside],
        hit_grades=np.maximum(qrels.relevance[hits.rows[inside]], 0),
        extra=Ids.of(strangers).hashes(),
        dropped=np.array([lists.dropped], dtype=np.int64),
    )


def with_own_labels(part: SerpPart, qrels: Qrels) -> SerpPart:
    """A part that brings along what must be known of the labels it was made with."""
    ids = Ids.of(qrels.query_ids)
    values = np.array(qrels.values or (), dtype=np.float64)
    return replace(part, id_text=ids.text.bytes, id_bounds=ids.bounds, judged=qrels.judged, values=values)


def common_values(labels: Iterable[tuple[Values | None, NDArray[Any]]]) -> Values | None:
    """The grades above 0 of several labels together, each with its table and what is judged; None if all are whole."""
    grades: set[float] = set()
    for values, judged in labels:
        grades.update(numbers_of(judged.shape[1], values)[judged.any(axis=0)].tolist())
    return values_of(grades)


def recoded_judged(
    judged: NDArray[Count], old: Values | None, values: Values | None
) -> tuple[NDArray[Count], NDArray[np.int8]]:
    """How many documents have each code in another table of grades, and the new code of each old one."""
    if old == values or values is None:
        return judged, np.arange(judged.shape[1], dtype=np.int8)
    codes = np.zeros(judged.shape[1], dtype=np.int8)
    used = np.array(judged.any(axis=0))
    used[0] = True
    codes[used] = recoding(old, judged.shape[1], values)[used]
    moved = np.zeros((len(judged), int(codes.max()) + 1), dtype=judged.dtype)
    moved[:, codes[used]] = judged[:, used]
    return moved, codes


def serps_of_part(part: SerpPart, *, run: str, request: ListRequest) -> Serps:
    """The SERPs of the queries of a part that has labels of its own."""
    return _assembled([part], part.query_ids, part.judged, part.own_values, run, request)


def serps_of_labelled_parts(
    parts: Sequence[SerpPart], *, run: str, request: ListRequest, like: Serps | None = None
) -> Serps:
    """The SERPs of a run from parts that have labels of their own, in the order of the labels.

    like  those of another run under the same labels, whose queries are then not held twice
    """
    query_ids = tuple(query_id for part in parts for query_id in part.query_ids)
    values = common_values((part.own_values, part.judged) for part in parts)
    parts = [_recoded(part, values) for part in parts]
    if like is not None and like.query_ids == query_ids:
        query_ids, judged = like.query_ids, like.judged
    else:
        judged = np.zeros((len(query_ids), max(part.judged.shape[1] for part in parts)), dtype=np.int64)
        for start, part in zip(_starts(parts), parts, strict=True):
            judged[start : start + len(part.judged), : part.judged.shape[1]] = part.judged
    moved = [
        replace(part, places=part.places + start, hit_places=part.hit_places + start)
        for start, part in zip(_starts(parts), parts, strict=True)
    ]
    return _assembled(moved, query_ids, judged, values, run, request)


def _recoded(part: SerpPart, values: Values | None) -> SerpPart:
    """A part with codes of another table of grades."""
    judged, codes = recoded_judged(part.judged, part.own_values, values)
    return part if judged is part.judged else replace(part, judged=judged, hit_grades=codes[part.hit_grades])


def _starts(parts: Sequence[SerpPart]) -> list[int]:
    """The place of the first query of each part among all."""
    return [0, *accumulate(len(part.judged) for part in parts[:-1])]


def joined_serps(parts: Sequence[SerpPart], *, run: str, request: ListRequest) -> Serps:
    """The SERPs of a run from all its parts, under the first of the labels; SpreadQueryError if two share a query.

    They are the same, whatever the parts.
    """
    qrels = request.labels[0]
    _check_whole(np.concatenate([part.places for part in parts]), parts, qrels)
    return _assembled(parts, qrels.query_ids, qrels.judged, qrels.values, run, request)


def _assembled(
    parts: Sequence[SerpPart],
    query_ids: tuple[str, ...],
    judged: NDArray[np.int64],
    values: Values | None,
    run: str,
    request: ListRequest,
) -> Serps:
    places = np.concatenate([part.places for part in parts])
    retrieved = np.zeros(len(query_ids), dtype=np.int64)
    retrieved[places] = np.concatenate([part.retrieved for part in parts])
    depth_tied = np.zeros(len(query_ids), dtype=np.bool_)
    depth_tied[places] = np.concatenate([part.depth_tied for part in parts])
    kept_depth = int(retrieved.max(initial=0)) if request.depth is None else request.depth
    grades = np.full((len(query_ids), kept_depth), NOTHING, dtype=np.int8)
    grades[np.arange(kept_depth) < retrieved[:, None]] = UNJUDGED
    for part in parts:
        grades[part.hit_places, part.hit_ranks] = part.hit_grades
    return Serps(
        run=run,
        query_ids=query_ids,
        grades=grades,
        retrieved=retrieved,
        judged=judged,
        depth_tied=depth_tied,
        tie_rule=request.tie_rule,
        extra_queries=len(np.unique(np.concatenate([part.extra for part in parts]))),
        duplicates=request.duplicates,
        dropped=int(sum(part.dropped.sum() for part in parts)),
        values=values,
    )


def _check_whole(places: Rows, parts: Sequence[SerpPart], qrels: Qrels) -> None:
    twice = np.flatnonzero(np.bincount(places, minlength=1) > 1)
    if twice.size:
        first, second = [number for number, part in enumerate(parts) if twice[0] in part.places][:2]
        raise SpreadQueryError(qrels.query_ids[int(twice[0])], (first, second))


@dataclass(frozen=True, eq=False)
class _Labels:
    """What all runs have in common: the queries, how many documents are judged at each grade, and names for them."""

    query_ids: Sequence[str]
    judged: NDArray[np.int64]
    values: Values | None
    digest: bytes


class SerpAssembly:
    """Makes the SERPs of one run after another, to a depth; the queries and what is judged are held once for all.

    request  depth, tie rule and rule for duplicates
    queries  how many queries the labels are for
    scratch  where the arrays are stored if they are too large for memory, the ids of the queries with them
    """

    def __init__(self, request: ListRequest, *, queries: int, scratch: Scratch | None = None) -> None:
        if request.depth is None:
            raise TypeError("whole lists are not assembled as they come")
        self.request = request
        self.queries = queries
        self.depth = request.depth
        self.scratch = scratch
        self._labels: _Labels | None = None

    def serps(self, run: str, parts: Iterable[SerpPart]) -> Serps:
        """The SERPs of a run from its parts, in the order of the labels."""
        grades = self._empty((self.queries, self.depth), np.int8)
        retrieved = self._empty((self.queries,), np.int64)
        depth_tied = self._empty((self.queries,), np.bool_)
        reader = _LabelReader(keeps=self._labels is None)
        coded: list[_Coded] = []
        start = extra = dropped = 0
        for part in parts:
            some = serps_of_part(part, run=run, request=self.request)
            stop = start + len(some.query_ids)
            if stop > self.queries:
                raise _changed(run, f"{stop:,} or more")
            grades[start:stop], retrieved[start:stop] = some.grades, some.retrieved
            depth_tied[start:stop] = some.depth_tied
            extra += some.extra_queries
            dropped += some.dropped
            reader.add(part)
            coded.append(_Coded(grades[start:stop], part.own_values, np.atleast_2d(part.judged.any(axis=0))))
            start = stop
        if start < self.queries:
            raise _changed(run, f"{start:,}")
        values = _same_codes(coded)
        labels = self._labels = self._labels or reader.labels(values, self.scratch)
        if reader.digest != labels.digest or values != labels.values:
            raise _changed(run, "others of the same number")
        return Serps(
            run=run,
            query_ids=labels.query_ids,
            grades=grades,
            retrieved=retrieved,
            judged=labels.judged,
            depth_tied=depth_tied,
            tie_rule=self.request.tie_rule,
            extra_queries=extra,
            duplicates=self.request.duplicates,
            dropped=dropped,
            values=values,
        )

    def _empty(self, shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
        return np.empty(shape, dtype=dtype) if self.scratch is None else self.scratch.empty(shape, dtype)


@dataclass(frozen=True, eq=False)
class _Coded:
    """The rows of a part in the table of grades, the grades that its codes stand for, and which codes are used."""

    grades: NDArray[np.int8]
    values: Values | None
    used: NDArray[np.bool_]


def _same_codes(parts: Sequence[_Coded]) -> Values | None:
    """Give all parts codes of one table of grades, in place; the table is returned, None if all grades are whole."""
    if all(part.values is None for part in parts):
        return None
    values = common_values((part.values, part.used) for part in parts)
    for part in parts:
        if part.values != values:
            _, codes = recoded_judged(part.used, part.values, values)
            positive = part.grades > 0
            part.grades[positive] = codes[part.grades[positive]]
    return values


class _LabelReader:
    """Takes what the parts of a run say of the labels; keeps it for the first run alone."""

    def __init__(self, *, keeps: bool) -> None:
        import hashlib

        self._keeps = keeps
        self._ids: list[Ids] = []
        self._judged: list[NDArray[np.integer]] = []
        self._values: list[Values | None] = []
        self._text, self._lengths = hashlib.sha256(), hashlib.sha256()

    def add(self, part: SerpPart) -> None:
        ids = Ids(Text.of(part.id_text), part.id_bounds)
        self._text.update(ids.text.bytes.data)
        self._lengths.update(ids.lengths.data)
        if self._keeps:
            self._ids.append(ids)
            self._values.append(part.own_values)
            self._judged.append(part.judged.astype(np.min_scalar_type(part.judged.max(initial=0))))

    @property
    def digest(self) -> bytes:
        """The same for the same queries, however they came in parts."""
        return self._text.digest() + self._lengths.digest()

    def labels(self, values: Values | None, scratch: Scratch | None) -> _Labels:
        counts = [recoded_judged(count, old, values)[0] for count, old in zip(self._judged, self._values, strict=True)]
        shape = sum(map(len, counts)), max(count.shape[1] for count in counts)
        judged = np.zeros(shape, dtype=np.int64) if scratch is None else scratch.empty(shape, np.int64)
        start = 0
        for count in counts:
            judged[start : start + len(count), : count.shape[1]] = count
            start += len(count)
        ids = Ids.joined(self._ids)
        if scratch is None:
            return _Labels(tuple(ids), judged, values, self.digest)
        stored = Ids(Text(scratch.moved(ids.text.padded)), scratch.moved(ids.bounds))
        return _Labels(stored, judged, values, self.digest)


def _changed(run: str, problem: str) -> UsageError:
    return UsageError(
        f"run '{run}' was scored on {problem} queries and not on those that the judgments had at first; expected the "
        "same judgments all the time; leave the files alone while they are read, and run again"
    )
