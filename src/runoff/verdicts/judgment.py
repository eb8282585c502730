"""Evidence into verdicts: each facet is decided, corrected over all challengers, and put into words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from runoff.verdicts.facet import Facet, corrected, decided
from runoff.verdicts.marks import marks
from runoff.verdicts.outcome_rules import do_no_harm, strict
from runoff.verdicts.pair_verdict import PairEvidence, VerdictResult
from runoff.verdicts.policy import Policy
from runoff.verdicts.sentence import sentence_of


def judge(evidence: Sequence[PairEvidence], policy: Policy) -> tuple[VerdictResult, ...]:
    """The verdicts on some challengers of one champion; each facet is corrected over all of them."""
    measure = corrected([_measure(one, policy) for one in evidence], policy)
    answered, earlier, ipso = (
        _corrected_known([facet(one, policy) for one in evidence], policy) for facet in (_answered, _earlier, _ipso)
    )
    columns = zip(evidence, measure, answered, earlier, ipso, strict=True)
    return tuple(_verdict(one, policy, first, *rest) for one, first, *rest in columns)


def answered_facet(lead: float, p: float, policy: Policy) -> Facet:
    """The *only* cases: by how many queries the challenger answers more, and the binomial p."""
    return decided("answered queries", lead, p, policy)


def esl_facet(difference: float, p: float, policy: Policy, *, favours: float) -> Facet:
    """ESL in *both*, challenger minus champion; lower is better, so the challenger's lead is what it has less."""
    return decided("ESL", -difference, p, policy, favours=-favours)


def _corrected_known(facets: Sequence[Facet | None], policy: Policy) -> tuple[Facet | None, ...]:
    known = iter(corrected([facet for facet in facets if facet is not None], policy))
    return tuple(None if facet is None else next(known) for facet in facets)


def _measure(evidence: PairEvidence, policy: Policy) -> Facet:
    better = -1.0 if evidence.best_is_low else 1.0
    return decided(
        f"{policy.measure_test} test of {evidence.measure}",
        better * (evidence.means[1] - evidence.means[0]),
        evidence.test.p,
        policy,
        favours=better * evidence.test.favours,
    )


def _answered(evidence: PairEvidence, policy: Policy) -> Facet | None:
    if evidence.outcomes is None or evidence.outcome_tests is None:
        return None
    lead = evidence.outcomes.challenger_only - evidence.outcomes.champion_only
    return answered_facet(lead, evidence.outcome_tests.binomial_p, policy)


def _earlier(evidence: PairEvidence, policy: Policy) -> Facet | None:
    if evidence.outcomes is None or evidence.outcome_tests is None:
        return None
    tests = evidence.outcome_tests.esl
    if tests is None:  # no query is answered by both
        return esl_facet(0.0, 1.0, policy, favours=0.0)
    chosen = tests.t if policy.esl_test == "t" else tests.signed_rank
    return esl_facet(evidence.outcomes.esl.difference, chosen.p, policy, favours=chosen.favours)


def _ipso(evidence: PairEvidence, policy: Policy) -> Facet | None:
    if evidence.ipso is None:
        return None
    last = evidence.ipso.at_depth
    return decided("IPSO sign test", last.ns - last.ni, last.sign_p, policy)


def _verdict(
    evidence: PairEvidence,
    policy: Policy,
    measure: Facet,
    answered: Facet | None,
    earlier: Facet | None,
    ipso: Facet | None,
) -> VerdictResult:
    known = answered is not None and earlier is not None
    result = VerdictResult(
        strict=strict(answered, earlier) if known else None,  # type: ignore[arg-type]
        do_no_harm=do_no_harm(answered, earlier) if known else None,  # type: ignore[arg-type]
        marks=marks(measure, ipso),
        policy=policy,
        measure=measure,
        answered=answered,
        earlier=earlier,
        ipso=ipso,
        sentence="",
    )
    return replace(result, sentence=sentence_of(evidence, result))
