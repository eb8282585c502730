"""Judgments counted by pair: how often each of two documents was preferred to the other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from runoff.tables.ids import Rows
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
