"""Marks of a table of scores: which systems differ significantly under which measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runoff.significance import Family, SignificanceResult
from runoff.verdicts.facet import Facet, corrected, decided
from runoff.verdicts.policy import Policy


@dataclass(frozen=True, kw_only=True)
class SystemPair:
    """Two systems under one measure; the facet is said of the second.

    first       the baseline, or of two systems that are compared with each other the one that is listed first
    difference  the mean of the second minus that of the first, over the queries of the test
    """

    first: str
    second: str
    difference: float
    test: SignificanceResult
    facet: Facet

    @property
    def better(self) -> str | None:
        """The system that is significantly better; None where no difference is shown."""
        direction = self.facet.shown
        return None if not direction else self.second if direction > 0 else self.first


def decided_pairs(
    tests: Sequence[tuple[str, str, float, SignificanceResult]], policy: Policy, *, measure: str, best_is_low: bool
) -> tuple[SystemPair, ...]:
    """The pairs of one measure, decided together: the p-values of all of them are one family.

    tests  of each pair the first and the second system, the difference of their means and the test of it

    Other measures are other families: a table asks of each measure whether the systems differ under it.
    """
    better = -1.0 if best_is_low else 1.0
    facets = [
        decided(measure, better * difference, test.p, policy, favours=better * test.favours)
        for _, _, difference, test in tests
    ]
    family = Family(f"comparisons of {measure}", max(1, len(tests)))
    return tuple(
        SystemPair(first=first, second=second, difference=difference, test=test, facet=facet)
        for (first, second, difference, test), facet in zip(tests, corrected(facets, policy, family.name), strict=True)
    )
