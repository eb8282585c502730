"""Relevance judgments: which document is how relevant to which query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from runoff.errors import InputError, UsageError
from runoff.phrases import counted
from runoff.rows import Judged
from runoff.tables.ids import Ids, Rows, numbers_of
from runoff.tables.read_only import ReadOnlyArrays
from runoff.tables.serps import Values, as_given, codes_of, values_of


@dataclass(frozen=True, eq=False, kw_only=True)
class Qrels(ReadOnlyArrays):
    """Relevance judgments, grouped by query.

    query_ids  the judged queries
    row_query  int64, judgments: the query, as a place in query_ids; ascending
    docs       the judged documents
    relevance  int8, judgments: the grade, or a code for it where grades are fractions; below 1 is judged non-relevant
    is_part    whether queries were left out, by `only`
    values     where some grades above 0 are fractions: all grades above 0, ascending, code 1 for the first; None: every
               code above 0 is the grade
    below      the same for grades below 0, falling, code -1 for the first
    """

    name: str
    query_ids: tuple[str, ...]
    row_query: Rows
    docs: Ids
    relevance: NDArray[np.int8]
    is_part: bool = False
    values: Values | None = None
    below: Values | None = None

    @classmethod
    def of_grades(
        cls, name: str, query_ids: tuple[str, ...], row_query: Rows, docs: Ids, grades: NDArray[np.float64]
    ) -> Qrels:
        """Qrels of grades that are numbers from -127 to 127; a UsageError if there are no codes for all."""
        whole = grades.astype(np.int8)
        if np.array_equal(whole, grades):
            return cls(name=name, query_ids=query_ids, row_query=row_query, docs=docs, relevance=whole)
        distinct = np.unique(grades)
        values, below = values_of(distinct), values_of(-distinct)
        codes = codes_of(np.maximum(grades, 0.0), values) - codes_of(np.maximum(-grades, 0.0), below)
        return cls(
            name=name,
            query_ids=query_ids,
            row_query=row_query,
            docs=docs,
            relevance=codes,
            values=values,
            below=None if below is None else tuple(-grade for grade in below),
        )

    def __reduce__(self) -> tuple[object, ...]:
        """How it travels between processes: without what can be made again from it."""
        columns = (self.row_query, self.docs, self.relevance, self.values, self.below)
        return _qrels_of, (self.name, self.query_ids, *columns)

    def __len__(self) -> int:
        return len(self.relevance)

    def __repr__(self) -> str:
        judgments, queries = counted(len(self), "judgment"), counted(len(self.query_ids), "query", "queries")
        return f"<Qrels {self.name}: {judgments} for {queries}>"

    def __iter__(self) -> Iterator[tuple[str, str, float]]:
        """Its judgments as (query_id, doc_id, relevance); a grade that is a whole number is an int."""
        rows = zip(self.row_query.tolist(), self.docs, self.relevance.tolist(), strict=True)
        if self.values is None and self.below is None:
            return ((self.query_ids[place], doc_id, grade) for place, doc_id, grade in rows)
        return ((self.query_ids[place], doc_id, self.grade_of[code]) for place, doc_id, code in rows)

    @cached_property
    def grade_of(self) -> dict[int, float]:
        """The grade of each code; an int if it is a whole number."""
        grades = {code: float(code) for code in np.unique(self.relevance).tolist()}
        if self.values is not None:
            grades |= dict(enumerate(self.values, start=1))
        if self.below is not None:
            grades |= {-place: grade for place, grade in enumerate(self.below, start=1)}
        return {code: as_given(grade) for code, grade in grades.items()}

    @cached_property
    def query_places(self) -> dict[str, int]:
        """Where in query_ids each query is."""
        return {query_id: place for place, query_id in enumerate(self.query_ids)}

    @cached_property
    def table(self) -> Judged:
        """The table in which judged documents are found."""
        queries = Ids.of(self.query_ids)
        judged = Judged(
            queries.text.padded_bytes,
            queries.bounds,
            numbers_of(self.row_query),
            self.docs.text.padded_bytes,
            numbers_of(self.docs.bounds),
        )
        if judged.repeated is not None:
            row, _ = judged.repeated
            problem = (
                f"{self.name}: document '{self.docs[row]}' is judged twice for query "
                f"'{self.query_ids[self.row_query[row]]}'; expected every document once per query; "
                "remove one of the rows"
            )
            raise InputError([problem])
        return judged

    @cached_property
    def judged(self) -> NDArray[np.int64]:
        """int64, queries x (highest code + 1): how many documents have each grade, by its code; see `Serps`."""
        grades = np.maximum(self.relevance, 0).astype(np.int64)
        width = int(grades.max(initial=0)) + 1
        flat = np.bincount(self.row_query * width + grades, minlength=len(self.query_ids) * width)
        return flat.reshape(-1, width)

    def rows_of(self, places: Rows, docs: Ids) -> Rows:
        """The row of the judgment of each (query, document) pair; -1 where there is none.

        places  where in query_ids each query is; -1 for a query that is not judged
        """
        rows = self.table.find(numbers_of(places), docs.text.padded_bytes, numbers_of(docs.bounds))
        return np.frombuffer(rows, dtype=np.int64)

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
        some = Qrels(
            name=self.name,
            query_ids=tuple(query_id for query_id in self.query_ids if query_id in wanted),
            row_query=(np.cumsum(keep) - 1)[self.row_query[rows]],
            docs=self.docs.take(rows),
            relevance=self.relevance[rows],
            is_part=self.is_part or not keep.all(),
            values=self.values,
            below=self.below,
        )
        return some if self.values is None and self.below is None else some._coded_anew()

    def _coded_anew(self) -> Qrels:
        """The same with codes for the grades that are there; those of queries left out may have been the fractions."""
        codes, places = np.unique(self.relevance, return_inverse=True)
        grades = np.array([self.grade_of[code] for code in codes.tolist()], dtype=np.float64)[places]
        qrels = Qrels.of_grades(self.name, self.query_ids, self.row_query, self.docs, grades)
        return replace(qrels, is_part=self.is_part)


def _qrels_of(  # what pickle kept
    name: str,
    query_ids: tuple[str, ...],
    row_query: Rows,
    docs: Ids,
    relevance: NDArray[np.int8],
    values: Values | None,
    below: Values | None,
) -> Qrels:
    return Qrels(
        name=name, query_ids=query_ids, row_query=row_query, docs=docs, relevance=relevance, values=values, below=below
    )
