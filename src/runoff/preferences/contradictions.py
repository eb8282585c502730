"""Contradictions: an assessor who prefers one document of a pair and, another time, the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from runoff.preferences.pairs import count_pairs
from runoff.tables.preferences import ABSENT, Preferences


@dataclass(frozen=True, kw_only=True)
class Contradiction:
    """One assessor and pair: how often each document was preferred."""

    assessor: str
    query_id: str
    first: str
    second: str
    first_votes: int
    second_votes: int


def contradictions(table: Preferences) -> tuple[Contradiction, ...]:
    """Every assessor and pair with judgments both ways; all of these judgments count.

    >>> table = Preferences.of([("q", "a", "b", "a", "ann"), ("q", "b", "a", "b", "ann"), ("q", "a", "b", "b", "bob")])
    >>> [(one.assessor, one.first, one.second) for one in contradictions(table)]
    [('ann', 'a', 'b')]
    """
    counts = count_pairs(table)
    assessor = table.row_assessor[counts.rows].astype(np.int64)
    named = np.flatnonzero(assessor != ABSENT)
    number = max(len(table.assessors), 1)
    groups, place = np.unique(counts.row_pair[named] * number + assessor[named], return_inverse=True)
    votes = counts.row_vote[named]
    ahead, behind = (np.bincount(place[votes == side], minlength=len(groups)) for side in (1, -1))
    found = []
    for group in np.flatnonzero((ahead > 0) & (behind > 0)).tolist():
        pair, who = divmod(int(groups[group]), number)
        first, second = (int(counts.item_doc[side[pair]]) for side in (counts.first, counts.second))
        found.append(
            Contradiction(
                assessor=table.assessors[who],
                query_id=table.query_ids[int(counts.pair_query[pair])],
                first=table.docs[first],
                second=table.docs[second],
                first_votes=int(ahead[group]),
                second_votes=int(behind[group]),
            )
        )
    return tuple(found)
