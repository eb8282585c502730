"""Runs scored: each is read once, and everything that follows is made from what is kept of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from runoff.files.parquet.cut_qrels import CutQrels
from runoff.measures import RBP, ExternalMeasure, Measure
from runoff.reading.map_runs import map_runs
from runoff.reading.sources import Progress, ReadOptions, as_run, names_of
from runoff.results.evaluation_means import RunFacts
from runoff.results.fit import Fit, check_labels
from runoff.tables.memory import Scratch, in_file
from runoff.tables.qrels import Qrels
from runoff.tables.scores import sum_in_order
from runoff.tables.serps import Serps

DEEPEST_CUT: Final = 100_000
"""Wider SERPs are cut at the longest list instead: RR@1000000000 must not take a gigabyte a query."""
LIST_BYTES: Final = 27
"""What is kept of a list beside its score: its length and whether the depth cut a tie, 9; what comparing it with the
leader's tells, 18. Its grades, those of both once more and their IPSO relations are 4 more for every rank."""
QUERY_BYTES: Final = 100
"""What is kept of a query whatever the runs: its id as a string of Python, and how many documents have which grade."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoredRun:
    """One run's values under every measure, its facts, and its SERPs if they were to be kept."""

    facts: RunFacts
    query_ids: Sequence[str]
    values: tuple[NDArray[np.float64], ...]
    tie_rule: str
    serps: Serps | None


def score_runs(
    runs: Sequence[Any],
    qrels: Qrels | CutQrels,
    measures: Sequence[Measure],
    *,
    depth: int | None,
    keep_serps: bool = False,
    names: Sequence[str] | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> tuple[ScoredRun, ...]:
    """Score every run under every measure, several runs at a time.

    qrels       see `as_labels`; whole for measures of ir_measures
    depth       the ranks to look at; None for whole lists
    names       what the runs are called; else each by its file or its place
    keep_serps  whether each run's SERPs are kept, for comparisons; they take queries x depth bytes a run

    Where all scores and SERPs, and what comparing them makes of them, take more than `reading.at_once`, they lie in
    files.
    """
    if any(isinstance(measure, ExternalMeasure) for measure in measures):  # ir_measures needs the documents themselves
        called = names_of(runs) if names is None else names
        runs = [as_run(run, name=name, reading=reading) for run, name in zip(runs, called, strict=True)]
    scratch = scratch_of(qrels, runs, scores=len(measures), depth=depth if keep_serps else None, reading=reading)
    one = partial(_scored, measures, qrels, keep_serps, scratch)
    return map_runs(one, runs, qrels, depth=depth, names=names, reading=reading, progress=progress, scratch=scratch)


def check_fit_of(scored: Sequence[ScoredRun], labels: Qrels | CutQrels, *, depth: int | None) -> None:
    """Refuse runs that have been scored by labels that do not belong to them; see `check_fit`."""
    check_labels([Fit.of_facts(one.facts) for one in scored], scored[0].query_ids, labels, depth=depth)


def scratch_of(
    qrels: Qrels | CutQrels, runs: Sequence[Any], *, scores: int, depth: int | None, reading: ReadOptions | None
) -> Scratch | None:
    """Where the scores of some runs lie, and their lists to a depth; None for memory."""
    queries = qrels.queries if isinstance(qrels, CutQrels) else len(qrels.query_ids)
    width = 8 * scores + (0 if depth is None else 4 * depth + LIST_BYTES)
    return (reading or ReadOptions()).scratch_for(queries * len(runs) * width, beside=queries * QUERY_BYTES)


def depth_of(measures: Sequence[Measure]) -> int | None:
    """The ranks that all measures together need; None, the whole lists, if one needs them or no list is that deep."""
    depths = [measure.depth for measure in measures if not isinstance(measure, ExternalMeasure)]
    deepest = max((depth for depth in depths if depth is not None), default=None)
    return None if deepest is None or None in depths or deepest > DEEPEST_CUT else deepest


def _scored(
    measures: Sequence[Measure],
    qrels: Qrels | CutQrels,
    keep_serps: bool,  # noqa: FBT001
    scratch: Scratch | None,
    serps: Serps,
    run: Any,
) -> ScoredRun:
    found = scored_run(measures, qrels, serps, run, keep_serps=keep_serps)
    if scratch is None:
        return found
    kept = None if found.serps is None else moved_serps(found.serps, scratch)
    return replace(found, values=tuple(map(scratch.moved, found.values)), serps=kept)


def moved_serps(serps: Serps, scratch: Scratch) -> Serps:
    """The SERPs in files; what the labels alone say stays where it is, since all runs share it."""
    return replace(
        serps,
        grades=scratch.moved(serps.grades),
        retrieved=scratch.moved(serps.retrieved),
        depth_tied=scratch.moved(serps.depth_tied),
    )


def stacked(columns: Sequence[NDArray[np.float64]], reading: ReadOptions | None) -> NDArray[np.float64]:
    """The scores of some runs, queries x runs; in a file, run by run, if they lie in files."""
    if not in_file(columns[0]):
        return np.column_stack(columns)
    scratch = Scratch(None if reading is None else reading.scratch)
    values: NDArray[np.float64] = scratch.empty((len(columns[0]), len(columns)), np.float64, order="F")
    for place, column in enumerate(columns):
        values[:, place] = column
    return values


def scored_run(
    measures: Sequence[Measure], qrels: Qrels | CutQrels, serps: Serps, run: Any, *, keep_serps: bool = False
) -> ScoredRun:
    """Score one run under every measure; `run` is asked for its documents by measures of ir_measures alone."""
    values = [
        measure.values_from(qrels, run, qrels.query_ids)
        if isinstance(measure, ExternalMeasure) and isinstance(qrels, Qrels)
        else measure.values(serps)
        for measure in measures
    ]
    residuals = [
        (str(measure), float(sum_in_order(measure.residual(serps)[:, None])[0] / len(serps.query_ids)))
        for measure in measures
        if isinstance(measure, RBP)
    ]
    facts = RunFacts(
        run=serps.run,
        missing_queries=serps.missing_queries,
        extra_queries=serps.extra_queries,
        unjudged_at_depth=serps.unjudged_share(),
        tied_at_depth=int(serps.depth_tied.sum()),
        is_whole=serps.is_whole,
        dropped=serps.dropped,
        duplicates=serps.duplicates,
        residuals=tuple(residuals),
    )
    return ScoredRun(
        facts=facts,
        query_ids=serps.query_ids,
        values=tuple(values),
        tie_rule=serps.tie_rule,
        serps=serps if keep_serps else None,
    )
