"""Power of a comparison's facets: the smallest difference each could have shown, in numbers and in words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from runoff.phrases import counted
from runoff.significance import Power, score_powers, vote_power
from runoff.significance.power import TESTS
from runoff.verdicts.facet import Facet
from runoff.verdicts.pair_verdict import PairEvidence, VerdictResult
from runoff.verdicts.policy import Policy

MILLION: Final = 1_000_000
FacetName = Literal["measure", "more", "sooner", "ipso"]


@dataclass(frozen=True, kw_only=True)
class FacetPower(Power):
    """What one facet could have shown; `needed` is the size of the whole set, with the queries that n leaves out.

    shown      whether the facet is significant, so that there is nothing to ask
    sentence   in words; empty where the facet is shown
    """

    facet: FacetName
    shown: bool
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
) -> tuple[FacetPower, ...]:
    """What each facet of a comparison could have shown with 80% power.

    champion, challenger  the measure's values per query; undefined ones are left out

    The formulas are those of `score_powers`, for the tests of the policy, and of `vote_power`. The queries needed take
    the observed difference for the true one: a guide for planning, and least certain where it is needed most.
    """
    measure = measure_power(evidence, verdict, champion, challenger)
    facets: dict[FacetName, Facet | None] = {"more": verdict.more, "sooner": verdict.sooner, "ipso": verdict.ipso}
    levels = {name: facet.level for name, facet in facets.items() if facet is not None}
    return (
        *(() if measure is None else (measure,)),
        *(_explained(name, power, evidence, verdict) for name, power in list_powers(evidence, verdict.policy, levels)),
    )


def measure_power(
    evidence: PairEvidence, verdict: VerdictResult, champion: NDArray[np.float64], challenger: NDArray[np.float64]
) -> FacetPower | None:
    """What the measure alone could have shown; None with fewer than two queries, or for a test without a formula."""
    test, defined = verdict.policy.measure_test, ~(np.isnan(champion) | np.isnan(challenger))
    if defined.sum() < 2 or test not in TESTS:
        return None
    scores = champion[defined], challenger[defined]
    power = score_powers(*scores, tests=(test,), level=verdict.measure.level)[test]
    return _explained("measure", _of_all(power, evidence.queries), evidence, verdict)


def list_powers(
    evidence: PairEvidence, policy: Policy, levels: Mapping[FacetName, float]
) -> Iterator[tuple[FacetName, Power]]:
    """What outcomes and IPSO could show of a pair, for the facets that have a level."""
    outcomes, ipso = evidence.outcomes, evidence.ipso
    if outcomes is not None and "more" in levels:
        votes = vote_power(*outcomes.queries_more[::-1], level=levels["more"])
        yield "more", _of_all(votes, evidence.queries)
    if outcomes is not None and "sooner" in levels and (both := outcomes.in_both).sum() > 1:
        by_rank = policy.sooner == "ranks"
        first = outcomes.champion_ranks if by_rank else outcomes.champion_rr
        second = outcomes.challenger_ranks if by_rank else outcomes.challenger_rr
        ranks = score_powers(first[both], second[both], tests=(policy.esl_test,), level=levels["sooner"])
        yield "sooner", _of_all(ranks[policy.esl_test], evidence.queries)
    if ipso is not None and "ipso" in levels:
        votes = vote_power(ipso.at_depth.ns, ipso.at_depth.ni, level=levels["ipso"])
        yield "ipso", _of_all(votes, evidence.queries)


def _of_all(power: Power, queries: int) -> Power:
    """The same with the queries needed in all, if the share of those that count stays the same."""
    needed = None if power.needed is None or not power.n else math.ceil(power.needed * queries / power.n)
    return replace(power, needed=needed)


def _explained(name: FacetName, power: Power, evidence: PairEvidence, verdict: VerdictResult) -> FacetPower:
    """The same with the facet's decision, and in words where it shows nothing."""
    facet: Facet | None = getattr(verdict, name)
    is_shown = facet is not None and facet.significant
    sentence = ""
    if not is_shown and power.varies:
        level = at_level(verdict, facet)
        if power.kind == "difference":
            sentence = _difference_sentence(name, power, evidence.measure, verdict.policy, level)
        else:
            sentence = _vote_sentence(name, power, level)
        digits = 2 if name == "sooner" else 4
        observed = f"{power.observed:.1%}" if power.kind == "share" else f"{abs(power.observed):.{digits}f}"
        if power.needed is not None and power.needed > evidence.queries:
            sentence += f" The observed {observed} would need {about_queries(power.needed)}."
    return FacetPower(**vars(power), facet=name, shown=is_shown, sentence=sentence)


def _difference_sentence(name: FacetName, power: Power, measure: str, policy: Policy, level: str) -> str:
    subject, digits = f"mean {measure}", 4
    if name == "sooner":
        search = "search length" if policy.sooner == "ranks" else "reciprocal rank"
        subject, digits = f"mean {search} of what both find", 2
    if power.smallest is None:
        return f"{power.n:,} queries are too few to detect any difference of the {subject}{level}."
    return (
        f"With {power.n:,} queries, differences of the {subject} below {power.smallest:.{digits}f} usually go "
        f"undetected ({power.power:.0%} power{level})."
    )


def _vote_sentence(name: FacetName, power: Power, level: str) -> str:
    reason = "on which one run finds more" if name == "more" else "on which every measure must agree"
    votes = f"{counted(power.n, 'query', 'queries')} {reason}"
    if power.smallest is None:
        return f"The {votes} {'is' if power.n == 1 else 'are'} too few for any vote to be significant."
    return f"Of the {votes}, one run must win {power.smallest:.1%} to be detected ({power.power:.0%} power{level})."


def at_level(verdict: VerdictResult, facet: Facet | None = None) -> str:
    """The level of a facet, the measure's if None, in words, where a correction makes it another than alpha."""
    facet = facet or verdict.measure
    if facet.level == verdict.policy.alpha:
        return ""
    return f" at level {facet.level:.2g}, from level {verdict.policy.alpha:g} over {facet.family.name}"


def about_queries(number: int) -> str:
    """A number of queries as it is written: two leading digits, and a limit to what anybody could have.

    >>> about_queries(5127), about_queries(98), about_queries(92_000_000)
    ('about 5,100 queries', 'about 98 queries', 'more than a million queries')
    """
    if number > MILLION:
        return "more than a million queries"
    unit = int(10 ** max(len(str(number)) - 2, 0))  # the other digits are noise
    return f"about {round(number / unit) * unit:,} queries"
