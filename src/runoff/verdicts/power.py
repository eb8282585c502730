"""What could have been seen: beside a facet that is not shown, the difference that these queries would have shown."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from runoff.boards.resolution import VoteResolutionResult, vote_resolution
from runoff.boards.resolution_by_test import ResolutionByTestResult, resolution_by_test
from runoff.verdicts.facet import Facet
from runoff.verdicts.pair_verdict import PairEvidence, VerdictResult

POWER: Final = 0.8
MILLION: Final = 1_000_000
FacetName = Literal["measure", "more", "sooner", "ipso"]


@dataclass(frozen=True, kw_only=True)
class Power:
    """What one facet could have shown.

    facet      measure, more, sooner or ipso
    kind       difference: of two means; share: of the votes
    test       the test that decides the facet
    shown      whether the facet is significant, so that there is nothing to ask
    observed   the difference, or the larger side's share
    n          the queries, or votes, that it rests on
    smallest   the smallest true value that would be found with probability `power`; None if none would
    needed     how large a set of such queries the observed value would need, with those that n leaves out; None if it
               is no difference at all
    level      alpha, divided by the number of p-values that are corrected together: the hardest of their levels
    sentence   in words; empty where the facet is shown
    """

    facet: FacetName
    kind: Literal["difference", "share"]
    test: str
    shown: bool
    observed: float
    n: int
    smallest: float | None
    needed: int | None
    level: float
    power: float
    sentence: str

    @property
    def could_be_seen(self) -> bool:
        """Whether the observed value, if it were the true one, would be found with that power."""
        return self.smallest is not None and abs(self.observed) >= self.smallest

    def to_dict(self) -> dict[str, object]:
        """The keys of a facet under `resolution` in JSON."""
        return {
            "kind": self.kind,
            "test": self.test,
            "shown": self.shown,
            "observed": self.observed,
            "n": self.n,
            "smallest": self.smallest,
            "could_be_seen": self.could_be_seen,
            "needed_queries": self.needed,
            "sentence": self.sentence,
        }


def powers(
    evidence: PairEvidence, verdict: VerdictResult, champion: NDArray[np.float64], challenger: NDArray[np.float64]
) -> tuple[Power, ...]:
    """What each facet of a comparison could have shown with 80% power.

    champion, challenger  the measure's values per query; undefined ones are left out

    The formulas are those of `resolution_by_test`, for the tests of the policy, and of `vote_resolution`. The queries
    needed take the observed difference for the true one, which is a guide for planning and no finding: it is least sure
    where it is needed most.
    """
    return tuple(_all(evidence, verdict, champion, challenger))


def measure_power(
    evidence: PairEvidence, verdict: VerdictResult, champion: NDArray[np.float64], challenger: NDArray[np.float64]
) -> Power | None:
    """What the measure alone could have shown, as in `sights`; the other facets, which take longest, are left out."""
    first = next(_all(evidence, verdict, champion, challenger), None)
    return first if first is not None and first.facet == "measure" else None


def _all(
    evidence: PairEvidence, verdict: VerdictResult, champion: NDArray[np.float64], challenger: NDArray[np.float64]
) -> Iterator[Power]:
    defined = ~(np.isnan(champion) | np.isnan(challenger))
    if defined.sum() > 1:
        found = _by(verdict.policy.measure_test, champion[defined], challenger[defined], verdict.measure.level)
        yield _difference("measure", f"mean {evidence.measure}", found, verdict, evidence.queries)
    outcomes = evidence.outcomes
    if outcomes is not None and verdict.more is not None and verdict.sooner is not None:
        votes = vote_resolution(*outcomes.queries_more[::-1], level=verdict.more.level, power=POWER)
        yield _vote("more", "on which one run finds more", votes, verdict, evidence.queries)
        both = outcomes.in_both
        if both.sum() > 1:
            by_rank = verdict.policy.sooner == "ranks"
            first = outcomes.champion_ranks if by_rank else outcomes.champion_rr
            second = outcomes.challenger_ranks if by_rank else outcomes.challenger_rr
            found = _by(verdict.policy.esl_test, first[both], second[both], verdict.sooner.level)
            what = f"mean {'search length' if by_rank else 'reciprocal rank'} of what both find"
            yield _difference("sooner", what, found, verdict, evidence.queries)
    if evidence.ipso is not None and verdict.ipso is not None:
        last = evidence.ipso.at_depth
        votes = vote_resolution(last.ns, last.ni, level=verdict.ipso.level, power=POWER)
        yield _vote("ipso", "on which every measure must agree", votes, verdict, evidence.queries)


def _by(
    test: str, champion: NDArray[np.float64], challenger: NDArray[np.float64], level: float
) -> ResolutionByTestResult:
    return resolution_by_test(champion, challenger, tests=(test,), level=level, power=POWER)


def _difference(
    facet: FacetName, what: str, found: ResolutionByTestResult, verdict: VerdictResult, queries: int
) -> Power:
    decided: Facet | None = getattr(verdict, facet)
    shown = decided is not None and decided.significant
    ((test, smallest),) = found.smallest.items()
    wanted = found.needed[test]
    needed = None if wanted is None else math.ceil(wanted * queries / found.n)
    digits = 2 if facet == "sooner" else 4
    sentence = ""
    if not shown and found.size:
        many = f"{found.n:,} queries"
        if smallest is None:
            sentence = f"{many} are too few to detect any difference of the {what}{at_level(verdict, decided)}."
        else:
            sentence = (
                f"With {many}, differences of the {what} below {smallest:.{digits}f} usually go undetected "
                f"({found.power:.0%} power{at_level(verdict, decided)})."
            )
        sentence += _more(f"{abs(found.observed):.{digits}f}", needed, queries)
    return Power(
        facet=facet,
        kind="difference",
        test=test,
        shown=shown,
        observed=found.observed,
        n=found.n,
        smallest=smallest,
        needed=needed,
        level=found.level,
        power=found.power,
        sentence=sentence,
    )


def _vote(facet: FacetName, what: str, found: VoteResolutionResult, verdict: VerdictResult, queries: int) -> Power:
    decided: Facet | None = getattr(verdict, facet)
    shown = decided is not None and decided.significant
    needed = None if found.needed is None or not found.votes else math.ceil(found.needed * queries / found.votes)
    sentence = ""
    if not shown and found.votes:
        votes = f"{found.votes:,} {'query' if found.votes == 1 else 'queries'} {what}"
        if found.smallest is None:
            sentence = f"The {votes} {'is' if found.votes == 1 else 'are'} too few for any vote to be significant."
        else:
            sentence = (
                f"Of the {votes}, one run must win {found.smallest:.1%} to be detected "
                f"({found.power:.0%} power{at_level(verdict, decided)})."
            )
        sentence += _more(f"{found.share:.1%}", needed, queries)
    return Power(
        facet=facet,
        kind="share",
        test="sign",
        shown=shown,
        observed=found.share,
        n=found.votes,
        smallest=found.smallest,
        needed=needed,
        level=found.level,
        power=found.power,
        sentence=sentence,
    )


def at_level(verdict: VerdictResult, facet: Facet | None = None) -> str:
    """The level of a facet, the measure's if None, in words, where a correction makes it another than alpha."""
    facet = facet or verdict.measure
    if facet.level == verdict.alpha:
        return ""
    return f" at level {facet.level:.2g}, from level {verdict.alpha:g} over {facet.family.name}"


def _more(observed: str, needed: int | None, queries: int) -> str:
    """What the observed value would need; nothing where it is no difference, or where there are enough queries."""
    if needed is None or needed <= queries:
        return ""
    return f" The observed {observed} would need {about_queries(needed)}."


def about_queries(number: int) -> str:
    """A number of queries as it is written: two leading digits, and a limit to what anybody could have.

    >>> about_queries(5127), about_queries(92_000_000)
    ('about 5,100 queries', 'more than a million queries')
    """
    return "more than a million queries" if number > MILLION else f"about {rounded(number):,} queries"


def rounded(number: int) -> int:
    """A number with two leading digits: the rest is noise.

    >>> rounded(5127), rounded(98), rounded(1_049_000)
    (5100, 98, 1000000)
    """
    unit = int(10 ** max(len(str(number)) - 2, 0))
    return round(number / unit) * unit
