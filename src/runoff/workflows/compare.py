"""Compare a challenger with a champion: is it better, and how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from runoff.comparisons import IpsoResult, ipso, outcome_tests, outcomes
from runoff.errors import MeasureError, UsageError
from runoff.measures import BinaryMeasure, ExternalMeasure, Measure, parse_measure
from runoff.significance import DEFAULT_TRIALS, SIGNIFICANCE_TESTS, SignificanceResult
from runoff.tables.scores import Scores
from runoff.tables.serps import Serps
from runoff.verdicts import PairEvidence, Policy, judge
from runoff.workflows.contest import ContestResult
from runoff.workflows.duel import DuelResult
from runoff.workflows.inputs import Progress, Reading, as_qrels, map_runs, one_tie_rule
from runoff.workflows.remarks import remarks_on, undefined_remark

DEFAULT_MEASURE: Final = "RR@100"
DEFAULT_DEPTH: Final = 100
ONLY_SCORES: Final = "Outcomes and IPSO need ranked lists and judgments; scores alone do not hold them."


@dataclass(frozen=True, kw_only=True)
class Question:
    """What is compared.

    measure  the one chosen measure, as ir_measures spells it, or a measure object
    depth    ranks that outcomes and IPSO look at; the measure's cutoff if None, or 100 if it has none
    level    the lowest grade that counts as an answer; the measure's own `rel` if None
    gains    the gain of each grade for IPSO, from grade 0; needed where labels have grades above 1
    seed, trials   for the tests that resample
    """

    measure: str | Measure = DEFAULT_MEASURE
    depth: int | None = None
    level: int | None = None
    gains: Sequence[float] | None = None
    seed: int = 0
    trials: int = DEFAULT_TRIALS

    def chosen_measure(self) -> Measure:
        """The measure object; one of ir_measures is refused, because it is not computed from SERPs."""
        measure = parse_measure(self.measure) if isinstance(self.measure, str) else self.measure
        if isinstance(measure, ExternalMeasure):
            raise UsageError(
                f"{measure} is computed by ir_measures; expected a measure of runoff to compare runs with; write its "
                "per-query scores into a matrix and compare that"
            )
        return measure

    def chosen_depth(self, measure: Measure) -> int:
        """The depth to compare at."""
        return self.depth if self.depth is not None else measure.depth or DEFAULT_DEPTH

    def chosen_level(self, measure: Measure) -> int:
        """The relevance level to compare at."""
        if self.level is not None:
            return self.level
        return measure.rel if isinstance(measure, BinaryMeasure) else 1


def compare(
    champion: Any,
    challenger: Any,
    qrels: Any,
    *,
    measure: str | Measure | None = None,
    depth: int | None = None,
    question: Question | None = None,
    policy: Policy | None = None,
    reading: Reading | None = None,
) -> DuelResult:
    """Compare a challenger with a champion.

    champion, challenger   files, frames, dicts, tuples or Run objects
    qrels                  a file, frame, dict, tuples or Qrels
    measure, depth         the chosen measure (RR@100), and the ranks that outcomes and IPSO look at
    question               these and more, in one value; then give neither of them
    policy                 level, correction and tests of the verdict
    reading                tie rule and size limit

    >>> qrels = {f"q{i}": {"d": 1} for i in range(8)}
    >>> late, early = {"x": 3.0, "y": 2.0, "d": 1.0}, {"d": 2.0, "x": 1.0}
    >>> duel = compare({q: late for q in qrels}, {q: early for q in qrels}, qrels, measure="RR@10")
    >>> duel.outcomes.both, duel.verdict.do_no_harm, round(duel.means.difference, 3)
    (8, 'better', 0.667)
    """
    if question is not None and (measure is not None or depth is not None):
        raise UsageError("a question and a measure or depth are given; expected either; put them into the question")
    asked = question or Question(measure=measure or DEFAULT_MEASURE, depth=depth)
    contest = compare_all(champion, [challenger], qrels, question=asked, policy=policy, reading=reading)
    return contest.duels[0]


def compare_all(
    champion: Any,
    challengers: Sequence[Any],
    qrels: Any,
    *,
    question: Question | None = None,
    policy: Policy | None = None,
    reading: Reading | None = None,
    progress: Progress | None = None,
) -> ContestResult:
    """Compare several challengers with one champion; p-values behind the verdicts are corrected over all of them."""
    asked, decide = question or Question(), policy or Policy()
    if not challengers:
        raise UsageError("no challenger; expected at least one run beside the champion; name one")
    chosen = asked.chosen_measure()
    depth = asked.chosen_depth(chosen)
    needed = None if chosen.depth is None else max(chosen.depth, depth)
    labels = as_qrels(qrels, reading=reading)
    serps = map_runs(
        lambda serps, _run: serps, [champion, *challengers], labels, depth=needed, reading=reading, progress=progress
    )
    one_tie_rule(one.tie_rule for one in serps)
    return _judged([_numbers(serps[0], one, asked, decide) for one in serps[1:]], decide)


def compare_scores(
    scores: Scores,
    champion: str,
    challengers: Sequence[str],
    *,
    question: Question | None = None,
    policy: Policy | None = None,
) -> ContestResult:
    """Compare runs by a matrix of per-query scores; outcomes and IPSO need ranked lists and are left out.

    Where the scores are named after a measure of runoff, that measure says whether low or high is better, and which
    tests its scale permits; else high is better.
    """
    asked, decide = question or Question(), policy or Policy()
    if not challengers:
        raise UsageError("no challenger; expected at least one run beside the champion; name one")
    if len({champion, *challengers}) <= len(challengers):
        raise UsageError("a run is named twice; expected a different one for each; drop one")
    measure = _named_measure(scores.measure)
    numbers = []
    for challenger in challengers:
        first, second = scores.of(champion), scores.of(challenger)
        defined = _defined(first, second, scores.measure)
        tests = _tests(first[defined], second[defined], asked)
        evidence = PairEvidence(
            champion=champion,
            challenger=challenger,
            queries=len(scores.query_ids),
            measure=scores.measure,
            means=(float(first[defined].mean()), float(second[defined].mean())),
            best_is_low=measure is not None and measure.best == "low",
            test=_chosen(tests, decide),
        )
        undefined = int((~defined).sum())
        gaps = [undefined_remark(scores.measure, undefined, len(defined))] if undefined else []
        numbers.append(_Numbers(evidence=evidence, tests=tests, measure=measure, remarks=(*gaps, ONLY_SCORES)))
    return _judged(numbers, decide)


@dataclass(frozen=True, eq=False, kw_only=True)
class _Numbers:
    """A comparison that waits for its verdict, which depends on how many challengers there are."""

    evidence: PairEvidence
    tests: tuple[SignificanceResult, ...]
    depth: int | None = None
    measure: Measure | None = None
    remarks: tuple[str, ...] = ()


def _judged(numbers: Sequence[_Numbers], policy: Policy) -> ContestResult:
    verdicts = judge([one.evidence for one in numbers], policy)
    duels = [
        DuelResult(
            evidence=one.evidence,
            tests=one.tests,
            verdict=verdict,
            depth=one.depth,
            measure=one.measure,
            remarks=one.remarks,
        )
        for one, verdict in zip(numbers, verdicts, strict=True)
    ]
    return ContestResult(duels=tuple(duels))


def _numbers(champion: Serps, challenger: Serps, question: Question, policy: Policy) -> _Numbers:
    measure = question.chosen_measure()
    depth = question.chosen_depth(measure)
    first, second = measure.values(champion), measure.values(challenger)
    defined = _defined(first, second, str(measure))
    tests = _tests(first[defined], second[defined], question)
    found = outcomes(champion, challenger, cutoff=depth, level=question.chosen_level(measure))
    ordering, why_not = _ipso(champion, challenger, question, depth)
    evidence = PairEvidence(
        champion=champion.run,
        challenger=challenger.run,
        queries=len(champion.query_ids),
        measure=str(measure),
        means=(float(first[defined].mean()), float(second[defined].mean())),
        best_is_low=measure.best == "low",
        test=_chosen(tests, policy),
        outcomes=found,
        outcome_tests=outcome_tests(found),
        ipso=ordering,
    )
    undefined = int((~defined).sum())
    remarks = remarks_on(champion, challenger, measure=measure, undefined=undefined, found=found, depth=depth)
    return _Numbers(evidence=evidence, tests=tests, depth=depth, measure=measure, remarks=(*remarks, *why_not))


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
    champion: Serps, challenger: Serps, question: Question, depth: int
) -> tuple[IpsoResult | None, tuple[str, ...]]:
    """The IPSO comparison, or why there is none."""
    measure = question.chosen_measure()
    level = question.level or (measure.rel if isinstance(measure, BinaryMeasure) and measure.rel > 1 else None)
    try:
        gains = question.gains
        return ipso(champion, challenger, depth=depth, gains=gains, level=None if gains is not None else level), ()
    except UsageError as error:
        if question.gains is not None:
            raise
        return None, (f"IPSO is left out: {error}.",)


def _tests(champion: Any, challenger: Any, question: Question) -> tuple[SignificanceResult, ...]:
    return tuple(
        test.compare(champion, challenger, seed=question.seed, trials=question.trials) for test in SIGNIFICANCE_TESTS
    )


def _chosen(tests: Sequence[SignificanceResult], policy: Policy) -> SignificanceResult:
    return next(test for test in tests if test.name == policy.measure_test)
