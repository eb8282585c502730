"""Preference qrels without the documents that one run alone brought into the pools."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runoff.boards.kendall import tau_b
from runoff.preferences.pairs import PairCounts, count_pairs
from runoff.preferences.pools import make_pools
from runoff.preferences.tournament import tournament
from runoff.tables.ids import Ids, Rows, intern_ids
from runoff.tables.preferences import Preferences
from runoff.tables.qrels import Qrels
from runoff.tables.run import Run
from runoff.tables.scores import Scores

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """The board under preference qrels without one run's own documents.

    documents   documents that the run alone brought and that were judged
    queries     queries whose preference qrels change without them
    mean        the run's mean under these qrels, and rank: its rank by it among all runs
    tau         Kendall's tau-b between this order of the board and that under all preference qrels
    """

    run: str
    documents: int
    queries: int
    mean: float
    rank: float
    tau: float


def left_out(
    table: Preferences, runs: Sequence[Run], qrels: Qrels, scores: Scores, *, depth: int, pool_depth: int = 1
) -> tuple[LeftOut, ...]:
    """For each run the board under the preference qrels that its own documents had no part in.

    qrels   the original ones, whose first relevant documents were pooled too: they never go
    scores  those under all preference qrels

    A document that another run or the qrels brought stays. Of a query that is left with one document this is the best
    one; a query that is left without any has no label, and all runs score 0.
    """
    chosen = {query_id: place for place, query_id in enumerate(scores.query_ids)}
    counts = count_pairs(table)
    own_query = np.array([chosen.get(query_id, -1) for query_id in table.query_ids], dtype=np.int64)
    is_kept = own_query[counts.item_query] >= 0
    only_by = _brought_only_by(table, runs, qrels, counts.item_query, counts.item_doc, pool_depth)
    items = judged_items(table, counts)
    worth = np.stack([reciprocal_ranks(run, items, depth) for run in runs])
    left, right = (_items_of(table, counts.item_query, counts.item_doc, side) for side in (table.left, table.right))
    all_ranks = ranks_by_mean(scores.means)
    found = []
    for place, run in enumerate(runs):
        own = (only_by == place) & is_kept
        touched = np.zeros(len(table.query_ids), dtype=np.bool_)
        touched[counts.item_query[own]] = True
        rows = np.flatnonzero(~table.is_test & touched[table.row_query] & ~own[left] & ~own[right])
        labels = _labels(table, rows, items, own, touched)
        values = scores.values.copy()
        queries = np.flatnonzero(touched)
        values[own_query[queries]] = 0.0
        np.maximum.at(values, own_query[counts.item_query[labels]], worth[:, labels].T)
        changed = (values != scores.values).any(axis=1)
        means = values.mean(axis=0)
        ranks = ranks_by_mean(means)
        tau = tau_b((2 * ranks[None]).astype(np.int32), (2 * all_ranks[None]).astype(np.int32))[0]
        found.append(
            LeftOut(
                run=run.name, documents=int(own.sum()), queries=int(changed.sum()), mean=float(means[place]),
                rank=float(ranks[place]), tau=float(tau),
            )
        )  # fmt: skip
    return tuple(found)


def _brought_only_by(
    table: Preferences, runs: Sequence[Run], qrels: Qrels, item_query: Rows, item_doc: Rows, depth: int
) -> Rows:
    """int64, judged items: the run that alone brought it, -1 for none such."""
    pools = make_pools(runs, qrels, depth=depth, query_ids=table.query_ids)
    _, (own, pooled) = intern_ids([table.docs, pools.docs])
    width = int(max(own.max(initial=0), pooled.max(initial=0))) + 1
    keys = pools.item_query * width + pooled[pools.item_doc]
    order = np.argsort(keys)
    wanted = item_query * width + own[item_doc]
    if not len(keys):
        return np.full(len(wanted), -1)
    place = np.minimum(np.searchsorted(keys[order], wanted), len(keys) - 1)
    there = keys[order][place] == wanted
    return np.where(there, pools.only_by[order][place], -1)


def _items_of(table: Preferences, item_query: Rows, item_doc: Rows, side: NDArray[np.int32]) -> Rows:
    """int64, judgments: the item on a side; test pairs may have none and get any."""
    width = max(len(table.docs), 1)
    keys = item_query * width + item_doc
    wanted = table.row_query.astype(np.int64) * width + side
    return np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))


def _labels(table: Preferences, rows: Rows, items: Qrels, own: NDArray[np.bool_], touched: NDArray[np.bool_]) -> Rows:
    """The items that are the best of the touched queries once some items are gone."""
    result = tournament(table.take(rows))
    winners = _places(items, result.query_ids, result.winner_query, result.winner_docs)
    has_pairs = np.zeros(len(table.query_ids), dtype=np.bool_)
    has_pairs[table.row_query[rows]] = True
    remaining = np.flatnonzero(~own & (touched & ~has_pairs)[items.row_query])
    number = np.bincount(items.row_query[remaining], minlength=len(table.query_ids))
    return np.concatenate([winners, remaining[number[items.row_query[remaining]] == 1]])


def _places(items: Qrels, query_ids: Sequence[str], query: Rows, docs: Ids) -> Rows:
    """The rows of some (query, document) pairs that are all among the items."""
    place_of = np.array([items.query_places[query_id] for query_id in query_ids], dtype=np.int64)
    return items.rows_of(place_of[query], docs)


def judged_items(table: Preferences, counts: PairCounts) -> Qrels:
    """The judged (query, document) combinations as a table in which documents can be looked up."""
    return Qrels(
        name="items", query_ids=table.query_ids, row_query=counts.item_query,
        docs=table.docs.take(counts.item_doc), relevance=np.ones(len(counts.item_query), dtype=np.int8),
    )  # fmt: skip


def reciprocal_ranks(run: Run, items: Qrels, depth: int) -> Floats:
    """float64, items: 1 / the rank that the run gives each item, 0 below the depth."""
    values = np.zeros(len(items))
    if not len(items):
        return values
    top = run.top(depth)
    query = np.repeat(np.arange(len(top.query_ids)), np.diff(top.bounds))
    rank = np.arange(len(query)) - top.bounds[query] + 1
    place_of = np.array([items.query_places.get(query_id, -1) for query_id in top.query_ids], dtype=np.int64)
    places = items.rows_of(place_of[query], top.docs)
    values[places[places >= 0]] = 1.0 / rank[places >= 0]
    return values


def ranks_by_mean(means: Floats) -> Floats:
    """Ranks by mean, the highest first; equal ones, up to rounding, share the mean of their places."""
    rounded = np.round(means, 12)
    ahead = (rounded[None, :] > rounded[:, None]).sum(axis=1)
    alike = (rounded[None, :] == rounded[:, None]).sum(axis=1)
    ranks: Floats = ahead + (alike + 1) / 2
    return ranks
