"""Equal ids made one: a column of tokens or ids becomes small whole numbers into the list of distinct ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runoff.tables.ids import Ids, Rows, Text, equal_tokens, hash_tokens


def intern_tokens(text: Text, starts: Rows, lengths: Rows) -> tuple[Rows, Rows]:
    """The row where each distinct token stands first, in that order, and for every row its place among them.

    Hashes find tokens that may be equal; the bytes decide, and where two tokens share a hash another seed parts them.
    """
    seed = 0
    while True:
        hashes = hash_tokens(text, starts, lengths, seed=seed)
        distinct, places = np.unique(hashes, return_inverse=True)
        firsts = np.empty(len(distinct), dtype=np.int64)
        firsts[places[::-1]] = np.arange(len(starts))[::-1]  # of several rows the one written last, the first, stays
        here = firsts[places]
        if equal_tokens(text, starts, lengths, text, starts[here], lengths[here]).all():
            order = np.argsort(firsts)
            rank = np.empty_like(order)
            rank[order] = np.arange(len(order))
            return firsts[order], rank[places]
        seed += 1


def intern_ids(columns: Sequence[Ids]) -> tuple[Ids, tuple[Rows, ...]]:
    """The distinct ids of some columns, in order of appearance, and for each column the places of its ids among them.

    >>> ids, (first, second) = intern_ids([Ids.of(["b", "a"]), Ids.of(["a", "c", "b"])])
    >>> list(ids), first.tolist(), second.tolist()
    (['b', 'a', 'c'], [0, 1], [1, 2, 0])
    """
    joined = Ids.joined(columns)
    rows, places = intern_tokens(joined.text, joined.starts, joined.lengths)
    ends = np.cumsum([len(column) for column in columns])[:-1]
    return joined.take(rows), tuple(np.split(places, ends))
