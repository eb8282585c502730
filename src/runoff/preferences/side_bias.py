"""Side bias: whether the document on the left is preferred because it is on the left."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from runoff.preferences.shares import PreferredShare
from runoff.significance import CorrectionName, Family, correct
from runoff.tables.preferences import ABSENT, LEFT, RIGHT, TIE, Preferences


@dataclass(frozen=True, kw_only=True)
class AssessorSides:
    """One assessor: how often the left document is preferred, and the p-value corrected over all assessors."""

    assessor: str
    left: PreferredShare
    p: float


@dataclass(frozen=True, kw_only=True)
class SideBiasResult:
    """How often the left document is preferred.

    left       over all judgments; with sides drawn at random it is expected half the time
    assessors  every assessor who is named, in order of appearance; family is what their p-values are corrected over
    """

    left: PreferredShare
    assessors: tuple[AssessorSides, ...]
    correction: CorrectionName
    family: Family | None


def side_bias(table: Preferences, *, correction: CorrectionName = "holm") -> SideBiasResult:
    """How often the left document is preferred, over all and by assessor, with exact binomial tests.

    Test pairs are left out, for their right answer is known, and ties too. It says something only if sides were drawn
    at random.

    >>> side_bias(Preferences.of([("q", "a", "b", "a"), ("q", "c", "d", "c")])).left.share
    1.0
    """
    rows = np.flatnonzero(~table.is_test)
    choice, who = table.choice[rows], table.row_assessor[rows]
    overall = PreferredShare.of(*(int((choice == side).sum()) for side in (LEFT, RIGHT, TIE)))
    counts = np.column_stack(
        [
            np.bincount(who[(who != ABSENT) & (choice == side)], minlength=len(table.assessors))
            for side in (LEFT, RIGHT, TIE)
        ]
    )
    there = np.flatnonzero(counts.sum(axis=1)).tolist()
    shares = [PreferredShare.of(*counts[place].tolist()) for place in there]
    if not shares:
        return SideBiasResult(left=overall, assessors=(), correction=correction, family=None)
    family = Family("all assessors", len(shares))
    corrected = correct([share.p for share in shares], correction=correction, family=family)
    assessors = tuple(
        AssessorSides(assessor=table.assessors[place], left=share, p=p)
        for place, share, p in zip(there, shares, corrected.p.tolist(), strict=True)
    )
    return SideBiasResult(left=overall, assessors=assessors, correction=correction, family=family)
