"""Facets: the ways in which a challenger can be better or worse, how each is decided, and the rules that join them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

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
    agrees      whether the test favours the side that is ahead, or none; a rank test may not, where a mean is
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
    favours     the side that the test favours, if it looks at something else than the difference
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


Verdict = Literal["better", "worse", "trade-off", "inconclusive"]


def overall(facets: Sequence[Facet], alpha: float) -> Verdict:
    """Better when some facet is significantly up, and none is down even without a correction; worse likewise.

    facets  the measure, and more and sooner where they are known, corrected over all facets and challengers

    Up and down at once, both after the correction, is a trade-off; anything else is inconclusive. So any false claim
    about any facet of any challenger has probability alpha at most.
    """
    directions, raw = [facet.shown for facet in facets], [facet.uncorrected(alpha) for facet in facets]
    if 1 in directions and -1 not in raw:
        return "better"
    if -1 in directions and 1 not in raw:
        return "worse"
    return "trade-off" if 1 in directions and -1 in directions else "inconclusive"


def strict(more: Direction, sooner: Direction) -> Verdict:
    """Better when it finds significantly more and finds significantly sooner.

    more    1 if the challenger is shown to find more relevant documents, -1 if fewer
    sooner  1 if it is shown to find sooner what both find, -1 if later

    Lin et al. 2021, section 5, https://doi.org/10.48550/arXiv.2102.12887
    """
    if more == sooner != 0:
        return "better" if more > 0 else "worse"
    return "trade-off" if more == -sooner != 0 else "inconclusive"


def do_no_harm(more: Direction, sooner: Direction) -> Verdict:
    """Better when it is significantly ahead in one facet and not significantly behind in the other.

    Lin et al. 2021, section 5, https://doi.org/10.48550/arXiv.2102.12887
    """
    if more == -sooner:
        return "trade-off" if more else "inconclusive"
    return "better" if more + sooner > 0 else "worse"


DAGGER: Final = "†"
"""The chosen measure's test is significant."""
DOUBLE_DAGGER: Final = "‡"
"""The IPSO sign test is significant too, and points the same way."""
NO_PROMISE: Final = (
    "‡ is a vote of the queries on which no measure can disagree, not a statement about all measures: they may score "
    "both runs the same there, and may disagree elsewhere."
)
"""What ‡ does not say (Moffat & Mackenzie 2024, section 3.5)."""


def marks(measure: Direction, ipso: Facet | None) -> str:
    """`†` if the measure's test is significant; `†‡` if the IPSO sign test is too, and points the same way.

    measure  the direction that the measure's test shows; 0 if none
    ipso     the IPSO sign test; None where IPSO does not bind the measure, or is not known

    The IPSO test is looked at only after the measure's. Moffat & Mackenzie 2024, section 3.6,
    https://doi.org/10.1002/asi.24874
    """
    if not measure:
        return ""
    return DAGGER + DOUBLE_DAGGER if ipso is not None and ipso.shown == measure else DAGGER


MORE: Final = {1: "more", -1: "fewer"}
SOONER: Final = {1: "sooner", -1: "later"}


def how_words(more: Direction, sooner: Direction) -> tuple[str, ...]:
    """What is shown of the two facets: `more` or `fewer`, `sooner` or `later`.

    >>> how_words(1, -1), how_words(0, 0)
    (('more', 'later'), ())
    """
    return tuple(words[side] for words, side in ((MORE, more), (SOONER, sooner)) if side)


def against_last(words: tuple[str, ...], side: Direction) -> tuple[str, ...]:
    """Words that point to a side, and then those that point to the other one, after a `but`.

    >>> against_last(("more", "later"), -1), against_last(("fewer", "later"), -1)
    (('later', 'but more'), ('fewer', 'later'))
    """
    along = {MORE[side], SOONER[side]} if side else set(words)
    return (*(word for word in words if word in along), *(f"but {word}" for word in words if word not in along))


def spoken(verdict: str, how: tuple[str, ...]) -> str:
    """A verdict with its how.

    >>> spoken("worse", ("fewer", "later")), spoken("worse", ("but more",)), spoken("worse", ("by AP alone",))
    ('worse: fewer, later', 'worse, but more', 'worse, by AP alone')
    """
    if not how:
        return verdict
    return f"{verdict}{', ' if how[0].startswith(('but ', 'by ')) else ': '}{', '.join(how)}"
