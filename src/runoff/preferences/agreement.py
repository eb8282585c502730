"""Agreement between assessors: Krippendorff's alpha, shares of equal judgments, and contradictions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runoff.errors import UsageError
from runoff.preferences.pairs import PairCounts, PreferredShare, count_pairs
from runoff.tables.preferences import ABSENT, Preferences


def nominal_alpha(counts: ArrayLike, *, symmetric: tuple[int, int] | None = None) -> float:
    """How far assessors agree beyond chance: 1 is full agreement, 0 is chance, below 0 is worse than chance.

        alpha  =  1 - observed disagreement / expected disagreement

        observed  =  1/n  sum over units of  sum over c != k of  n_uc n_uk / (m_u - 1)
        expected  =  1/(n (n - 1))  sum over c != k of  n_c n_k

    counts     units x values: how many assessors gave each value; m_u is a unit's sum, n that of all units with m_u of
               2 or more, and units with fewer have no part in it
    symmetric  two values whose names could be exchanged in any unit, such as which of two documents is called the
               first: each is then expected as often as the other

    NaN where no unit has two assessors, or all values are the same, so that no disagreement could be expected.

    Krippendorff 2004, Content Analysis, 2nd ed., chapter 11, ISBN 978-0-7619-1545-4; Hayes & Krippendorff 2007,
    https://doi.org/10.1080/19312450709336664

    >>> round(nominal_alpha([[2, 0], [1, 1], [0, 2], [0, 2]]), 4)
    0.5333
    """
    table = np.array(counts, dtype=np.float64)
    if table.ndim != 2 or (table < 0).any():
        raise UsageError(f"counts of shape {table.shape} cannot be used; expected units x values, none below 0")
    table = table[table.sum(axis=1) >= 2]
    sizes = table.sum(axis=1)
    n = float(sizes.sum())
    if not n:
        return float("nan")
    observed = float(((sizes**2 - (table**2).sum(axis=1)) / (sizes - 1)).sum()) / n
    totals: NDArray[np.float64] = table.sum(axis=0)
    if symmetric is not None:
        totals[list(symmetric)] = totals[list(symmetric)].mean()
    expected = float(n**2 - (totals**2).sum()) / (n * (n - 1))
    return 1.0 - observed / expected if expected > 0.0 else float("nan")


@dataclass(frozen=True, kw_only=True)
class AssessorAgreement:
    """One assessor beside the majority of the others.

    judgments  all judgments of the assessor, test pairs left out
    agrees     how often the others' majority on the same pair prefers the same document (`wins`) or the other
               (`losses`); where the others split evenly or the assessor saw no difference the judgment is in `even`
    """

    assessor: str
    judgments: int
    agrees: PreferredShare


@dataclass(frozen=True, kw_only=True)
class JudgmentAgreement:
    """How far judgments of the same pair agree.

    pairs      judged pairs; repeated: those with two judgments or more, which all that follows is about
    judgments  judgments of the repeated pairs
    unanimous  repeated pairs whose judgments all prefer the same document
    even       repeated pairs whose judgments split evenly
    agreement  the chance that two judgments of a repeated pair, drawn at random, are the same, averaged over pairs
    alpha      Krippendorff's alpha; its units are the repeated pairs and its values are the first document, the second
               document and a tie. Which document is called the first means nothing, so both are expected as often.
    assessors  every assessor who is named, in order of appearance
    """

    pairs: int
    repeated: int
    judgments: int
    unanimous: int
    even: int
    agreement: float
    alpha: float
    assessors: tuple[AssessorAgreement, ...]


def agreement(table: Preferences) -> JudgmentAgreement:
    """How far judgments of the same pair agree, over all and for every assessor; test pairs are left out.

    >>> votes = [("q", "a", "b", "a", "ann"), ("q", "b", "a", "a", "bob"), ("q", "a", "b", "b", "cy")]
    >>> result = agreement(Preferences.of(votes))
    >>> result.unanimous, round(result.agreement, 4), round(result.alpha, 4)
    (0, 0.3333, 0.1111)
    >>> [(one.assessor, one.agrees.wins, one.agrees.losses, one.agrees.even) for one in result.assessors]
    [('ann', 0, 0, 1), ('bob', 0, 0, 1), ('cy', 0, 1, 0)]
    """
    counts = count_pairs(table)
    cells = np.column_stack([counts.first_votes, counts.second_votes, counts.ties])
    several = counts.votes > 1
    votes = counts.votes[several]
    same = (cells[several] * (cells[several] - 1)).sum(axis=1) / (votes * (votes - 1))
    return JudgmentAgreement(
        pairs=len(counts),
        repeated=int(several.sum()),
        judgments=int(votes.sum()),
        unanimous=int((np.maximum(counts.first_votes, counts.second_votes) == counts.votes)[several].sum()),
        even=int((counts.majority[several] == 0).sum()),
        agreement=float(same.mean()) if same.size else float("nan"),
        alpha=nominal_alpha(cells, symmetric=(0, 1)),
        assessors=_assessors(table, counts),
    )


def _assessors(table: Preferences, counts: PairCounts) -> tuple[AssessorAgreement, ...]:
    """Each assessor beside the others; an assessor's own other judgments of a pair are not among the others'."""
    assessor = table.row_assessor[counts.rows].astype(np.int64)
    named = np.flatnonzero(assessor != ABSENT)
    who, pair, vote = assessor[named], counts.row_pair[named], counts.row_vote[named].astype(np.int64)
    number = len(table.assessors)
    groups, place = np.unique(pair * max(number, 1) + who, return_inverse=True)
    own = np.bincount(place, weights=vote, minlength=len(groups)).astype(np.int64)
    own_votes = np.bincount(place, minlength=len(groups))
    others = (counts.first_votes - counts.second_votes)[pair] - own[place]
    has_others = counts.votes[pair] - own_votes[place] > 0
    outcome = np.sign(others) * vote
    wins, losses, even = (
        np.bincount(who[has_others & (outcome == value)], minlength=number).tolist() for value in (1, -1, 0)
    )
    total = np.bincount(who, minlength=number).tolist()
    return tuple(
        AssessorAgreement(
            assessor=name,
            judgments=total[place],
            agrees=PreferredShare.of(wins[place], losses[place], even[place]),
        )
        for place, name in enumerate(table.assessors)
        if total[place]
    )


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
    rows = []
    for group in np.flatnonzero((ahead > 0) & (behind > 0)).tolist():
        pair, who = divmod(int(groups[group]), number)
        first, second = (int(counts.item_doc[side[pair]]) for side in (counts.first, counts.second))
        rows.append(
            Contradiction(
                assessor=table.assessors[who],
                query_id=table.query_ids[int(counts.pair_query[pair])],
                first=table.docs[first],
                second=table.docs[second],
                first_votes=int(ahead[group]),
                second_votes=int(behind[group]),
            )
        )
    return tuple(rows)
