"""SERPs: the relevance grades that one run earns, per query and rank, and the codes that stand for grades."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError
from runoff.tables.read_only import ReadOnlyArrays

Values: TypeAlias = tuple[float, ...]
"""Ascending grades above 0: the first has code 1, the second code 2. All grades of 0 and below have code 0."""
MOST_VALUES: Final = 127
"""Codes are int8."""


def values_of(grades: Iterable[float]) -> Values | None:
    """The distinct grades above 0, ascending; None if all are whole numbers, which need no table.

    >>> values_of([0, 2, 0.5, 1.8, 2]), values_of([0, 2, 1])
    ((0.5, 1.8, 2.0), None)
    """
    distinct = np.unique(np.fromiter((grade for grade in grades if grade > 0), dtype=np.float64))
    if (distinct == np.round(distinct)).all():
        return None
    if len(distinct) > MOST_VALUES:
        raise UsageError(
            f"{len(distinct):,} different grades, some of them fractions; expected at most {MOST_VALUES}; if these "
            "are the scores of a run, name it as a run, else round the grades, for example to one decimal"
        )
    return tuple(distinct.tolist())


def codes_of(grades: NDArray[np.float64], values: Values | None) -> NDArray[np.int8]:
    """The codes of grades from 0 up that are all in the table.

    >>> codes_of(np.array([1.8, 0, 0.5]), (0.5, 1.8)).tolist(), codes_of(np.array([2.0, 0]), None).tolist()
    ([2, 0, 1], [2, 0])
    """
    if values is None:
        return grades.astype(np.int8)
    return np.searchsorted(np.array(values), grades, side="right").astype(np.int8)


def recoding(old: Values | None, codes: int, values: Values) -> NDArray[np.int8]:
    """The codes in a table of codes 0, 1, ..., `codes` - 1 that were made with another one, or with none.

    >>> recoding((0.5, 1.8), 3, (0.5, 1.0, 1.8)).tolist(), recoding(None, 2, (0.5, 1.0)).tolist()
    ([0, 1, 3], [0, 2])
    """
    return codes_of(numbers_of(codes, old), values)


DEEPEST_CUT: Final = 100_000
"""Wider SERPs are cut at the longest list instead: RR@1000000000 must not take a gigabyte a query."""


def ranks_needed(depths: Iterable[int | None]) -> int | None:
    """The ranks that serve all of some depths; None, the whole lists, if one needs them or no list is that deep.

    >>> ranks_needed([10, 100]), ranks_needed([10, None]), ranks_needed([10, 1_000_000_000])
    (100, None, None)
    """
    listed = list(depths)
    deepest = max((depth for depth in listed if depth is not None), default=None)
    return None if None in listed or deepest is None or deepest > DEEPEST_CUT else deepest


def numbers_of(codes: int, values: Values | None) -> NDArray[np.float64]:
    """The grades of codes 0, 1, ..., `codes` - 1.

    >>> numbers_of(3, (0.5, 1.8)).tolist(), numbers_of(3, None).tolist()
    ([0.0, 0.5, 1.8], [0.0, 1.0, 2.0])
    """
    return np.arange(codes, dtype=np.float64) if values is None else np.array((0.0, *values))[:codes]


def as_given(grade: float) -> float:
    """A grade as one writes it: whole numbers without a point.

    >>> as_given(2.0), as_given(0.1667)
    (2, 0.1667)
    """
    return int(grade) if grade == int(grade) else grade


UNJUDGED: Final = -1
"""Grade code of a retrieved document that has no judgment."""
NOTHING: Final = -2
"""Grade code of a rank at which the run retrieved nothing."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Serps(ReadOnlyArrays):
    """What one run earns: for every query and rank a grade, cut at a depth.

    Row i of every array belongs to `query_ids[i]`. The arrays are read-only.

    grades      int8, queries x depth: the grade at each rank (column 0 is rank 1), or its code where `values` holds
                the grades. 0 is judged non-relevant, `UNJUDGED` is retrieved but not in the qrels, `NOTHING` is beyond
                the end of the list.
    retrieved   int64, queries: the length of the run's whole list, also beyond the depth; 0 for a query that the
                run lacks.
    judged      int64, queries x (highest code + 1): how many documents the qrels hold at each grade, by its code;
                column 0 counts all grades of 0 and below.
    depth_tied  bool, queries: the documents at the last kept rank and the next have the same score, so the tie rule
                decided which of them is inside.
    values      where some grades are fractions: the grades above 0, ascending; code 1 is the first of them. None: all
                grades are whole numbers, and every code is the grade.
    """

    run: str
    query_ids: Sequence[str]
    grades: NDArray[np.int8]
    retrieved: NDArray[np.int64]
    judged: NDArray[np.int64]
    depth_tied: NDArray[np.bool_]
    tie_rule: str
    extra_queries: int = 0
    """Queries that only the run has; they are ignored."""
    duplicates: str = "error"
    """What became of documents that the run lists twice for a query; see `DUPLICATE_RULES`."""
    dropped: int = 0
    """Rows of the run, for whatever query, that were dropped because their document is listed twice."""
    values: Values | None = None

    @property
    def depth(self) -> int:
        """The number of ranks that are kept."""
        return int(self.grades.shape[1])

    @property
    def is_whole(self) -> bool:
        """Whether no list is longer than the depth, so that measures without a cutoff can be computed."""
        return bool((self.retrieved <= self.depth).all())

    @property
    def missing_queries(self) -> int:
        """The number of queries for which the run retrieved nothing."""
        return int((self.retrieved == 0).sum())

    def code_of(self, level: float) -> int:
        """The lowest code of a grade that reaches a relevance level; one beyond the last code if no grade does."""
        return math.ceil(level) if self.values is None else bisect_left(self.values, level) + 1

    def gain_values(self) -> NDArray[np.float64]:
        """float64, highest code + 1: the grade of each code, as a number."""
        return numbers_of(self.judged.shape[1], self.values)

    def relevant(self, level: float = 1) -> NDArray[np.int64]:
        """Per query, how many documents the qrels judge relevant at `level` or above."""
        counts: NDArray[np.int64] = self.judged[:, max(self.code_of(level), 1) :].sum(axis=1)
        return counts

    def at_level(self, level: float) -> Serps:
        """The same SERPs with binary labels: a grade of `level` or above becomes 1, any other judged one 0."""
        higher = self.grades >= self.code_of(level)
        return replace(
            self,
            grades=np.where(higher, 1, np.minimum(self.grades, 0)).astype(np.int8),
            judged=np.column_stack([self.judged.sum(axis=1) - self.relevant(level), self.relevant(level)]),
            values=None,
        )

    def rows(self, low: int, high: int) -> Serps:
        """The same SERPs of the queries `low` to `high` alone, in the same memory."""
        return replace(
            self,
            query_ids=self.query_ids[low:high],
            grades=self.grades[low:high],
            retrieved=self.retrieved[low:high],
            judged=self.judged[low:high],
            depth_tied=self.depth_tied[low:high],
        )

    def only(self, mask: NDArray[np.bool_]) -> Serps:
        """The same SERPs of some queries alone; those of the others that the run has count as extra ones."""
        return replace(
            self,
            query_ids=tuple(query for query, keep in zip(self.query_ids, mask.tolist(), strict=True) if keep),
            grades=self.grades[mask],
            retrieved=self.retrieved[mask],
            judged=self.judged[mask],
            depth_tied=self.depth_tied[mask],
            extra_queries=self.extra_queries + int((self.retrieved[~mask] > 0).sum()),
        )

    def unjudged_share(self, cutoff: int | None = None) -> float:
        """The share of retrieved documents to rank `cutoff` that have no judgment; 0 if nothing was retrieved."""
        top = self.grades[:, :cutoff]
        retrieved = int((top != NOTHING).sum())
        return int((top == UNJUDGED).sum()) / retrieved if retrieved else 0.0

    def unjudged_shares(self) -> NDArray[np.float64]:
        """The same to every rank that is kept, from the first."""
        retrieved, unjudged = (
            np.cumsum(mask.sum(axis=0)) for mask in (self.grades != NOTHING, self.grades == UNJUDGED)
        )
        shares: NDArray[np.float64] = np.divide(unjudged, retrieved, out=np.zeros(self.depth), where=retrieved > 0)
        return shares


def unjudged_by_depth(serps: Sequence[Serps]) -> NDArray[np.float64]:
    """The share of documents without a judgment to every rank, runs x the greatest depth that a run keeps.

    A run with fewer ranks has no more documents, so its share stays what it is at its last one.
    """
    shares = np.zeros((len(serps), max(run.depth for run in serps)))
    for row, run in zip(shares, serps, strict=True):
        row[: run.depth] = run.unjudged_shares()
        row[run.depth :] = run.unjudged_share()
    return shares
