"""Compute the table of a paper: the means of systems under measures, and the tests between the systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from runoff.choices import MarksChoice
from runoff.comparisons.options import CompareOptions
from runoff.errors import UsageError
from runoff.measures import own_measure
from runoff.results.fit import Fit
from runoff.results.systems_table import LETTERS, MeasureScores, SystemsTable
from runoff.significance import BY_NAME, SignificanceResult
from runoff.tables.scores import Scores, sum_in_order
from runoff.verdicts import Policy, decided_pairs


def systems_table(
    scores: Sequence[Scores],
    of_systems: Sequence[Scores],
    systems: Mapping[str, tuple[str, ...]],
    baselines: Sequence[str],
    *,
    options: CompareOptions,
    policy: Policy,
    fits: Sequence[Fit] = (),
) -> SystemsTable:
    """The table of some systems.

    scores      per measure, those of the runs
    of_systems  the same of the systems; see `scores_of_systems`
    baselines   the systems to be beaten; the first is the champion of the verdicts
    """
    marks = _checked_marks(options.marks, systems, baselines)
    compared = (
        list(combinations(systems, 2))
        if marks == "each"
        else [(baseline, system) for baseline in baselines for system in systems if system not in baselines]
    )
    return SystemsTable(
        queries=len(scores[0].query_ids),
        systems=systems,
        baselines=tuple(baselines),
        marks=marks,
        measures=tuple(
            _measure_scores(of_runs, of_system, systems, compared, options, policy)
            for of_runs, of_system in zip(scores, of_systems, strict=True)
        ),
        policy=policy,
        fits=tuple(fits),
        digits=options.digits,
    )


def _checked_marks(
    marks: MarksChoice | None, systems: Mapping[str, tuple[str, ...]], baselines: Sequence[str]
) -> MarksChoice:
    """What is marked: differences between all systems where there are 3 to 8 and one baseline, unless it is chosen."""
    if len(baselines) > len(LETTERS):
        raise UsageError(f"{len(baselines)} baselines; expected at most {len(LETTERS)}, each with a letter; name fewer")
    if marks == "each" and len(systems) > len(LETTERS):
        raise UsageError(
            f"marks='each' with {len(systems)} systems; expected at most {len(LETTERS)}, each with a letter; compare "
            "fewer, or mark the differences from the baseline"
        )
    if marks is not None:
        return marks
    return "each" if len(baselines) == 1 and 2 < len(systems) <= len(LETTERS) else "baseline"


def _measure_scores(
    scores: Scores,
    of_systems: Scores,
    systems: Mapping[str, tuple[str, ...]],
    compared: Sequence[tuple[str, str]],
    options: CompareOptions,
    policy: Policy,
) -> MeasureScores:
    measure = own_measure(scores.measure)
    best_is_low = measure is not None and measure.best == "low"
    run_means = dict(zip(scores.runs, scores.means.tolist(), strict=True))
    tests = [
        (first, second, *tested)
        for first, second in compared
        if (tested := _tested(of_systems.pair(first, second), options, policy)) is not None
    ]
    return MeasureScores(
        measure=scores.measure,
        best_is_low=best_is_low,
        means=tuple(of_systems.means.tolist()),
        spreads=tuple(
            float(np.std([run_means[run] for run in runs], ddof=1)) if len(runs) > 1 else None
            for runs in systems.values()
        ),
        pairs=decided_pairs(tests, policy, measure=scores.measure, best_is_low=best_is_low),
    )


def _tested(pair: Scores, options: CompareOptions, policy: Policy) -> tuple[float, SignificanceResult] | None:
    """The difference of two systems' means and its test; None where the measure is defined for no query of both."""
    values = pair.defined
    if not len(values):
        return None
    first, second = np.ascontiguousarray(values.T)
    means = sum_in_order(values) / len(values)
    test = BY_NAME[policy.measure_test].compare(first, second, seed=options.seed, trials=options.trials)
    return float(means[1] - means[0]), test
