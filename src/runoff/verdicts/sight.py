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
FacetName = Literal["measure", "answered", "earlier", "ipso"]


@dataclass(frozen=True, kw_only=True)
class Sight:
    """What one facet could have shown.

    facet      measure, answered, earlier or ipso
    kind       difference: of two means; share: of the votes
    test       the test that decides the facet
    shown      whether the facet is significant, so that there is nothing to ask
    observed   the difference, or the larger side's share
    n          the queries, or votes, that it rests on
    smallest   the smallest true value that would be found with probability `power`; None if none would
    needed     how large a set of such queries the observed value would need, with those that n leaves out; None if it
               is no difference at all
    level      alpha, divided by the number of challengers where p-values are corrected: the hardest of their levels
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


def sights(
    evidence: PairEvidence, verdict: VerdictResult, champion: NDArray[np.float64], challenger: NDArray[np.float64]
) -> tuple[Sight, ...]:
    """What each facet of a comparison could have shown with 80% power.

    champion, challenger  the measure's values per query; undefined ones are left out

    The formulas are those of `resolution_by_test`, for the tests of the policy, and of `vote_resolution`. The queries
    needed take the observed difference for the true one, which is a guide for planning and no finding: it is least sure
    where it is needed most.
    """
    return tuple(_all(evidence, verdict, champion, challenger))


def measure_sight(
    evidence: PairEvidence, verdict: VerdictResult, champion: NDArray[np.float64], challenger: NDArray[np.float64]
) -> Sight | None:
    """What the measure alone could have shown, as in `sights`; the other facets, which take longest, are left out."""
    first = next(_all(evidence, verdict, champion, challenger), None)
    return first if first is not None and first.facet == "measure" else None


def _all(
    evidence: PairEvidence, verdict: VerdictResult, champion: NDArray[np.float64], challenger: NDArray[np.float64]
) -> Iterator[Sight]:
    level = verdict.alpha / (1 if verdict.correction == "none" else verdict.family_size)
    defined = ~(np.isnan(champion) | np.isnan(challenger))
    if defined.sum() > 1:
        found = _by(verdict.policy.measure_test, champion[defined], challenger[defined], level)
        yield _difference("measure", f"mean {evidence.measure}", found, verdict, evidence.queries)
    outcomes = evidence.outcomes
    if outcomes is not None and verdict.answered is not None and verdict.earlier is not None:
        only = outcomes.challenger_only, outcomes.champion_only
        votes = vote_resolution(*only, level=level, power=POWER)
        yield _vote("answered", "queries that only one run answers", votes, verdict, evidence.queries)
        both = outcomes.in_both
        if both.sum() > 1:
            ranks = outcomes.champion_ranks[both], outcomes.challenger_ranks[both]
            found = _by(verdict.policy.esl_test, *ranks, level)
            yield _difference("earlier", "mean rank where both answer", found, verdict, evidence.queries)
    if evidence.ipso is not None and verdict.ipso is not None:
        last = evidence.ipso.at_depth
        votes = vote_resolution(last.ns, last.ni, level=level, power=POWER)
        yield _vote("ipso", "queries on which every measure must agree", votes, verdict, evidence.queries)


def _by(
    test: str, champion: NDArray[np.float64], challenger: NDArray[np.float64], level: float
) -> ResolutionByTestResult:
    return resolution_by_test(champion, challenger, tests=(test,), level=level, power=POWER)


def _difference(
    facet: FacetName, what: str, found: ResolutionByTestResult, verdict: VerdictResult, queries: int
) -> Sight:
    shown = _is_shown(verdict, facet)
    ((test, smallest),) = found.smallest.items()
    wanted = found.needed[test]
    needed = None if wanted is None else math.ceil(wanted * queries / found.n)
    digits = 2 if facet == "earlier" else 4
    sentence = ""
    if not shown and found.size:
        if smallest is None:
            sentence = f"These {found.n:,} queries are too few for the {test} test to show any difference of the {what}"
            sentence += at_level(verdict)
        else:
            sentence = (
                f"These {found.n:,} queries show a difference of the {what} with {found.power:.0%} power"
                f"{at_level(verdict)} from {smallest:.{digits}f} on"
            )
        sentence += _more(f"one of {abs(found.observed):.{digits}f}", needed, found.n, queries)
    return Sight(
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


def _vote(facet: FacetName, what: str, found: VoteResolutionResult, verdict: VerdictResult, queries: int) -> Sight:
    shown = _is_shown(verdict, facet)
    needed = None if found.needed is None or not found.votes else math.ceil(found.needed * queries / found.votes)
    sentence = ""
    if not shown and found.votes:
        if found.smallest is None:
            sentence = f"{found.votes:,} {what} are too few for any vote to be significant{at_level(verdict)}"
        else:
            sentence = (
                f"Of the {found.votes:,} {what}, one run must get {found.smallest:.1%} to be seen with "
                f"{found.power:.0%} power{at_level(verdict)}"
            )
        sentence += _more(f"{found.share:.1%}", needed, found.votes, queries)
    return Sight(
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


def at_level(verdict: VerdictResult) -> str:
    """The level of a test in words, where it is not alpha itself because of a correction; else nothing."""
    if verdict.correction == "none" or verdict.family_size == 1:
        return ""
    level = verdict.alpha / verdict.family_size
    return f" at level {level:.2g} ({verdict.alpha:g} over {verdict.family_size:,} comparisons)"


def _is_shown(verdict: VerdictResult, facet: FacetName) -> bool:
    decided: Facet | None = getattr(verdict, facet)
    return decided is not None and decided.significant


def _more(what: str, needed: int | None, used: int, queries: int) -> str:
    """What the observed value would need; nothing where it is no difference, or where there are enough queries.

    A vote rests on some of the queries: what it needs is said of all, because nobody can ask for those that vote.
    """
    if needed is None or needed <= queries:
        return "."
    many = f"{rounded(needed):,}"
    kind = f"{many} such queries" if used == queries else f"{many} queries in all, not {queries:,}"
    return f": {what}, as observed, is below that, and needs about {kind}."


def rounded(number: int) -> int:
    """A number with two leading digits: the rest is noise.

    >>> rounded(5127), rounded(98), rounded(1_049_000)
    (5100, 98, 1000000)
    """
    unit = int(10 ** max(len(str(number)) - 2, 0))
    return round(number / unit) * unit
