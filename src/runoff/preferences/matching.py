"""Judged pairs seen from other tables: the same queries and documents under the other table's numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from runoff.preferences.pairs import PairCounts
from runoff.tables.ids import Ids, Rows, intern_ids
from runoff.tables.preferences import Preferences

UNJUDGED = 2
"""The outcome of a pair that nobody judged, beside 1, -1 and 0 of those that were."""


def item_places(table: Preferences, counts: PairCounts, query_ids: Sequence[str], docs: Ids) -> tuple[Rows, Rows]:
    """For every judged (query, document) the places of the two in `query_ids` and `docs`, -1 for none."""
    place_of = {query_id: place for place, query_id in enumerate(query_ids)}
    query = np.array([place_of.get(query_id, -1) for query_id in table.query_ids], dtype=np.int64)
    joint, (own, other) = intern_ids([table.docs, docs])
    doc = np.full(len(joint), -1, dtype=np.int64)
    doc[other] = np.arange(len(docs))
    return query[counts.item_query], doc[own][counts.item_doc]


def outcomes_of(
    table: Preferences, counts: PairCounts, query_ids: Sequence[str], docs: Ids, compared: tuple[Rows, Rows, Rows]
) -> NDArray[np.int8]:
    """What the majority says of some pairs: 1 for the one document, -1 for the other, 0 for an even split, or UNJUDGED.

    compared  the query, the one and the other document of each pair, as places in `query_ids` and `docs`
    """
    item_query, item_doc = item_places(table, counts, query_ids, docs)
    width = max(len(docs), 1)
    known = np.flatnonzero((item_query >= 0) & (item_doc >= 0))
    keys = item_query[known] * width + item_doc[known]
    order = np.argsort(keys)
    query, one, other = compared
    ends = []
    for doc in (one, other):
        wanted = query * width + doc
        place = np.minimum(np.searchsorted(keys[order], wanted), max(len(keys) - 1, 0))
        found = keys[order][place] == wanted if len(keys) else np.zeros(len(wanted), dtype=np.bool_)
        ends.append(np.where(found, known[order][place] if len(keys) else 0, -1))
    low, high = np.minimum(*ends), np.maximum(*ends)
    items = max(len(counts.item_query), 1)
    pair_keys = counts.first * items + counts.second
    place = np.minimum(np.searchsorted(pair_keys, low * items + high), max(len(pair_keys) - 1, 0))
    result = np.full(len(query), UNJUDGED, dtype=np.int8)
    if len(pair_keys):
        judged = np.flatnonzero((low >= 0) & (pair_keys[place] == low * items + high))
        sign = np.where(ends[0][judged] == low[judged], 1, -1)
        result[judged] = sign * counts.majority[place[judged]]
    return result
