"""Runs that look as if they were made to read labels: nearly the same as another, of few queries, or of junk.

What is needed of a run is a fingerprint of each of its lists, so that no file is read twice. No label is needed, so
what is found tells nothing about labels.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from hashlib import blake2b
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.tables.run import Run

MOST_RANKS: Final = 100
"""Ranks that a fingerprint is made of, at most."""
MOST_DOCUMENTS: Final = 2_000_000
"""Documents of a run that fingerprints are made of, at most: with very many queries, fewer ranks."""
FIRST_RANKS: Final = 10
"""Ranks whose documents are looked for in other runs."""
FEW_CHANGED: Final = 0.05
"""Runs that differ in this share of the queries, or in one, differ in few."""
LEAST_COVERED: Final = 0.5
"""The share of the queries that a run should have."""
LEAST_KNOWN: Final = 0.05
"""The share of the first documents that others should have too; the least of real runs beside their field is 0.17."""
LEAST_FIELD: Final = 5
"""Runs of others that there have to be before a run's documents are looked for in them."""
FINGERPRINTS: Final = np.dtype([("query", "<u8"), ("ranked", "<u8"), ("docs", "<u4", (FIRST_RANKS,))])
"""A row per query: numbers made from its id, from its ranked list, and from each of its first documents (0: none)."""

Fingerprints = NDArray[np.void]


def fingerprints(run: Run, queries: Collection[str], *, depth: int) -> Fingerprints:
    """Those of a run for some queries, in the order of their numbers.

    depth  ranks below it make no difference: otherwise a tail of junk would make any two lists differ
    """
    wanted, bounds = frozenset(queries), run.bounds.tolist()
    rows = []
    for place, query_id in enumerate(run.query_ids):
        if query_id in wanted:
            ranked = list(run.docs[bounds[place] : min(bounds[place + 1], bounds[place] + depth)])
            first = [_number(doc_id, 4) or 1 for doc_id in ranked[:FIRST_RANKS]]
            first += [0] * (FIRST_RANKS - len(first))
            rows.append((_number(query_id, 8), _number("\0".join(ranked), 8), first))
    table = np.array(rows, dtype=FINGERPRINTS)
    return table[np.argsort(table["query"], kind="stable")]


def _number(text: str, size: int) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogateescape"), digest_size=size).digest(), "little")


def changed_queries(first: Fingerprints, second: Fingerprints) -> int:
    """In how many queries two runs differ; a query that one of them lacks is one of these."""
    _, places, others = np.intersect1d(first["query"], second["query"], assume_unique=True, return_indices=True)
    same = int((first["ranked"][places] == second["ranked"][others]).sum())
    return len(first) + len(second) - len(places) - same


def is_few_changed(changed: int, queries: int) -> bool:
    """Whether two runs differ in so few queries that the difference of their means tells about each of them.

    Runs that do not differ tell nothing new.

    >>> is_few_changed(0, 100), is_few_changed(1, 3), is_few_changed(5, 100), is_few_changed(6, 100)
    (False, True, True, False)
    """
    return 0 < changed <= max(1, int(FEW_CHANGED * queries))


def known_shares(tables: Sequence[Fingerprints], owners: Sequence[int]) -> NDArray[np.float64]:
    """For each run, the share of its first documents that a run of another owner has for the same query; NaN: none."""
    if not tables:
        return np.zeros(0)
    queries = np.unique(np.concatenate([table["query"] for table in tables]))
    pairs = []
    for table in tables:
        rows = np.searchsorted(queries, table["query"]).astype(np.uint64)
        docs = table["docs"].astype(np.uint64)
        pairs.append(((rows[:, None] << np.uint64(32)) | docs)[docs > 0])
    sizes = [len(run_pairs) for run_pairs in pairs]
    _, places = np.unique(np.concatenate(pairs), return_inverse=True)
    owned = np.repeat(np.unique(np.array(owners), return_inverse=True)[1], sizes).astype(np.int64)
    # A document is known to others where the lowest and the highest of its owners differ.
    lowest, highest = (
        np.full(int(places.max(initial=-1)) + 1, len(tables)),
        np.full(int(places.max(initial=-1)) + 1, -1),
    )
    np.minimum.at(lowest, places, owned)
    np.maximum.at(highest, places, owned)
    shared = (lowest != highest)[places]
    ends = np.cumsum([0, *sizes])
    return np.array([shared[start:end].mean() if end > start else np.nan for start, end in pairwise(ends.tolist())])
