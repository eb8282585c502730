"""How all pairs of a board differ: who is shown to find more, and who sooner, corrected over all pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runoff.comparisons import outcomes_all_pairs
from runoff.significance import BY_NAME, Family, correct
from runoff.tables.serps import Serps
from runoff.verdicts.how import how_words
from runoff.verdicts.policy import Policy


@dataclass(frozen=True, eq=False, kw_only=True)
class AllPairFacets:
    """What is shown of every pair, runs x runs: element [i, j] is run j against run i.

    more, sooner      int8: 1 if run j is shown to find more, or sooner, -1 if fewer or later, 0 if neither is shown
    more_p, sooner_p  float64: the p-values behind that, corrected
    family            the p-values that were corrected together; None if nothing was
    """

    runs: tuple[str, ...]
    more: NDArray[np.int8]
    sooner: NDArray[np.int8]
    more_p: NDArray[np.float64]
    sooner_p: NDArray[np.float64]
    family: Family | None

    def __post_init__(self) -> None:
        for array in (self.more, self.sooner, self.more_p, self.sooner_p):
            array.setflags(write=False)

    def how(self, run: str, against: str) -> tuple[str, ...]:
        """How a run differs from another one, in words."""
        at = self.runs.index(against), self.runs.index(run)
        return how_words(int(self.more[at]), int(self.sooner[at]))  # type: ignore[arg-type]


def all_pair_facets(serps: Sequence[Serps], *, cutoff: int | None, level: int = 1, policy: Policy) -> AllPairFacets:
    """Who finds more and who finds sooner, for all pairs of runs.

    The p-values of both facets of all pairs are corrected together, by the policy's correction: they explain how runs
    differ, and do not decide which is better.

    >>> from runoff.measures._example import serps_from
    >>> late, early = serps_from(*["0001"] * 9, run="late"), serps_from(*["1000"] * 9, run="early")
    >>> result = all_pair_facets([late, early], cutoff=4, policy=Policy())
    >>> result.how("early", "late"), result.how("late", "early"), str(result.family)
    (('sooner',), ('later',), 'more and sooner of 1 pair (2 p-values)')
    """
    found = outcomes_all_pairs(
        serps, BY_NAME[policy.esl_test], cutoff=cutoff, level=level, reciprocal=policy.sooner == "reciprocal_ranks"
    )
    upper = np.triu_indices(len(serps), 1)
    family = None
    p = np.stack([found.more_p, found.sooner_p])
    if policy.correction != "none":
        pairs = len(upper[0])
        family = Family(f"more and sooner of {pairs:,} {'pair' if pairs == 1 else 'pairs'}", 2 * pairs)
        together = correct(p[:, *upper].ravel(), correction=policy.correction, family=family).p.reshape(2, -1)
        p[:, *upper] = p[:, *upper[::-1]] = together
    # The direction is that of the test; where the mean has the other sign, nothing is shown.
    sooner = np.where(np.sign(found.sooner) == found.favours, found.favours, 0)
    return AllPairFacets(
        runs=found.runs,
        more=np.where(p[0] < policy.alpha, np.sign(found.more - found.more.T), 0).astype(np.int8),
        sooner=np.where(p[1] < policy.alpha, sooner, 0).astype(np.int8),
        more_p=p[0],
        sooner_p=p[1],
        family=family,
    )
