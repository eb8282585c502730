"""The lines of evidence about two runs: scores, documents found, lists, people and other queries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from runoff.significance import BY_NAME, SignificanceResult
from runoff.verdicts.evidence import Basis, EvidenceLine, EvidenceResult
from runoff.verdicts.facet import Facet, decided
from runoff.verdicts.judgment import more_facet, sooner_facet
from runoff.verdicts.pair_verdict import MoreEvidence, PairEvidence, Votes
from runoff.verdicts.policy import Policy

SCORE_TESTS: Final = {
    "t": "the mean is higher",
    "signed_rank": "gains outrank losses",
    "sign": "more queries gain than lose",
    "bootstrap": "other samples of queries would agree",
}
"""Tests of the measure and what they mean. rank_sum is left out, since it does not pair the queries,
and randomization, since it asks the same of the same mean as the t test does."""


def evidence_of(
    evidence: PairEvidence, tests: Sequence[SignificanceResult], policy: Policy, more: MoreEvidence | None = None
) -> EvidenceResult:
    """Every line of evidence about a pair, each decided by itself at the policy's level."""
    lines = [*_scores(evidence, tests, policy), *_answers(evidence, policy), *_lists(evidence, policy, more)]
    if more is not None:
        lines += [*_people(more.votes, policy), *_elsewhere(evidence, more.elsewhere, policy)]
    return EvidenceResult(champion=evidence.champion, challenger=evidence.challenger, lines=tuple(lines), policy=policy)


def _scores(evidence: PairEvidence, tests: Sequence[SignificanceResult], policy: Policy) -> Iterator[EvidenceLine]:
    better = -1.0 if evidence.best_is_low else 1.0
    lead = better * (evidence.means[1] - evidence.means[0])
    for test in tests:
        if test.name in SCORE_TESTS:
            label, meaning = BY_NAME[test.name].label, SCORE_TESTS[test.name]
            # As for a verdict, a rank test that speaks against the mean shows nothing; the sign test is its own side.
            favours = better * test.favours
            facet = decided(label, favours if test.name == "sign" else lead, test.p, policy, favours=favours)
            line = _line(test.name, label, "scores", facet, _effect(test), meaning)
            # Several tests of one measure are one line of evidence: the one that decides.
            yield replace(
                line, counts=test.name == (policy.measure_test if policy.measure_test in SCORE_TESTS else "t")
            )


def _answers(evidence: PairEvidence, policy: Policy) -> Iterator[EvidenceLine]:
    found, tests = evidence.outcomes, evidence.outcome_tests
    if found is None or tests is None:
        return
    theirs, mine = found.queries_more
    facet, counts = more_facet(found, tests, policy), f"{mine:,} : {theirs:,} queries"
    yield _line("more", "finds more", "found", facet, counts, "it finds more relevant documents")
    if tests.esl is not None:
        by_rank = policy.sooner == "ranks"
        means = found.esl if by_rank else found.rr
        digits, what = (2, "rank") if by_rank else (4, "RR")
        numbers = f"{what} {means.challenger:.{digits}f} : {means.champion:.{digits}f}"
        facet = sooner_facet(found, tests, policy)
        yield _line("sooner", "finds sooner", "found", facet, numbers, "it finds sooner what both find")


def _lists(evidence: PairEvidence, policy: Policy, more: MoreEvidence | None) -> Iterator[EvidenceLine]:
    if evidence.ipso is not None:
        last = evidence.ipso.at_depth
        facet = decided("IPSO", last.ns - last.ni, last.sign_p, policy)
        votes = f"{last.ns:,} : {last.ni:,}, {last.nonseparable:,} free"
        yield _line("ipso", "IPSO", "lists", facet, votes, "ahead where all measures must agree")
    found = more.recall_paired if more is not None else None
    if found is None:
        return
    meaning = f"its relevant document{'' if found.same else 's'} come{'s' if found.same else ''} first"
    yield _tested("rpp", "recall-paired preference", found.rpp, policy, meaning)
    if not found.same:  # else all three are one line, and counting it three times would be wrong
        first, last_one = "its first relevant documents come first", "its last relevant documents come first"
        yield _tested("lexicographic_precision", "lexicographic precision", found.precision, policy, first)
        yield _tested("lexicographic_recall", "lexicographic recall", found.recall, policy, last_one)


def _tested(key: str, label: str, test: SignificanceResult, policy: Policy, meaning: str) -> EvidenceLine:
    return _line(key, label, "lists", decided(label, test.favours, test.p, policy), _effect(test), meaning)


def _people(votes: Votes | None, policy: Policy) -> Iterator[EvidenceLine]:
    if votes is None or not votes.asked:
        return
    facet = decided("preference judgments", votes.challenger - votes.champion, votes.p, policy)
    judged = votes.challenger + votes.champion + votes.even
    strength = f"{votes.challenger:,} : {votes.champion:,}, {judged:,} of {votes.asked:,} judged"
    yield _line("preferences", "preference judgments", "people", facet, strength, "people prefer its top document")


def _elsewhere(
    evidence: PairEvidence, found: tuple[str, SignificanceResult] | None, policy: Policy
) -> Iterator[EvidenceLine]:
    if found is None:
        return
    name, test = found
    facet = decided(f"{name} queries", (-1.0 if evidence.best_is_low else 1.0) * test.favours, test.p, policy)
    yield _line("elsewhere", f"{name} queries", "other queries", facet, _effect(test), f"also better on {name} queries")


def _line(key: str, label: str, basis: Basis, facet: Facet, strength: str, meaning: str) -> EvidenceLine:
    return EvidenceLine(key=key, label=label, basis=basis, facet=facet, strength=strength, meaning=meaning)


def _effect(test: SignificanceResult) -> str:
    low, high = test.effect_ci95
    if test.no_effect:
        return f"{test.effect:.1%} [{low:.1%}, {high:.1%}]"
    return f"{test.effect:+z.4f} [{low:+z.4f}, {high:+z.4f}]"
