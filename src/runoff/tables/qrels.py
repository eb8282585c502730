"""Relevance judgments: which document is how relevant to which query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from runoff.errors import InputError, UsageError
from runoff.tables.ids import Ids, Rows, Words, mixed

HIGHEST_GRADE = 127  # a grade is stored as int8


def pair_keys(query_salts: Words, doc_hashes: Words) -> Words:
    """A 64-bit key for each pair of a query and a document, from both.

    The queries' part comes from `pair_salts`: query ids and document ids are often the same numbers, and the
    pairs (a, b) and (b, a) must not share a key.
    """
    return query_salts ^ doc_hashes


def pair_salts(query_ids: Ids, *, seed: int = 0) -> Words:
    """What each query adds to the keys of its pairs."""
    return mixed(query_ids.hashes(seed=seed) + np.uint64(1))


@dataclass(frozen=True, eq=False)
class Sieve:
    """A small table that lets all judged pairs through and almost no others.

    table  bool, a power of two: whether some judged pair's key begins with these bits
    seed   the seed of the hashes that the keys are made from
    """

    table: NDArray[np.bool_]
    seed: int

    @classmethod
    def of(cls, keys: Words, seed: int) -> Sieve:
        """The sieve for some keys: 1 of 64 others passes; more beyond 2^18 keys, where the table stays at 16 MB."""
        bits = min(max(len(keys).bit_length() + 6, 12), 24)
        table = np.zeros(1 << bits, dtype=np.bool_)
        table[keys >> np.uint64(64 - bits)] = True
        return cls(table, seed)

    def passing(self, keys: Words) -> Rows:
        """The rows whose key passes."""
        shift = np.uint64(64 - (len(self.table).bit_length() - 1))
        return np.flatnonzero(self.table.take((keys >> shift).view(np.int64), mode="clip"))


@dataclass(frozen=True, eq=False, kw_only=True)
class Qrels:
    """Relevance judgments, grouped by query.

    query_ids  the judged queries
    row_query  int64, judgments: the query, as a place in query_ids; ascending
    docs       the judged documents
    relevance  int8, judgments: the grade; below 1 is judged non-relevant
    is_part    whether queries were left out, by `only`
    """

    name: str
    query_ids: tuple[str, ...]
    row_query: Rows
    docs: Ids
    relevance: NDArray[np.int8]
    is_part: bool = False

    def __post_init__(self) -> None:
        self.row_query.setflags(write=False)
        self.relevance.setflags(write=False)

    def __reduce__(self) -> tuple[object, ...]:
        """How it travels between processes: without what can be made again from it."""
        return _qrels_of, (self.name, self.query_ids, self.row_query, self.docs, self.relevance)

    def __len__(self) -> int:
        return len(self.relevance)

    def __repr__(self) -> str:
        return f"<Qrels {self.name}: {len(self):,} judgments for {len(self.query_ids):,} queries>"

    def __iter__(self) -> Iterator[tuple[str, str, int]]:
        """Its judgments as (query_id, doc_id, relevance)."""
        rows = zip(self.row_query.tolist(), self.docs, self.relevance.tolist(), strict=True)
        return ((self.query_ids[place], doc_id, grade) for place, doc_id, grade in rows)

    @cached_property
    def query_places(self) -> dict[str, int]:
        """Where in query_ids each query is."""
        return {query_id: place for place, query_id in enumerate(self.query_ids)}

    @cached_property
    def _keyed(self) -> tuple[int, Words, Rows]:
        """A hash seed under which no two judgments share a key, the sorted keys, and their rows."""
        seed = 0
        while True:
            salts = pair_salts(Ids.of(self.query_ids), seed=seed)
            keys = pair_keys(salts[self.row_query], self.docs.hashes(seed=seed))
            rows = np.argsort(keys)
            same = np.flatnonzero(np.diff(keys[rows]) == 0)
            if not same.size:
                return seed, keys[rows], rows
            self._refuse_twice(rows[same], rows[same + 1])
            seed += 1

    def _refuse_twice(self, rows: Rows, others: Rows) -> None:
        """An InputError if some row is the same query and document as the other row; no seed would part them."""
        same = (self.row_query[rows] == self.row_query[others]) & self.docs.equals(rows, self.docs, others)
        if same.any():
            row = int(rows[np.argmax(same)])
            problem = (
                f"{self.name}: document '{self.docs[row]}' is judged twice for query "
                f"'{self.query_ids[self.row_query[row]]}'; expected every document once per query; "
                "remove one of the rows"
            )
            raise InputError([problem])

    @cached_property
    def sieve(self) -> Sieve:
        """The sieve that lets this table's pairs through."""
        seed, keys, _ = self._keyed
        return Sieve.of(keys, seed)

    @cached_property
    def judged(self) -> NDArray[np.int64]:
        """int64, queries x (highest grade + 1): how many documents have each grade; column 0 counts all below 1."""
        grades = np.maximum(self.relevance, 0).astype(np.int64)
        width = int(grades.max(initial=0)) + 1
        flat = np.bincount(self.row_query * width + grades, minlength=len(self.query_ids) * width)
        return flat.reshape(-1, width)

    def grades_of(self, query: Rows, keys: Words, docs: Ids) -> tuple[Rows, NDArray[np.int8]]:
        """Which of some (query, document) pairs are judged, and their grades; grades below 1 are given as 0.

        The arguments are those of `rows_of`.
        """
        found, judgments = self.rows_of(query, keys, docs)
        return found, np.maximum(self.relevance[judgments], 0)

    def rows_of(self, query: Rows, keys: Words, docs: Ids) -> tuple[Rows, Rows]:
        """Which of some (query, document) pairs are judged, and the rows of their judgments.

        query holds places in query_ids (-1 for a query that is not judged), keys the pairs' keys under the sieve's
        seed. A key only finds the one judgment that can be meant; the ids then decide.
        """
        _, sorted_keys, rows = self._keyed
        found = np.minimum(np.searchsorted(sorted_keys, keys), len(sorted_keys) - 1)
        candidates = np.flatnonzero(sorted_keys[found] == keys)
        judgments = rows[found[candidates]]
        same = (self.row_query[judgments] == query[candidates]) & self.docs.equals(judgments, docs, candidates)
        return candidates[same], judgments[same]

    def only(self, query_ids: Sequence[str]) -> Qrels:
        """The judgments of some of the queries, in the order of this table."""
        wanted = set(query_ids)
        unknown = [query_id for query_id in query_ids if query_id not in self.query_places]
        if unknown:
            raise UsageError(
                f"{len(unknown):,} of {len(wanted):,} chosen queries are not in {self.name}, the first is "
                f"'{unknown[0]}'; expected queries with judgments; check the list of queries"
            )
        keep = np.array([query_id in wanted for query_id in self.query_ids], dtype=np.bool_)
        rows = np.flatnonzero(keep[self.row_query])
        return Qrels(
            name=self.name,
            query_ids=tuple(query_id for query_id in self.query_ids if query_id in wanted),
            row_query=(np.cumsum(keep) - 1)[self.row_query[rows]],
            docs=self.docs.take(rows),
            relevance=self.relevance[rows],
            is_part=self.is_part or not keep.all(),
        )


def _qrels_of(name: str, query_ids: tuple[str, ...], row_query: Rows, docs: Ids, relevance: NDArray[np.int8]) -> Qrels:
    return Qrels(name=name, query_ids=query_ids, row_query=row_query, docs=docs, relevance=relevance)
