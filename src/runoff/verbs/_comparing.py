"""Compute comparisons: the numbers of each pair of runs, the verdicts on all of them at once, and what they show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from functools import partial
from typing import Any, Final

import numpy as np

from runoff.comparisons import (
    FacetMeans,
    IpsoResult,
    break_even,
    ipso,
    ipso_scope,
    outcome_tests,
    outcomes,
    recall_paired_tests,
)
from runoff.comparisons.options import CompareOptions
from runoff.errors import UsageError
from runoff.measures import BinaryMeasure, Measure, own_measure
from runoff.results.comparison import Comparison
from runoff.results.multi_comparison import MultiComparison
from runoff.results.power import PowerRow
from runoff.results.remarks import constant_remarks, one_label_remark, remarks_on, undefined_remark
from runoff.results.systems_table import SystemsTable
from runoff.significance import (
    BY_NAME,
    SIGNIFICANCE_TESTS,
    PairedT,
    SignificanceTest,
    equivalence,
    permitted,
    score_powers,
)
from runoff.tables.memory import Scratch
from runoff.tables.scores import Scores, sum_in_order
from runoff.tables.serps import Serps
from runoff.verbs._pair_memory import PairMemory
from runoff.verdicts import (
    BoardDecisions,
    FacetPower,
    MarginVerdict,
    MoreEvidence,
    PairEvidence,
    Policy,
    VerdictResult,
    evidence_of,
    judge,
    judge_on_board,
    margin_verdicts,
    may_split,
    measure_power,
    powers,
    together,
)

ONLY_SCORES: Final = "Outcomes and IPSO need ranked lists and judgments; scores alone do not hold them."
SEVERAL_RUNS: Final = "Outcomes and IPSO compare two ranked lists; they are left out where a system has several runs."
QUICK: Final = ("t", "signed_rank", "rank_sum", "sign")
"""The tests without resampling: those that are quick enough for the many comparisons of a board."""


def judged(
    pairs: Sequence[PairEvidence],
    policy: Policy,
    options: CompareOptions | None = None,
    *,
    board: BoardDecisions | None = None,
    explained: bool = True,
) -> tuple[Comparison, ...]:
    """The complete comparisons of some pairs; p-values behind the verdicts are corrected over these, or over all pairs.

    options    what is computed beside the verdicts
    board      what is decided of all pairs of a board, where the comparisons are those of its first run
    explained  whether each verdict has its sentence
    """
    options = options or CompareOptions()
    if board is None:
        verdicts = judge(pairs, policy, explained=explained)
    else:
        verdicts = judge_on_board(pairs, board.decisions, board.facets, policy, explained=explained)
    margins = [None] * len(pairs) if policy.margin is None else _margins(pairs, policy, policy.margin)
    rows = zip(pairs, verdicts, margins, strict=True)
    return tuple(_completed(pair, verdict, margin, options) for pair, verdict, margin in rows)


def multi_comparison(comparisons: Sequence[Comparison], table: SystemsTable | None = None) -> MultiComparison:
    """Some challengers of one champion together: their evidence, if there is any, is corrected over all of them.

    table  all systems under all measures
    """
    if len(comparisons) == 1:
        comparisons = [replace(comparisons[0], table=table)]
    policy = comparisons[0].verdict.policy
    lines = [comparison.lines for comparison in comparisons if comparison.lines is not None]
    return MultiComparison(
        comparisons=tuple(comparisons),
        table=table,
        evidence=together(lines, policy) if len(lines) > 1 else tuple(lines),
        detectable=detectable([comparison.evidence.scores for comparison in comparisons], policy)
        if len(lines) > 1
        else (),
    )


def detectable(scores: Sequence[Scores | None], policy: Policy) -> tuple[float | None, ...]:
    """The smallest difference that a t test finds with 80% power, per pair, where p-values are corrected over all."""
    level = policy.level_of(len(scores))
    smallest: list[float | None] = []
    for pair in scores:
        values = np.zeros((0, 2)) if pair is None else pair.defined
        enough = len(values) > 1
        smallest.append(score_powers(*values.T, tests=("t",), level=level)["t"].smallest or None if enough else None)
    return tuple(smallest)


def _completed(
    pair: PairEvidence, verdict: VerdictResult, margin: MarginVerdict | None, options: CompareOptions
) -> Comparison:
    """Everything that is shown of a pair: its evidence line by line, and what the queries could have shown."""
    values = () if pair.scores is None else tuple(pair.scores.values.T)
    facet_powers: tuple[FacetPower, ...] = ()
    if values and options.resolution:
        facet_powers = powers(pair, verdict, *values)
    elif values and (power := measure_power(pair, verdict, *values)) is not None:
        facet_powers = (power,)
    rows: tuple[PowerRow, ...] = ()
    if options.resolution and facet_powers and pair.scores is not None:
        scores, level = (pair.scores, *pair.also), facet_powers[0].level
        rows = tuple(_measure_rows(scores, run=pair.challenger, level=level, difference=options.difference))
    return Comparison(
        evidence=pair,
        means=pair.means,
        verdict=verdict,
        lines=evidence_of(pair, pair.tests, verdict.policy, pair.more) if options.evidence else None,
        powers=facet_powers,
        power_rows=rows,
        margin=margin,
    )


def _measure_rows(scores: Sequence[Scores], *, run: str, level: float, difference: float | None) -> Iterator[PowerRow]:
    """A row per matrix of two runs' scores, champion and challenger; undefined scores are left out."""
    for pair in scores:
        values = pair.defined
        if len(values) < 2:
            continue
        powers = score_powers(*values.T, difference=difference, level=level)
        yield PowerRow(run=run, subject=pair.measure, powers=powers)


def _margins(pairs: Sequence[PairEvidence], policy: Policy, margin: float) -> Sequence[MarginVerdict | None]:
    """Whether each challenger is no worse than by a margin."""
    if not pairs:
        return []
    results = [
        equivalence(*(pair.scores.defined * (-1.0 if pair.best_is_low else 1)).T, margin=margin)
        for pair in pairs
        if pair.scores is not None
    ]
    names = [(pair.champion, pair.challenger) for pair in pairs]
    return margin_verdicts(results, names, pairs[0].measure, policy)


def quick_comparisons(
    pairs: Sequence[tuple[Serps, Serps]],
    options: CompareOptions,
    policy: Policy,
    *,
    memory: PairMemory | None = None,
    scores: Scores | None = None,
    scratch: Scratch | None = None,
    board: BoardDecisions | None = None,
    explained: bool = True,
    lists: bool = True,
) -> tuple[Comparison, ...]:
    """Comparisons of (champion, challenger) with the tests that take no resampling, and the policy's own.

    memory     a cache of pairs; verdicts are decided again, because they depend on how many pairs there are
    scores     those of the runs under the chosen measure, where they are known; a pair in the cache does without, since
               it would keep the scores of all runs
    scratch    where the values of single queries are stored, if they are too much for memory
    board      what is decided of all pairs of a board, where the comparisons are those of its first run
    explained  whether there are all these tests, the evidence line by line and the sentence of each verdict
    lists      whether the ranked lists are compared, too: outcomes, break-even and IPSO
    """
    options = replace(options, all_tests=explained, evidence=explained, resolution=False)
    tests = _tests(policy, QUICK if explained else ())
    if memory is not None:
        scores = None

    def numbers(champion: Serps, challenger: Serps) -> PairEvidence:
        pair = numbers_of(champion, challenger, options, policy, tests=tests, scores=scores, lists=lists)
        return pair if scratch is None else stored(pair, scratch)

    if memory is None:
        evidence = [numbers(*pair) for pair in pairs]
    else:
        evidence = [
            memory.of("comparison" if lists else "scores", (pair[0].run, pair[1].run), partial(numbers, *pair))
            for pair in pairs
        ]
    return judged(evidence, policy, options, board=board, explained=explained)


def _tests(policy: Policy, names: Sequence[str] = ()) -> list[SignificanceTest]:
    """The tests of that name, and those that every verdict needs: t, for the interval, and the policy's own."""
    return [BY_NAME[name] for name in dict.fromkeys((*names, PairedT.name, policy.measure_test))]


def numbers_of(
    champion: Serps,
    challenger: Serps,
    options: CompareOptions,
    policy: Policy,
    *,
    tests: Sequence[SignificanceTest] | None = None,
    scores: Scores | None = None,
    lists: bool = True,
    remarks: bool = True,
) -> PairEvidence:
    """Means and tests of two runs; if `lists`, also outcomes and IPSO; if `remarks`, also what explains a verdict.

    tests    those of the measure; by default what the verdict needs
    scores   those of both runs and others, where they are known
    remarks  remarks, missing queries and the break-even; else what a verdict needs
    """
    measure, depth, level = options.measure, options.compared_depth, options.compared_level
    pair = _pair_scores(measure, champion, challenger) if scores is None else scores.pair(champion.run, challenger.run)
    evidence = replace(
        _measured(pair, measure, options, policy, _tests(policy) if tests is None else tests), depth=depth
    )
    if lists:
        compared = outcomes(champion, challenger, cutoff=depth, level=level)
        ordering, unbound, ipso_remarks = _ipso(champion, challenger, options)
        evidence = replace(
            evidence,
            outcomes=compared,
            outcome_tests=outcome_tests(compared, naive=options.all_tests),
            ipso=ordering,
            unbound=unbound,
            ipso_remarks=ipso_remarks,
        )
    if not remarks:
        return evidence
    return replace(
        evidence,
        remarks=tuple(
            remarks_on(
                champion,
                challenger,
                measure=evidence.measure,
                test=evidence.test,
                unanswerable=int(np.count_nonzero(champion.relevant(level) == 0)),
                depth=depth,
            )
        ),
        missing_queries=(champion.missing_queries, challenger.missing_queries),
        break_even=break_even(champion, challenger, cutoff=depth, level=level) if may_split(evidence, policy) else None,
    )


def whole_numbers_of(
    champion: Serps, challenger: Serps, options: CompareOptions, policy: Policy, *, scores: Sequence[Scores] = ()
) -> PairEvidence:
    """The same with all that is requested of a pair: recall-paired preference, and the scores of further measures.

    scores  those of both runs and others under every measure, where they are known
    """
    more = MoreEvidence()
    if options.evidence:
        more = MoreEvidence(recall_paired=recall_paired_tests(champion, challenger, level=options.compared_level))
    tests = SIGNIFICANCE_TESTS if options.all_tests else None
    further = [table.pair(champion.run, challenger.run) for table in scores[1:]]
    return replace(
        numbers_of(champion, challenger, options, policy, tests=tests, scores=scores[0] if scores else None),
        also=tuple(further or (_pair_scores(measure, champion, challenger) for measure in options.also)),
        more=more,
    )


def numbers_of_scores(
    scores: Sequence[Scores],
    champion: str,
    challenger: str,
    options: CompareOptions,
    policy: Policy,
    *,
    why: str = ONLY_SCORES,
) -> PairEvidence:
    """Means and tests of two columns of scores; the first of these are of the measure that decides.

    why  the remark that there are no outcomes and no IPSO
    """
    pair, *also = (table.of_runs([champion, challenger]) for table in scores)
    undefined = len(pair.values) - len(pair.defined)
    gaps = [undefined_remark(pair.measure, undefined, len(pair.values))] if undefined else []
    evidence = _measured(pair, own_measure(pair.measure), options, policy, SIGNIFICANCE_TESTS)
    return replace(evidence, also=tuple(also), remarks=(*constant_remarks(pair.measure, evidence.test), *gaps, why))


def _measured(
    pair: Scores,
    measure: Measure | None,
    options: CompareOptions,
    policy: Policy,
    tests: Sequence[SignificanceTest],
) -> PairEvidence:
    """The means and tests of two runs' scores."""
    values = pair.defined
    if not len(values):
        raise UsageError(
            f"{pair.measure} is defined for no query of both runs; expected one at least; choose another measure"
        )
    first, second = np.ascontiguousarray(values.T)
    champion_mean, challenger_mean = (sum_in_order(values) / len(values)).tolist()
    results = tuple(test.compare(first, second, seed=options.seed, trials=options.trials) for test in tests)
    by_name = {result.name: result for result in results}
    return PairEvidence(
        champion=pair.runs[0],
        challenger=pair.runs[1],
        queries=len(pair.query_ids),
        measure=pair.measure,
        means=FacetMeans(champion=champion_mean, challenger=challenger_mean),
        best_is_low=measure is not None and measure.best == "low",
        test=by_name[policy.measure_test],
        difference_ci95=by_name[PairedT.name].effect_ci95,
        tests=results,
        permitted=None if measure is None else {test.name: permitted(test, measure.scale) for test in tests},
        chosen=measure,
        scores=pair,
        measure_note=options.measure_note,
    )


def _pair_scores(measure: Measure, champion: Serps, challenger: Serps) -> Scores:
    """The scores of two runs, which may have one name."""
    return Scores(
        measure=str(measure),
        query_ids=champion.query_ids,
        runs=(champion.run, challenger.run),
        values=np.column_stack([measure.values(champion), measure.values(challenger)]),
    )


def _ipso(
    champion: Serps, challenger: Serps, options: CompareOptions
) -> tuple[IpsoResult | None, str, tuple[str, ...]]:
    """The IPSO comparison, why it does not bind the measure, and remarks; or why there is none."""
    measure, depth, gains, level = options.measure, options.compared_depth, options.gains, options.level
    if gains is not None:
        level = None
    elif not level:
        level = measure.rel if isinstance(measure, BinaryMeasure) and measure.rel > 1 else None
    try:
        result = ipso(champion, challenger, depth=depth, gains=gains, level=level)
    except UsageError as error:
        if gains is not None:
            raise
        return None, "", (f"IPSO is left out: {error}.",)
    if not result.query_ids:
        return None, "", ("IPSO is left out: no query has a relevant document in the labels.",)
    problem = ipso_scope((champion, challenger), measure, depth=depth, gains=gains, level=level).problem
    remarks = [f"‡ is not given: {problem}."] if problem else []
    return result, problem, (*remarks, *one_label_remark(result, gains=gains, level=level))


def stored(pair: PairEvidence, scratch: Scratch) -> PairEvidence:
    """The same pair; what is known of its single queries is in files."""

    def moved(result: Any) -> Any:
        if result is None:
            return None
        values = {field.name: getattr(result, field.name) for field in fields(result)}
        arrays = {name: value for name, value in values.items() if isinstance(value, np.ndarray)}
        return replace(result, **{name: scratch.moved(array) for name, array in arrays.items()})

    return replace(
        pair,
        outcomes=moved(pair.outcomes),
        ipso=moved(pair.ipso),
        scores=moved(pair.scores),
        also=tuple(map(moved, pair.also)),
    )
