"""Evidence into verdicts: facets are decided, corrected over all of them and all challengers, and put into words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.boards.rank_sets import RankSetsResult
from runoff.comparisons import OutcomesResult, OutcomeTestsResult, outcomes_all_pairs
from runoff.significance import BY_NAME, Family, correct
from runoff.tables.read_only import ReadOnlyArrays
from runoff.tables.serps import Serps
from runoff.verdicts.facet import (
    Facet,
    against_last,
    corrected,
    decided,
    do_no_harm,
    how_words,
    marks,
    overall,
    strict,
    with_p,
)
from runoff.verdicts.pair_verdict import PairEvidence, VerdictResult
from runoff.verdicts.policy import Policy
from runoff.verdicts.sentence import sentence_of


@dataclass(frozen=True, eq=False, kw_only=True)
class AllPairFacets(ReadOnlyArrays):
    """What is shown of every pair, runs x runs: element [i, j] is run j against run i.

    more, sooner      int8: 1 if run j is shown to find more, or sooner, -1 if fewer or later, 0 if neither is shown
    more_p, sooner_p  float64: the p-values behind that, corrected
    family            the p-values that were corrected together; None if nothing was
    """

    runs: tuple[str, ...]
    more: NDArray[np.int8]
    sooner: NDArray[np.int8]
    more_p: NDArray[np.float64]
    sooner_p: NDArray[np.float64]
    family: Family | None

    def how(self, run: str, against: str) -> tuple[str, ...]:
        """How a run differs from another one, in words."""
        at = self.runs.index(against), self.runs.index(run)
        return how_words(int(self.more[at]), int(self.sooner[at]))  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False, kw_only=True)
class BoardDecisions:
    """What is decided of all pairs of a board at once: who is above whom, and how they differ.

    facets  who finds more and who sooner; None where ranked lists are not known
    """

    decisions: RankSetsResult
    facets: AllPairFacets | None = None


def all_pair_facets(serps: Sequence[Serps], *, cutoff: int | None, level: int = 1, policy: Policy) -> AllPairFacets:
    """Who finds more and who finds sooner, for all pairs of runs.

    The p-values of both facets of all pairs are corrected together, by the policy's correction: they explain how runs
    differ, and do not decide which is better.

    >>> from runoff.measures._example import serps_from
    >>> late, early = serps_from(*["0001"] * 9, run="late"), serps_from(*["1000"] * 9, run="early")
    >>> result = all_pair_facets([late, early], cutoff=4, policy=Policy())
    >>> result.how("early", "late"), result.how("late", "early"), str(result.family)
    (('sooner',), ('later',), 'more and sooner of 1 pair (2 p-values)')
    """
    outcomes = outcomes_all_pairs(
        serps, BY_NAME[policy.esl_test], cutoff=cutoff, level=level, reciprocal=policy.sooner == "reciprocal_ranks"
    )
    upper = np.triu_indices(len(serps), 1)
    family = None
    p = np.stack([outcomes.more_p, outcomes.sooner_p])
    if policy.correction != "none":
        pairs = len(upper[0])
        family = Family(f"more and sooner of {pairs:,} {'pair' if pairs == 1 else 'pairs'}", 2 * pairs)
        together = correct(p[:, *upper].ravel(), correction=policy.correction, family=family).p.reshape(2, -1)
        p[:, *upper] = p[:, *upper[::-1]] = together
    # The direction is that of the test; where the mean has the other sign, nothing is shown.
    sooner = np.where(np.sign(outcomes.sooner) == outcomes.favours, outcomes.favours, 0)
    return AllPairFacets(
        runs=outcomes.runs,
        more=np.where(p[0] < policy.alpha, np.sign(outcomes.more - outcomes.more.T), 0).astype(np.int8),
        sooner=np.where(p[1] < policy.alpha, sooner, 0).astype(np.int8),
        more_p=p[0],
        sooner_p=p[1],
        family=family,
    )


SMALLEST_LEVEL: Final = 1e-12
"""With two queries nothing can be decided, which would be a level of 0."""


def judge(evidence: Sequence[PairEvidence], policy: Policy, *, explained: bool = True) -> tuple[VerdictResult, ...]:
    """The verdicts on some challengers of one champion, which was named before looking.

    The overall verdict corrects the p-values of all facets of all challengers together, so that any false claim has
    probability alpha at most; Lin et al.'s rules correct each facet over the challengers, as they wrote them.

    explained  whether each verdict has its sentence
    """
    rows = [_facets(pair, policy) for pair in evidence]
    every = iter(corrected([facet for row in rows for facet in row], policy, _family(rows)))
    together = [tuple(islice(every, len(row))) for row in rows]
    # Facets of ranked lists are known of some challengers, or of all.
    listed = [row for row in rows if len(row) > 1]
    alone = iter(zip(*(corrected(column, policy) for column in [*zip(*listed, strict=True)][1:]), strict=True))
    votes = _corrected_votes(evidence, policy)
    return tuple(
        _verdict(
            pair,
            policy,
            facets,
            rule_facets=next(alone) if len(facets) > 1 else None,
            ipso=vote,
            explained=explained,
        )
        for pair, facets, vote in zip(evidence, together, votes, strict=True)
    )


def _family(rows: Sequence[Sequence[Facet]]) -> str:
    """What the facets of some challengers are together."""
    widths = sorted({len(row) for row in rows})
    if not widths:
        return ""
    many = f" of {len(rows)} challengers" if len(rows) > 1 else ""
    if widths == [1]:
        return f"{rows[0][0].name}{many}"
    return f"{' or '.join(map(str, widths))} facets{many}"


def judge_on_board(
    evidence: Sequence[PairEvidence],
    decisions: RankSetsResult,
    facets: AllPairFacets | None,
    policy: Policy,
    *,
    explained: bool = True,
) -> tuple[VerdictResult, ...]:
    """The verdicts on the other runs of a board, whose first run was picked by the data.

    A run is worse where the decisions about all pairs say so, and else inconclusive; `facets` say how it differs, and
    decide nothing. The champion of all evidence is the first run.
    """
    alone = [corrected(column, policy) for column in zip(*(_facets(pair, policy) for pair in evidence), strict=True)]
    votes = _corrected_votes(evidence, policy)
    family = Family(
        f"all pairs of {len(decisions.runs):,} runs", max(1, len(decisions.runs) * (len(decisions.runs) - 1))
    )
    verdicts, level = [], _raw_level(decisions)
    for place, pair in enumerate(evidence):
        at = decisions.runs.index(pair.challenger), decisions.runs.index(pair.champion)
        # The decisions have their own test and queries, the same for all pairs: neither the policy's test nor the
        # means of this pair alone has a say.
        is_below = bool(decisions.above[at])
        own = alone[0][place]
        plain = replace(own, agrees=True, direction=-1 if is_below else own.direction)
        measure = with_p(plain, float(decisions.p[at]), family, policy, level=level)
        measure = replace(measure, significant=is_below)
        outcomes: tuple[Facet, ...] = ()
        if facets is not None and len(alone) > 1:
            of_pair = facets.runs.index(pair.champion), facets.runs.index(pair.challenger)
            whole = facets.family or Family("more and sooner", 1)
            outcomes = (
                with_p(alone[1][place], float(facets.more_p[of_pair]), whole, policy),
                with_p(alone[2][place], float(facets.sooner_p[of_pair]), whole, policy),
            )
        verdicts.append(
            _verdict(
                pair,
                policy,
                (measure, *outcomes),
                rule_facets=(alone[1][place], alone[2][place]) if len(alone) > 1 else None,
                ipso=votes[place],
                board_how=() if facets is None else facets.how(pair.challenger, pair.champion),
                explained=explained,
            )
        )
    return tuple(verdicts)


def _raw_level(decisions: RankSetsResult) -> float:
    """The two-sided level of a t test that asks for as much as the first step of the decisions about all pairs."""
    from scipy.special import stdtr

    level = float(2.0 * stdtr(max(decisions.queries - 1, 1), -decisions.critical))
    return min(max(level, SMALLEST_LEVEL), decisions.alpha)


def more_facet(outcomes: OutcomesResult, tests: OutcomeTestsResult, policy: Policy) -> Facet:
    """Who finds more: by how much larger the share of queries is on which the challenger does."""
    theirs, mine = outcomes.queries_more
    queries = max(int(np.count_nonzero(outcomes.answerable)), 1)
    low, high = (tests.more.n_used * (2.0 * share - 1.0) / queries for share in tests.more.effect_ci95)
    return decided("more", (mine - theirs) / queries, tests.more.p, policy, ci95=(low, high))


def sooner_facet(outcomes: OutcomesResult, tests: OutcomeTestsResult, policy: Policy) -> Facet:
    """Who finds sooner: by how many ranks, or by how much of a reciprocal rank, on average."""
    by_rank = policy.sooner == "ranks"
    facet = tests.esl if by_rank else tests.rr
    if facet is None:  # there is no query of which both find a document
        return decided("sooner", 0.0, 1.0, policy)
    chosen = facet.t if policy.esl_test == "t" else facet.signed_rank
    sign = -1.0 if by_rank else 1.0
    difference = outcomes.esl.difference if by_rank else outcomes.rr.difference
    low, high = sorted(sign * end for end in facet.t.effect_ci95)
    return decided("sooner", sign * difference, chosen.p, policy, favours=sign * chosen.favours, ci95=(low, high))


def may_split(evidence: PairEvidence, policy: Policy) -> bool:
    """Whether one run finds more and the other sooner, be it significant or not: then there may be a break-even."""
    outcomes, tests = evidence.outcomes, evidence.outcome_tests
    if outcomes is None or tests is None:
        return False
    more, sooner = more_facet(outcomes, tests, policy), sooner_facet(outcomes, tests, policy)
    return more.direction * sooner.direction < 0 and sooner.agrees


def _facets(evidence: PairEvidence, policy: Policy) -> tuple[Facet, ...]:
    """The measure, and more and sooner where ranked lists are known."""
    better = -1.0 if evidence.best_is_low else 1.0
    low, high = sorted(better * end for end in evidence.difference_ci95)
    measure = decided(
        evidence.measure,
        better * evidence.means.difference,
        evidence.test.p,
        policy,
        favours=better * evidence.test.favours,
        ci95=(low, high),
    )
    outcomes, tests = evidence.outcomes, evidence.outcome_tests
    if outcomes is None or tests is None:
        return (measure,)
    return measure, more_facet(outcomes, tests, policy), sooner_facet(outcomes, tests, policy)


def _corrected_votes(evidence: Sequence[PairEvidence], policy: Policy) -> list[Facet | None]:
    """The IPSO sign test of each challenger, corrected over those that have one."""
    at_depth = [None if pair.ipso is None else pair.ipso.at_depth for pair in evidence]
    facets = [decided("IPSO sign test", last.ns - last.ni, last.sign_p, policy) for last in at_depth if last]
    votes = iter(corrected(facets, policy))
    return [None if last is None else next(votes) for last in at_depth]


def _verdict(
    evidence: PairEvidence,
    policy: Policy,
    facets: tuple[Facet, ...],
    *,
    rule_facets: tuple[Facet, Facet] | None,
    ipso: Facet | None,
    board_how: tuple[str, ...] | None = None,
    explained: bool = True,
) -> VerdictResult:
    """The verdict of the facets together; on a board, where it is known how runs differ, of the measure alone."""
    measure, *outcomes = facets
    more, sooner = outcomes or (None, None)
    if board_how is None:
        verdict = overall(facets, policy.alpha)
        how = _how(verdict, evidence.measure, measure, more, sooner)
    else:  # nobody is above the first run; what points the other way comes last, after a `but`
        verdict = "worse" if measure.shown < 0 else "inconclusive"
        how = against_last(board_how, -1) if measure.shown < 0 else ()
    result = VerdictResult(
        overall=verdict,
        how=how,
        strict=None if rule_facets is None else strict(*(facet.shown for facet in rule_facets)),
        do_no_harm=None if rule_facets is None else do_no_harm(*(facet.shown for facet in rule_facets)),
        marks=marks(measure.shown, None if evidence.unbound else ipso),
        policy=policy,
        measure=measure,
        more=more,
        sooner=sooner,
        rule_facets=rule_facets,
        ipso=ipso,
        is_of_board=board_how is not None,
        sentence="",
    )
    return replace(result, sentence=sentence_of(evidence, result)) if explained else result


def _how(verdict: str, name: str, measure: Facet, more: Facet | None, sooner: Facet | None) -> tuple[str, ...]:
    """What a verdict rests on, in words: more and sooner, and the measure where it is alone or against both."""
    if verdict == "inconclusive" or more is None or sooner is None:
        return ()
    words = how_words(more.shown, sooner.shown)
    if not words:
        return (f"by {name} alone",)
    if verdict == "trade-off" and more.shown != -sooner.shown:  # then it is the measure that points the other way
        return (*words, f"{'better' if measure.shown > 0 else 'worse'} by {name}")
    return words
