"""Facets: the ways in which a challenger can be better or worse, each decided at a level."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from runoff.significance import Family, correct
from runoff.verdicts.policy import Policy

Direction = Literal[-1, 0, 1]
UNKNOWN = (-math.inf, math.inf)


@dataclass(frozen=True, kw_only=True)
class Facet:
    """One comparison of a challenger with the champion, decided at a level.

    name        what is compared
    direction   1 if the challenger is ahead in the numbers that are shown, -1 if it is behind, 0 if neither is
    raw_p       the p-value as the test gave it
    p           the p-value after the correction over `family`
    agrees      whether the test speaks for the side that is ahead, or for none; a rank test may not, where a mean is
                moved by a few large differences, and then nothing is shown
    significant whether p is below the level, one side is ahead, and the test agrees
    level       what the raw p-value has to be below in the hardest case, because of the correction
    difference  by how much the challenger is ahead; below 0 it is behind
    ci95        the 95% interval of the difference, not corrected
    """

    name: str
    direction: Direction
    raw_p: float
    p: float
    family: Family
    agrees: bool
    significant: bool
    level: float
    difference: float = 0.0
    ci95: tuple[float, float] = UNKNOWN

    @property
    def shown(self) -> Direction:
        """The direction where it is significant; else 0."""
        return self.direction if self.significant else 0

    @property
    def is_ahead(self) -> bool:
        """Whether the challenger is significantly ahead."""
        return self.shown > 0

    @property
    def is_behind(self) -> bool:
        """Whether the challenger is significantly behind."""
        return self.shown < 0

    def uncorrected(self, alpha: float) -> Direction:
        """The direction that the p-value shows without a correction; 0 if none."""
        return self.direction if self.agrees and self.raw_p < alpha else 0

    def to_dict(self) -> dict[str, object]:
        """The keys of a facet in JSON."""
        return {
            "direction": self.shown,
            "p": self.raw_p,
            "p_corrected": self.p,
            "difference": self.difference,
            "ci95": list(self.ci95),
        }


def sign_of(value: float) -> Direction:
    """1 above 0, -1 below, 0 for 0 and for NaN.

    >>> sign_of(2.5), sign_of(float("nan"))
    (1, 0)
    """
    return 1 if value > 0 else -1 if value < 0 else 0


def decided(
    name: str,
    difference: float,
    p: float,
    policy: Policy,
    *,
    favours: float | None = None,
    ci95: tuple[float, float] = UNKNOWN,
) -> Facet:
    """A facet of a single comparison: its family has one p-value.

    difference  by how much the challenger is ahead in the numbers that are shown; below 0 it is behind
    favours     the side that the test speaks for, if it looks at something else than the difference
    """
    direction = sign_of(difference)
    undecided = Facet(
        name=name,
        direction=direction,
        raw_p=p,
        p=p,
        family=Family(name, 1),
        agrees=favours is None or sign_of(favours) in (0, direction),
        significant=False,
        level=policy.alpha,
        difference=difference,
        ci95=ci95,
    )
    return with_p(undecided, p, undecided.family, policy)


def with_p(facet: Facet, p: float, family: Family, policy: Policy, *, level: float | None = None) -> Facet:
    """The facet decided again with a p-value that was corrected over a family.

    level  what the raw p-value has to be below in the hardest case; alpha over the size of the family if None
    """
    significant = p < policy.alpha and facet.agrees and facet.direction != 0
    hardest = policy.level_of(family.size) if level is None else level
    return replace(facet, p=p, family=family, significant=significant, level=hardest)


def corrected(facets: Sequence[Facet], policy: Policy, family: str | None = None) -> tuple[Facet, ...]:
    """Some facets, decided again with p-values corrected over all of them.

    family  what they are together; the same facet of several challengers if None

    >>> policy = Policy(correction="bonferroni")
    >>> two = [decided("ESL", -1, 0.03, policy), decided("ESL", 1, 0.5, policy)]
    >>> [(facet.p, facet.significant, str(facet.family)) for facet in corrected(two, policy)]
    [(0.06, False, 'ESL of 2 challengers (2 p-values)'), (1.0, False, 'ESL of 2 challengers (2 p-values)')]
    """
    if len(facets) < 2 or policy.correction == "none":
        return tuple(facets)
    whole = Family(family or f"{facets[0].name} of {len(facets)} challengers", len(facets))
    adjusted = correct([facet.raw_p for facet in facets], correction=policy.correction, family=whole).p.tolist()
    return tuple(with_p(facet, p, whole, policy) for facet, p in zip(facets, adjusted, strict=True))
