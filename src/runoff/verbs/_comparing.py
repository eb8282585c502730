"""The numbers of a comparison, and the verdicts on several comparisons at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from runoff.boards import RankSetsResult
from runoff.comparisons import (
    BreakEvenResult,
    IpsoResult,
    OutcomesResult,
    OutcomeTestsResult,
    break_even,
    ipso,
    ipso_scope,
    outcome_tests,
    outcomes,
)
from runoff.comparisons.options import CompareOptions
from runoff.errors import MeasureError, UsageError
from runoff.measures import BinaryMeasure, ExternalMeasure, Measure, parse_measure
from runoff.results.comparison import Comparison
from runoff.results.ipso_remarks import one_label_remark
from runoff.results.remarks import remarks_on, undefined_remark
from runoff.significance import (
    BY_NAME,
    SIGNIFICANCE_TESTS,
    PairedT,
    SignificanceResult,
    SignificanceTest,
    equivalence,
)
from runoff.tables.scores import Scores
from runoff.tables.serps import Serps
from runoff.tables.spill import Scratch
from runoff.verbs._pair_memory import PairMemory
from runoff.verdicts import (
    AllPairFacets,
    MarginVerdict,
    MoreEvidence,
    PairEvidence,
    Policy,
    judge,
    judge_on_board,
    margin_verdicts,
)
from runoff.verdicts.judgment import more_facet, sooner_facet

ONLY_SCORES: Final = "Outcomes and IPSO need ranked lists and judgments; scores alone do not hold them."
QUICK: Final = ("t", "signed_rank", "rank_sum", "sign")
"""The tests without resampling: what there is time for where a board has many comparisons."""


@dataclass(frozen=True, eq=False, kw_only=True)
class BoardDecisions:
    """What is decided of all pairs of a board at once: who is above whom, and how they differ.

    facets  who finds more and who sooner; None where ranked lists are not known
    """

    decisions: RankSetsResult
    facets: AllPairFacets | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class ComparisonNumbers:
    """A comparison that waits for its verdict, which depends on how many challengers there are."""

    evidence: PairEvidence
    tests: tuple[SignificanceResult, ...]
    scores: Scores
    depth: int | None = None
    measure: Measure | None = None
    remarks: tuple[str, ...] = ()
    serps: tuple[Serps, Serps] | None = None
    question: CompareOptions | None = None
    more: MoreEvidence = field(default_factory=MoreEvidence)
    break_even: BreakEvenResult | None = None


def judged(
    numbers: Sequence[ComparisonNumbers], policy: Policy, board: BoardDecisions | None = None
) -> tuple[Comparison, ...]:
    """The verdicts on some comparisons; the p-values behind them are corrected over all of these, or over all pairs.

    board  what is decided of all pairs of a board, where the comparisons are those of its first run
    """
    evidence, margins = [one.evidence for one in numbers], _margins(numbers, policy)
    verdicts = (
        judge(evidence, policy) if board is None else judge_on_board(evidence, board.decisions, board.facets, policy)
    )
    return tuple(
        Comparison(
            evidence=one.evidence,
            tests=one.tests,
            verdict=verdict,
            depth=one.depth,
            measure=one.measure,
            remarks=one.remarks,
            scores=one.scores,
            margin=margin,
            serps=one.serps,
            question=one.question,
            more=one.more,
            break_even=one.break_even,
        )
        for one, verdict, margin in zip(numbers, verdicts, margins, strict=True)
    )


def _margins(numbers: Sequence[ComparisonNumbers], policy: Policy) -> Sequence[MarginVerdict | None]:
    """Whether each challenger is no worse than by the policy's margin; None where it names none."""
    if policy.margin is None:
        return [None] * len(numbers)
    found = []
    for one in numbers:
        values = one.scores.values[~np.isnan(one.scores.values).any(axis=1)] * (-1.0 if one.evidence.best_is_low else 1)
        found.append(equivalence(*values.T, margin=policy.margin))
    names = [(one.evidence.champion, one.evidence.challenger) for one in numbers]
    return margin_verdicts(found, names, numbers[0].evidence.measure, policy) if numbers else ()


def quick_comparisons(
    pairs: Sequence[tuple[Serps, Serps]],
    question: CompareOptions,
    policy: Policy,
    *,
    memory: PairMemory | None = None,
    scores: Scores | None = None,
    scratch: Scratch | None = None,
    board: BoardDecisions | None = None,
) -> tuple[Comparison, ...]:
    """Comparisons of (champion, challenger) with the tests that take no resampling, and the policy's own.

    memory   what is known of pairs already; verdicts are decided anew, because they depend on how many pairs there are
    scores   those of the runs under the question's measure, where they are known; a pair that is remembered does
             without, since it would keep the scores of all runs
    scratch  where what is known of single queries lies, if it is too much for memory
    board    what is decided of all pairs of a board, where the comparisons are those of its first run
    """
    names = dict.fromkeys((*QUICK, policy.measure_test))
    tests = [BY_NAME[name] for name in names]

    def numbers(champion: Serps, challenger: Serps) -> ComparisonNumbers:
        def make() -> ComparisonNumbers:
            known = scores if memory is None else None
            found = numbers_of(champion, challenger, question, policy, tests=tests, scores=known)
            return found if scratch is None else stored(found, scratch)

        return make() if memory is None else memory.of("comparison", (champion.run, challenger.run), make)

    return judged([numbers(*pair) for pair in pairs], policy, board)


def stored(numbers: ComparisonNumbers, scratch: Scratch) -> ComparisonNumbers:
    """The same comparison; what it knows of single queries lies in files."""

    def moved(result: Any) -> Any:
        if result is None:
            return None
        arrays = {name: value for name, value in vars(result).items() if isinstance(value, np.ndarray)}
        return replace(result, **{name: scratch.moved(array) for name, array in arrays.items()})

    evidence, scores = numbers.evidence, numbers.scores
    return replace(
        numbers,
        evidence=replace(evidence, outcomes=moved(evidence.outcomes), ipso=moved(evidence.ipso)),
        scores=replace(scores, values=scratch.moved(scores.values)),
    )


def numbers_of(
    champion: Serps,
    challenger: Serps,
    question: CompareOptions,
    policy: Policy,
    *,
    tests: Sequence[SignificanceTest] = SIGNIFICANCE_TESTS,
    scores: Scores | None = None,
) -> ComparisonNumbers:
    """Means, tests, outcomes and IPSO of two runs; `scores` are those of both and others, where they are known."""
    measure = question.chosen_measure()
    depth = question.chosen_depth(measure)
    if scores is None:
        first, second = measure.values(champion), measure.values(challenger)
    else:
        first, second = scores.of(champion.run), scores.of(challenger.run)
    defined = _defined(first, second, str(measure))
    results = _tests(first[defined], second[defined], question, tests)
    level = question.chosen_level(measure)
    found = outcomes(champion, challenger, cutoff=depth, level=level)
    tested = outcome_tests(found)
    ordering, unbound, why_not = _ipso(champion, challenger, question, depth)
    evidence = PairEvidence(
        champion=champion.run,
        challenger=challenger.run,
        queries=len(champion.query_ids),
        measure=str(measure),
        means=(float(first[defined].mean()), float(second[defined].mean())),
        best_is_low=measure.best == "low",
        test=_chosen(results, policy),
        difference_ci95=next(test.effect_ci95 for test in results if test.name == PairedT.name),
        outcomes=found,
        outcome_tests=tested,
        ipso=ordering,
        unbound=unbound,
    )
    undefined = int((~defined).sum())
    remarks = remarks_on(champion, challenger, measure=measure, undefined=undefined, found=found, depth=depth)
    names = champion.run, challenger.run
    return ComparisonNumbers(
        evidence=evidence,
        tests=results,
        scores=_pair_scores(evidence, champion.query_ids, first, second) if scores is None else scores.pair(*names),
        depth=depth,
        measure=measure,
        remarks=(*remarks, *why_not),
        serps=(champion, challenger),
        question=question,
        break_even=_break_even(champion, challenger, found, tested, policy),
    )


def _break_even(
    champion: Serps, challenger: Serps, found: OutcomesResult, tested: OutcomeTestsResult, policy: Policy
) -> BreakEvenResult | None:
    """For whom each run is the better choice, where one finds more and the other sooner."""
    more, sooner = more_facet(found, tested, policy), sooner_facet(found, tested, policy)
    if found.cutoff is None or more.direction * sooner.direction >= 0 or not sooner.agrees:
        return None
    return break_even(champion, challenger, cutoff=found.cutoff, level=found.level)


def numbers_of_scores(
    scores: Scores, champion: str, challenger: str, question: CompareOptions, policy: Policy
) -> ComparisonNumbers:
    """Means and tests of two columns of a score matrix."""
    measure = _named_measure(scores.measure)
    first, second = scores.of(champion), scores.of(challenger)
    defined = _defined(first, second, scores.measure)
    tests = _tests(first[defined], second[defined], question, SIGNIFICANCE_TESTS)
    evidence = PairEvidence(
        champion=champion,
        challenger=challenger,
        queries=len(scores.query_ids),
        measure=scores.measure,
        means=(float(first[defined].mean()), float(second[defined].mean())),
        best_is_low=measure is not None and measure.best == "low",
        test=_chosen(tests, policy),
        difference_ci95=next(test.effect_ci95 for test in tests if test.name == PairedT.name),
    )
    undefined = int((~defined).sum())
    gaps = [undefined_remark(scores.measure, undefined, len(defined))] if undefined else []
    pair = _pair_scores(evidence, scores.query_ids, first, second)
    return ComparisonNumbers(evidence=evidence, tests=tests, scores=pair, measure=measure, remarks=(*gaps, ONLY_SCORES))


def _pair_scores(
    evidence: PairEvidence, query_ids: Sequence[str], first: NDArray[np.float64], second: NDArray[np.float64]
) -> Scores:
    names = evidence.champion, evidence.challenger
    return Scores(measure=evidence.measure, query_ids=query_ids, runs=names, values=np.column_stack([first, second]))


def _defined(first: NDArray[np.float64], second: NDArray[np.float64], measure: str) -> NDArray[np.bool_]:
    """Per query, whether the measure is defined for both runs."""
    defined: NDArray[np.bool_] = ~(np.isnan(first) | np.isnan(second))
    if not defined.any():
        raise UsageError(
            f"{measure} is defined for no query of both runs; expected one at least; choose another measure"
        )
    return defined


def _named_measure(name: str) -> Measure | None:
    """The measure that scores are named after; None where runoff has none of that name."""
    try:
        measure = parse_measure(name)
    except (MeasureError, UsageError):
        return None
    return None if isinstance(measure, ExternalMeasure) else measure


def _ipso(
    champion: Serps, challenger: Serps, question: CompareOptions, depth: int
) -> tuple[IpsoResult | None, str, tuple[str, ...]]:
    """The IPSO comparison, why it does not bind the measure, and remarks; or why there is none."""
    measure, gains = question.chosen_measure(), question.gains
    level = question.level or (measure.rel if isinstance(measure, BinaryMeasure) and measure.rel > 1 else None)
    counted: Any = {"depth": depth, "gains": gains, "level": None if gains is not None else level}
    try:
        found = ipso(champion, challenger, **counted)
    except UsageError as error:
        if gains is not None:
            raise
        return None, "", (f"IPSO is left out: {error}.",)
    if not found.topics:
        return None, "", ("IPSO is left out: no query has a relevant document in the labels.",)
    problem = ipso_scope((champion, challenger), measure, **counted).problem
    remarks = [f"‡ is not given: {problem}."] if problem else []
    return found, problem, (*remarks, *one_label_remark(found, gains=gains, level=counted["level"]))


def _tests(
    champion: Any, challenger: Any, question: CompareOptions, tests: Sequence[SignificanceTest]
) -> tuple[SignificanceResult, ...]:
    return tuple(test.compare(champion, challenger, seed=question.seed, trials=question.trials) for test in tests)


def _chosen(tests: Sequence[SignificanceResult], policy: Policy) -> SignificanceResult:
    return next(test for test in tests if test.name == policy.measure_test)
