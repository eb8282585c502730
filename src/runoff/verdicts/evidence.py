"""All evidence for a pair of runs, line by line: which run each line favours, how strongly, and where they conflict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from runoff.comparisons import RecallPairedTests
from runoff.significance import BY_NAME, SignificanceResult
from runoff.verdicts.facet import Facet, corrected, decided
from runoff.verdicts.judgment import more_facet, sooner_facet
from runoff.verdicts.pair_verdict import MoreEvidence, PairEvidence, Votes
from runoff.verdicts.policy import Policy

Basis = Literal["scores", "found", "lists", "people", "other queries"]
ALIKE: Final[tuple[Basis, ...]] = ("scores", "found", "lists")
"""Lines on these bases look at the same queries with the same labels."""
Kind = Literal["agree", "lean", "conflict", "nothing"]
MOST_NAMED: Final = 4


@dataclass(frozen=True, kw_only=True)
class EvidenceLine:
    """One line of evidence; its facet says for whom it speaks, said of the challenger.

    key      its stable name, such as `t` or `ipso`
    label    what it is called
    basis    what it rests on
    strength the numbers, in a few words
    meaning  what it means if it is significant, in one line
    counts   whether it is counted: of several tests of one measure, one is
    """

    key: str
    label: str
    basis: Basis
    facet: Facet
    strength: str
    meaning: str
    counts: bool = True

    @property
    def speaks_for(self) -> Literal["champion", "challenger"] | None:
        """The run that it significantly favours; None where it shows no difference."""
        return "challenger" if self.facet.shown > 0 else "champion" if self.facet.shown < 0 else None


@dataclass(frozen=True, kw_only=True)
class EvidenceResult:
    """Every line of evidence about a challenger and a champion."""

    champion: str
    challenger: str
    lines: tuple[EvidenceLine, ...]
    policy: Policy

    def favouring(self, side: Literal["champion", "challenger"] | None) -> tuple[EvidenceLine, ...]:
        """The lines that count and favour a side, or none."""
        return tuple(line for line in self.lines if line.counts and line.speaks_for == side)

    @property
    def kind(self) -> Kind:
        """agree: every line favours one run; lean: some do, and none the other; conflict: some favour each."""
        ours, theirs, none = (self.favouring(side) for side in ("challenger", "champion", None))
        if ours and theirs:
            return "conflict"
        if ours or theirs:
            return "lean" if none else "agree"
        return "nothing"

    @property
    def sentence(self) -> str:
        """How many lines favour which run, which conflict, and which show no difference."""
        ours, theirs, none = (self.favouring(side) for side in ("challenger", "champion", None))
        total = len(ours) + len(theirs) + len(none)
        if not ours and not theirs:
            if total == 1:
                return f"The only line of evidence favours neither {self.challenger} nor {self.champion}."
            return f"None of the {total} lines of evidence favours {self.challenger} or {self.champion}."
        most, least, winner, other = (
            (ours, theirs, self.challenger, self.champion)
            if len(ours) >= len(theirs)
            else (theirs, ours, self.champion, self.challenger)
        )
        favour = "favours" if len(most) == 1 else "favour"
        if least:
            text = (
                f"The evidence conflicts: {len(most)} of {total} lines {favour} {winner} ({_named(most)}), "
                f"{len(least)} {other} ({_named(least)})"
            )
        elif len(most) == total:
            text = f"{'The only line' if total == 1 else f'All {total} lines'} of evidence {favour} {winner}"
        else:
            text = f"{len(most)} of {total} lines of evidence {favour} {winner}, none {other}"
        return f"{text}; {_named(none)} show{'s' if len(none) == 1 else ''} no difference." if none else f"{text}."

    @property
    def caution(self) -> str:
        """Why lines must not be counted like independent witnesses."""
        others = [line.label for line in self.lines if line.basis not in ALIKE]
        apart = f", except {' and '.join(others)}," if others else ""
        return (
            f"The lines{apart} look at the same queries, labels and lists in different ways: they are not independent, "
            "and ten that agree are not ten times the evidence."
        )

    def to_dict(self) -> dict[str, object]:
        """The keys of `evidence` in JSON."""
        return {
            "kind": self.kind,
            "favour_challenger": len(self.favouring("challenger")),
            "favour_champion": len(self.favouring("champion")),
            "cannot_tell": len(self.favouring(None)),
            "sentence": self.sentence,
            "lines": [
                {
                    "key": line.key,
                    "label": line.label,
                    "basis": line.basis,
                    "counts": line.counts,
                    "favours": line.speaks_for,
                    "direction": line.facet.direction,
                    "raw_p": line.facet.raw_p,
                    "p": line.facet.p,
                    "strength": line.strength,
                    "meaning": line.meaning,
                }
                for line in self.lines
            ],
        }


def together(results: Sequence[EvidenceResult], policy: Policy) -> tuple[EvidenceResult, ...]:
    """The evidence about several challengers of one champion, each line corrected over all who have it."""
    lines = [list(result.lines) for result in results]
    for key in dict.fromkeys(line.key for result in results for line in result.lines):
        places = [
            (row, column)
            for row, result in enumerate(results)
            for column, line in enumerate(result.lines)
            if line.key == key
        ]
        facets = corrected([lines[row][column].facet for row, column in places], policy)
        for (row, column), facet in zip(places, facets, strict=True):
            lines[row][column] = replace(lines[row][column], facet=facet)
    return tuple(replace(result, lines=tuple(mine)) for result, mine in zip(results, lines, strict=True))


def _named(lines: Sequence[EvidenceLine]) -> str:
    names = [line.label for line in lines]
    if len(names) > MOST_NAMED:
        names = [*names[: MOST_NAMED - 1], f"{len(names) - MOST_NAMED + 1} more"]
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


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
    lines = [*_scores(evidence, tests, policy), *_lists(evidence, policy)]
    if more is not None and more.recall_paired is not None:
        lines += _recall_paired(more.recall_paired, policy)
    if more is not None and more.votes is not None and more.votes.asked:
        lines.append(_people(more.votes, policy))
    if more is not None and more.elsewhere is not None:
        lines.append(_elsewhere(evidence, *more.elsewhere, policy))
    return EvidenceResult(champion=evidence.champion, challenger=evidence.challenger, lines=tuple(lines), policy=policy)


def _scores(evidence: PairEvidence, tests: Sequence[SignificanceResult], policy: Policy) -> Iterator[EvidenceLine]:
    better = -1.0 if evidence.best_is_low else 1.0
    lead = better * (evidence.means.challenger - evidence.means.champion)
    for test in tests:
        if test.name in SCORE_TESTS:
            label, meaning = BY_NAME[test.name].label, SCORE_TESTS[test.name]
            # As for a verdict, a rank test that contradicts the mean shows nothing; the sign test is its own side.
            favours = better * test.favours
            facet = decided(label, favours if test.name == "sign" else lead, test.p, policy, favours=favours)
            yield EvidenceLine(
                key=test.name,
                label=label,
                basis="scores",
                facet=facet,
                strength=_effect(test),
                meaning=meaning,
                # Several tests of one measure are one line of evidence: the one that decides.
                counts=test.name == (policy.measure_test if policy.measure_test in SCORE_TESTS else "t"),
            )


def _lists(evidence: PairEvidence, policy: Policy) -> Iterator[EvidenceLine]:
    """Who finds more, who finds sooner, and IPSO."""
    outcomes, tests = evidence.outcomes, evidence.outcome_tests
    if outcomes is not None and tests is not None:
        theirs, mine = outcomes.queries_more
        yield EvidenceLine(
            key="more",
            label="finds more",
            basis="found",
            facet=more_facet(outcomes, tests, policy),
            strength=f"{mine:,} : {theirs:,} queries",
            meaning="it finds more relevant documents",
        )
        if tests.esl is not None:
            by_rank = policy.sooner == "ranks"
            means = outcomes.esl if by_rank else outcomes.rr
            digits, unit = (2, "rank") if by_rank else (4, "RR")
            yield EvidenceLine(
                key="sooner",
                label="finds sooner",
                basis="found",
                facet=sooner_facet(outcomes, tests, policy),
                strength=f"{unit} {means.challenger:.{digits}f} : {means.champion:.{digits}f}",
                meaning="it finds sooner what both find",
            )
    if evidence.ipso is not None:
        last = evidence.ipso.at_depth
        yield EvidenceLine(
            key="ipso",
            label="IPSO",
            basis="lists",
            facet=decided("IPSO", last.ns - last.ni, last.sign_p, policy),
            strength=f"{last.ns:,} : {last.ni:,}, {last.nonseparable:,} free",
            meaning="ahead where all measures must agree",
        )


def _recall_paired(tests: RecallPairedTests, policy: Policy) -> Iterator[EvidenceLine]:
    """Who reaches each relevant document first."""
    if tests.same:  # all three are one line, and counting it three times would be wrong
        lines = [("rpp", "recall-paired preference", tests.rpp, "its relevant document comes first")]
    else:
        lines = [
            ("rpp", "recall-paired preference", tests.rpp, "its relevant documents come first"),
            (
                "lexicographic_precision",
                "lexicographic precision",
                tests.precision,
                "its first relevant documents come first",
            ),
            ("lexicographic_recall", "lexicographic recall", tests.recall, "its last relevant documents come first"),
        ]
    for key, label, test, meaning in lines:
        facet = decided(label, test.favours, test.p, policy)
        yield EvidenceLine(key=key, label=label, basis="lists", facet=facet, strength=_effect(test), meaning=meaning)


def _people(votes: Votes, policy: Policy) -> EvidenceLine:
    facet = decided("preference judgments", votes.challenger - votes.champion, votes.p, policy)
    judged = votes.challenger + votes.champion + votes.even
    return EvidenceLine(
        key="preferences",
        label="preference judgments",
        basis="people",
        facet=facet,
        strength=f"{votes.challenger:,} : {votes.champion:,}, {judged:,} of {votes.asked:,} judged",
        meaning="people prefer its top document",
    )


def _elsewhere(evidence: PairEvidence, name: str, test: SignificanceResult, policy: Policy) -> EvidenceLine:
    facet = decided(f"{name} queries", (-1.0 if evidence.best_is_low else 1.0) * test.favours, test.p, policy)
    return EvidenceLine(
        key="elsewhere",
        label=f"{name} queries",
        basis="other queries",
        facet=facet,
        strength=_effect(test),
        meaning=f"also better on {name} queries",
    )


def _effect(test: SignificanceResult) -> str:
    low, high = test.effect_ci95
    if test.no_effect:
        return f"{test.effect:.1%} [{low:.1%}, {high:.1%}]"
    return f"{test.effect:+z.4f} [{low:+z.4f}, {high:+z.4f}]"
