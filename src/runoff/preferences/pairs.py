"""Judged pairs: how often each document was preferred, matched with other tables, with shares and their tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from runoff.significance import binomial_intervals, binomial_p
from runoff.tables.ids import Ids, Rows, intern_ids
from runoff.tables.preferences import LEFT, RIGHT, TIE, Preferences


@dataclass(frozen=True, eq=False, kw_only=True)
class PairCounts:
    """All judged pairs of a table, each once, whatever side a document stood on. Test pairs are left out.

    item_query, item_doc  int64, items: the (query, document) combinations that were judged, in order of the query
    first, second         int64, pairs: the two items of a pair, first below second
    first_votes           int64, pairs: judgments that prefer the first; second_votes, ties: the others
    rows                  int64, judgments: the rows of the table that were counted
    row_pair              int64, judgments: the pair of each of them
    row_vote              int8, judgments: 1 for the first item, -1 for the second, 0 for a tie
    """

    item_query: Rows
    item_doc: Rows
    first: Rows
    second: Rows
    first_votes: Rows
    second_votes: Rows
    ties: Rows
    rows: Rows
    row_pair: Rows
    row_vote: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.first)

    @cached_property
    def votes(self) -> Rows:
        """int64, pairs: how many judgments each pair has."""
        return self.first_votes + self.second_votes + self.ties

    @cached_property
    def majority(self) -> NDArray[np.int8]:
        """int8, pairs: 1 where more judgments prefer the first, -1 the second, 0 for an even split."""
        ahead: NDArray[np.int8] = np.sign(self.first_votes - self.second_votes).astype(np.int8)
        return ahead

    @cached_property
    def pair_query(self) -> Rows:
        """int64, pairs: the query, as a place in the table's query_ids."""
        return self.item_query[self.first]

    @cached_property
    def item_bounds(self) -> Rows:
        """int64: where each query's items begin, in order of the queries that have any, and the end."""
        starts = np.flatnonzero(np.diff(self.item_query, prepend=-1))
        return np.append(starts, len(self.item_query))


def count_pairs(table: Preferences) -> PairCounts:
    """The judgments of a table counted by query and pair of documents.

    >>> table = Preferences.of([("q", "a", "b", "a"), ("q", "b", "a", "a"), ("q", "b", "a", "b")])
    >>> counts = count_pairs(table)
    >>> len(counts), counts.first_votes.tolist(), counts.second_votes.tolist(), counts.majority.tolist()
    (1, [2], [1], [1])
    """
    rows = np.flatnonzero(~table.is_test)
    query, choice = table.row_query[rows].astype(np.int64), table.choice[rows]
    width = max(len(table.docs), 1)
    keys = np.concatenate([query * width + table.left[rows], query * width + table.right[rows]])
    items, places = np.unique(keys, return_inverse=True)
    left, right = places[: len(rows)], places[len(rows) :]
    swapped = left > right
    pairs, row_pair = np.unique(
        np.where(swapped, right, left) * len(items) + np.where(swapped, left, right), return_inverse=True
    )
    vote = np.where(swapped, -choice, choice).astype(np.int8)
    first, second = np.divmod(pairs, max(len(items), 1))
    tallies = (np.bincount(row_pair[vote == side], minlength=len(pairs)) for side in (LEFT, RIGHT, TIE))
    first_votes, second_votes, ties = tallies
    return PairCounts(
        item_query=items // width,
        item_doc=items % width,
        first=first,
        second=second,
        first_votes=first_votes,
        second_votes=second_votes,
        ties=ties,
        rows=rows,
        row_pair=row_pair,
        row_vote=vote,
    )


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
    is_pooled = np.flatnonzero((item_query >= 0) & (item_doc >= 0))
    keys = item_query[is_pooled] * width + item_doc[is_pooled]
    order = np.argsort(keys)
    query, first, second = compared
    ends = []
    for doc in (first, second):
        wanted = query * width + doc
        place = np.minimum(np.searchsorted(keys[order], wanted), max(len(keys) - 1, 0))
        is_judged = keys[order][place] == wanted if len(keys) else np.zeros(len(wanted), dtype=np.bool_)
        ends.append(np.where(is_judged, is_pooled[order][place] if len(keys) else 0, -1))
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


@dataclass(frozen=True, kw_only=True)
class PreferredShare:
    """How often something is preferred to what it is compared with.

        share  =  wins / (wins + losses)

    Even splits are left out of the share, its interval and its test alike, as ties are of the sign test. p is that of
    the exact two-sided binomial test of wins against losses, and ci95 the exact interval of wins among the two (Clopper
    & Pearson 1934, https://doi.org/10.1093/biomet/26.4.404): it goes with the exact test and is never too short.

    >>> found = PreferredShare.of(1228, 640)
    >>> round(found.share, 4), [round(end, 3) for end in found.ci95]
    (0.6574, [0.635, 0.679])
    """

    wins: int
    losses: int
    even: int
    share: float
    ci95: tuple[float, float]
    p: float

    @classmethod
    def of(cls, wins: int, losses: int, even: int = 0) -> PreferredShare:
        """The share of some counts; NaN where nothing was decided."""
        counted = wins + losses
        low, high = binomial_intervals(wins, counted)
        return cls(
            wins=wins,
            losses=losses,
            even=even,
            share=wins / counted if counted else float("nan"),
            ci95=(float(low), float(high)),
            p=float(binomial_p(wins, losses)),
        )

    @property
    def counted(self) -> int:
        """What the share is of: all that is decided."""
        return self.wins + self.losses
