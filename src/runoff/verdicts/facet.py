"""A facet: one way in which a challenger can be better or worse, and whether that is significant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from runoff.significance import Family, correct
from runoff.verdicts.policy import Policy

Direction = Literal[-1, 0, 1]


@dataclass(frozen=True, kw_only=True)
class Facet:
    """One comparison of a challenger with the champion, decided at a level.

    name        what is compared
    direction   1 if the challenger is ahead, -1 if it is behind, 0 if neither is
    raw_p       the p-value as the test gave it
    p           the p-value after the correction over `family`
    agrees      whether the test speaks for the side that is ahead, or for none; a rank test may not, where a mean is
                moved by a few large differences, and then nothing is shown
    significant whether p is below the level, one side is ahead, and the test agrees
    """

    name: str
    direction: Direction
    raw_p: float
    p: float
    family: Family
    agrees: bool
    significant: bool

    @property
    def is_ahead(self) -> bool:
        """Whether the challenger is significantly ahead."""
        return self.significant and self.direction > 0

    @property
    def is_behind(self) -> bool:
        """Whether the challenger is significantly behind."""
        return self.significant and self.direction < 0


def sign_of(value: float) -> Direction:
    """1 above 0, -1 below, 0 for 0 and for NaN.

    >>> sign_of(2.5), sign_of(float("nan"))
    (1, 0)
    """
    return 1 if value > 0 else -1 if value < 0 else 0


def decided(name: str, lead: float, p: float, policy: Policy, *, favours: float | None = None) -> Facet:
    """A facet of a single comparison: its family has one p-value.

    lead     by how much the challenger is ahead in the numbers that are shown; below 0 it is behind
    favours  the side that the test speaks for, if it looks at something else than the lead
    """
    direction = sign_of(lead)
    undecided = Facet(
        name=name,
        direction=direction,
        raw_p=p,
        p=p,
        family=Family(name, 1),
        agrees=favours is None or sign_of(favours) in (0, direction),
        significant=False,
    )
    return _with_p(undecided, p, undecided.family, policy)


def _with_p(facet: Facet, p: float, family: Family, policy: Policy) -> Facet:
    significant = p < policy.alpha and facet.agrees and facet.direction != 0
    return replace(facet, p=p, family=family, significant=significant)


def corrected(facets: Sequence[Facet], policy: Policy) -> tuple[Facet, ...]:
    """The same facet of several challengers, decided again with p-values corrected over all of them.

    >>> policy = Policy(correction="bonferroni")
    >>> two = [decided("ESL", -1, 0.03, policy), decided("ESL", 1, 0.5, policy)]
    >>> [(facet.p, facet.significant, str(facet.family)) for facet in corrected(two, policy)]
    [(0.06, False, 'ESL of 2 challengers (2 p-values)'), (1.0, False, 'ESL of 2 challengers (2 p-values)')]
    """
    if len(facets) < 2 or policy.correction == "none":
        return tuple(facets)
    family = Family(f"{facets[0].name} of {len(facets)} challengers", len(facets))
    adjusted = correct([facet.raw_p for facet in facets], correction=policy.correction, family=family).p.tolist()
    return tuple(_with_p(facet, p, family, policy) for facet, p in zip(facets, adjusted, strict=True))
