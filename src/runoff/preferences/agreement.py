"""Agreement: whether several judgments of one pair prefer the same document."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from runoff.preferences.krippendorff import nominal_alpha
from runoff.preferences.pairs import PairCounts, count_pairs
from runoff.preferences.shares import PreferredShare
from runoff.tables.preferences import ABSENT, Preferences


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
    agreement  the chance that two judgments of a repeated pair, drawn at random, say the same, in the mean over pairs
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

    @property
    def unanimous_share(self) -> float:
        """The share of repeated pairs whose judgments all prefer the same document; NaN without such pairs."""
        return self.unanimous / self.repeated if self.repeated else float("nan")


def agreement(table: Preferences) -> JudgmentAgreement:
    """How far judgments of the same pair agree, over all and for every assessor; test pairs are left out.

    >>> votes = [("q", "a", "b", "a", "ann"), ("q", "b", "a", "a", "bob"), ("q", "a", "b", "b", "cy")]
    >>> result = agreement(Preferences.of(votes))
    >>> result.unanimous_share, round(result.agreement, 4), round(result.alpha, 4)
    (0.0, 0.3333, 0.1111)
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
