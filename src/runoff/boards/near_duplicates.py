"""Near-duplicates: pairs of runs that rank almost the same documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError
from runoff.tables.ids import WORD, Ids, Rows, Words, mixed
from runoff.tables.memory import keep_freed_memory
from runoff.tables.read_only import ReadOnlyArrays
from runoff.tables.run import Run

_ROWS_AT_A_TIME = 1 << 18  # documents of all runs together: a few hundred queries


@dataclass(frozen=True, kw_only=True)
class NearDuplicate:
    """Two runs, in the order in which they were given, and their mean overlap."""

    first: str
    second: str
    overlap: float


@dataclass(frozen=True, eq=False, kw_only=True)
class NearDuplicatesResult(ReadOnlyArrays):
    """The pairs whose mean overlap reaches the threshold, highest first.

    overlaps  float64, runs x runs: the mean overlap of every pair; 1 on the diagonal
    """

    runs: tuple[str, ...]
    depth: int
    threshold: float
    overlaps: NDArray[np.float64]
    pairs: tuple[NearDuplicate, ...]


def near_duplicates(runs: Sequence[Run], *, depth: int = 10, threshold: float = 0.95) -> NearDuplicatesResult:
    """The pairs of runs whose top documents overlap on average by the threshold or more.

        overlap of a query = |A and B| / max(|A|, |B|),  A and B the documents that the runs have to the depth

    The mean is over the queries that either run has; a query that one of them lacks has overlap 0. The order within the
    depth does not matter.

    >>> from runoff.reading.sources import as_run
    >>> a = as_run({"q1": {"x": 3, "y": 2}, "q2": {"x": 1}}, name="a")
    >>> b = as_run({"q1": {"y": 3, "x": 2}, "q2": {"z": 1}}, name="b")
    >>> near_duplicates([a, b], threshold=0.5).pairs
    (NearDuplicate(first='a', second='b', overlap=0.5),)
    """
    _check(runs, depth, threshold)
    keep_freed_memory()
    names = tuple(run.name for run in runs)
    query_ids = tuple(dict.fromkeys(query for run in runs for query in run.query_ids))
    places = {query: place for place, query in enumerate(query_ids)}
    lists = [_Lists.of(run, places, depth) for run in runs]
    lengths = np.stack([ranked.lengths for ranked in lists]) if lists else np.zeros((0, 0), dtype=np.int64)
    sums = np.zeros((len(runs), len(runs)))
    size = max(1, _ROWS_AT_A_TIME // (max(len(runs), 1) * depth))
    # Query ids and document ids are often the same numbers: the pairs (a, b) and (b, a) must not share a key.
    salts = mixed(Ids.of(query_ids).hashes() + np.uint64(1))
    for low in range(0, len(query_ids), size):
        sums += _overlap_sums(lists, lengths, salts, range(low, min(low + size, len(query_ids))))
    has = lengths > 0
    counts = has.sum(axis=1)
    either = counts[:, None] + counts[None, :] - common_counts(has)
    overlaps = np.ones_like(sums)
    np.divide(sums, either, out=overlaps, where=either > 0)
    np.fill_diagonal(overlaps, 1.0)
    # The sums are of fractions such as 1/10: allow for their rounding, so that a pair exactly at the threshold is in.
    pairs = [
        NearDuplicate(first=names[i], second=names[j], overlap=float(overlaps[i, j]))
        for i, j in np.argwhere(np.triu(overlaps >= threshold - 1e-12, k=1)).tolist()
    ]
    return NearDuplicatesResult(
        runs=names,
        depth=depth,
        threshold=threshold,
        overlaps=overlaps,
        pairs=tuple(sorted(pairs, key=lambda pair: -pair.overlap)),
    )


def _check(runs: Sequence[Run], depth: int, threshold: float) -> None:
    if depth < 1:
        raise UsageError(f"depth={depth} cannot be used; expected 1 or more; write depth=10")
    if not 0.0 < threshold <= 1.0:
        raise UsageError(f"threshold={threshold} cannot be used; expected above 0 to 1; write threshold=0.95")
    names = [run.name for run in runs]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"two runs are called '{name}'; expected every name once; rename one")


@dataclass(frozen=True, eq=False)
class _Lists:
    """The lists of a run by the board's queries: list q has `lengths[q]` documents from row `starts[q]` on."""

    run: Run
    starts: Rows
    lengths: Rows

    @classmethod
    def of(cls, run: Run, places: Mapping[str, int], depth: int) -> _Lists:
        place = np.array([places[query] for query in run.query_ids], dtype=np.int64)
        starts, lengths = np.zeros((2, len(places)), dtype=np.int64)
        starts[place] = run.bounds[:-1]
        lengths[place] = np.minimum(np.diff(run.bounds), depth)
        return cls(run, starts, lengths)

    def top(self, queries: range) -> Ids:
        """The documents of some queries' lists, one list behind the other."""
        some = slice(queries.start, queries.stop)
        lengths = self.lengths[some]
        ends = np.cumsum(lengths)
        rows = np.arange(int(ends[-1])) + np.repeat(self.starts[some] - ends + lengths, lengths)
        return self.run.docs.take(rows)


def _overlap_sums(
    lists: Sequence[_Lists], lengths: NDArray[np.int64], salts: Words, queries: range
) -> NDArray[np.float64]:
    """Sums (runs, runs) over some queries of |A and B| / max(|A|, |B|).

    With t1 < t2 < ... the lengths that lists have, 1 / max(a, b) is the sum of 1/t - 1/(the next t) over all t from
    max(a, b) on, 1/t alone for the last. So the sums are those weights times plain counts of common documents in the
    lists of at most t documents. Nearly always all lists are full, and there is one t.
    """
    docs = Ids.joined([run.top(queries) for run in lists])
    some = lengths[:, queries.start : queries.stop]
    run_of = np.repeat(np.arange(len(lists)), some.sum(axis=1))
    query_of = np.repeat(np.tile(np.array(queries), len(lists)), some.ravel())
    codes = exact_codes(docs, query_of, salts[query_of] ^ docs.hashes())
    length = lengths[run_of, query_of]
    sums = np.zeros((len(lists), len(lists)))
    distinct = np.unique(length).tolist()
    for t, following in zip(distinct, [*distinct[1:], np.inf], strict=True):
        within = length <= t
        sums += (1.0 / t - 1.0 / following) * _common(run_of[within], codes[within], len(lists))
    return sums


def _common(row: Rows, column: Rows, runs: int) -> NDArray[np.float64]:
    """How many columns each two rows share."""
    sizes = np.bincount(column)
    shared = sizes > 1  # what one run alone has is nobody's overlap
    is_shared = shared[column]
    row, column = row[is_shared], (np.cumsum(shared) - 1)[column[is_shared]]
    holds = np.zeros((runs, int(shared.sum())), dtype=np.bool_)
    holds[row, column] = True
    return common_counts(holds)


def common_counts(holds: NDArray[np.bool_]) -> NDArray[np.float64]:
    """In how many columns both of two rows are true, for each two rows.

    The same as the matrix product of the rows with themselves, counted in words of 64 columns. A product by a BLAS of
    several threads took nearly 50 times as long while other programs kept the cores busy.
    """
    packed = np.packbits(holds, axis=1)
    words = np.zeros((len(holds), -(-packed.shape[1] // WORD) * WORD), dtype=np.uint8)
    words[:, : packed.shape[1]] = packed
    bits = words.view(np.uint64)
    counts = np.zeros((len(holds), len(holds)))
    for row, row_bits in enumerate(bits):
        counts[row, row:] = counts[row:, row] = np.bitwise_count(bits[row:] & row_bits).sum(axis=1, dtype=np.int64)
    return counts


def exact_codes(docs: Ids, queries: Rows, keys: Words) -> Rows:
    """A number for each pair of query and document, the same for equal pairs and no others.

    Keys, which are hashes of the pairs, narrow down; bytes decide.
    """
    order = np.argsort(keys)
    is_first = np.ones(len(order), dtype=np.bool_)
    is_first[1:] = keys[order[1:]] != keys[order[:-1]]
    group = np.cumsum(is_first) - 1
    same_as = order[is_first][group]
    codes = np.empty(len(order), dtype=np.int64)
    codes[order] = group
    differs = ~docs.equals(order, docs, same_as) | (queries[order] != queries[same_as])
    others: dict[tuple[int, str], int] = {}
    for row in order[differs].tolist():  # pairs whose key collides with another's
        codes[row] = int(is_first.sum()) + others.setdefault((int(queries[row]), docs[row]), len(others))
    return codes
