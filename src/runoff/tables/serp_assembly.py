"""SERPs of runs from parts that have labels of their own: as the parts come, in memory or in files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from runoff.errors import UsageError
from runoff.tables.grades import Values
from runoff.tables.ids import Ids, Text
from runoff.tables.ranked_lists import ListRequest
from runoff.tables.serp_parts import SerpPart, common_values, recoded_judged, serps_of_part
from runoff.tables.serps import Serps
from runoff.tables.spill import Scratch


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
    scratch  where the arrays lie if they are too large for memory, the ids of the queries with them
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
            run=run, query_ids=labels.query_ids, grades=grades, retrieved=retrieved, judged=labels.judged,
            depth_tied=depth_tied, tie_rule=self.request.tie_rule, extra_queries=extra,
            duplicates=self.request.duplicates, dropped=dropped, values=values,
        )  # fmt: skip

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
        counts = [recoded_judged(one, old, values)[0] for one, old in zip(self._judged, self._values, strict=True)]
        shape = sum(map(len, counts)), max(one.shape[1] for one in counts)
        judged = np.zeros(shape, dtype=np.int64) if scratch is None else scratch.empty(shape, np.int64)
        start = 0
        for one in counts:
            judged[start : start + len(one), : one.shape[1]] = one
            start += len(one)
        ids = Ids.joined(self._ids)
        if scratch is None:
            return _Labels(tuple(ids), judged, values, self.digest)
        stored = Ids(Text(scratch.moved(ids.text.padded)), scratch.moved(ids.bounds))
        return _Labels(stored, judged, values, self.digest)


def _changed(run: str, found: str) -> UsageError:
    return UsageError(
        f"run '{run}' was scored on {found} queries and not on those that the judgments had at first; expected the "
        "same judgments all the time; leave the files alone while they are read, and run again"
    )
