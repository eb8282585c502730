"""Scores: what each run earns under each measure."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal, overload

import numpy as np

from runoff.arguments import checks_arguments
from runoff.measures.default import default_measure
from runoff.reading.means import read_means
from runoff.reading.runs import Scoring, depth_of, read_runs, scores_of
from runoff.reading.sources import (
    MeasureSource,
    Progress,
    QrelsSource,
    ReadOptions,
    RunSources,
    as_labels,
    as_measures,
    as_runs,
)
from runoff.results.evaluation import EvaluationResult, MeansResult, best_first
from runoff.results.fit import check_labels
from runoff.tables.qrels import Qrels


@overload
def evaluate(
    runs: RunSources,
    qrels: QrelsSource,
    *,
    measures: MeasureSource | None = None,
    queries: Sequence[str] | None = None,
    per_query: Literal[True] = True,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> EvaluationResult: ...
@overload
def evaluate(
    runs: RunSources,
    qrels: QrelsSource,
    *,
    measures: MeasureSource | None = None,
    queries: Sequence[str] | None = None,
    per_query: bool | str | os.PathLike[str],
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> EvaluationResult | MeansResult: ...
@checks_arguments
def evaluate(
    runs: RunSources,
    qrels: QrelsSource,
    *,
    measures: MeasureSource | None = None,
    queries: Sequence[str] | None = None,
    per_query: bool | str | os.PathLike[str] = True,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> EvaluationResult | MeansResult:
    """Score runs against qrels.

    runs       one run, a list of runs, or a dict of runs by name; see `RunSource`
    qrels      the relevance judgments; see `QrelsSource`
    measures   one or several, as ir_measures spells them, or measure objects; nDCG@10 or RR@10 by the labels if None
    queries    the queries to score; all of the qrels' if None
    per_query  whether the result has the score of every query; or a new folder, into which a row for every run, query
               and measure is written as Parquet. Without scores in the result, Parquet of any size is scored part by
               part, in memory that does not grow with it
    reading    tie rule, limits, and the engine that scores

    >>> qrels = {"q1": {"d1": 1}, "q2": {"d9": 1}}
    >>> result = evaluate({"q1": {"d7": 2.0, "d1": 1.0}}, qrels, measures="RR@10")
    >>> result.mean("run 1", "RR@10"), result.facts[0].missing_queries
    (0.25, 1)
    """
    sources, names = as_runs(runs, labels=[qrels])
    note = ""
    if measures is None:
        read_labels = as_labels(qrels, sources, queries=queries, reading=reading)
        measures, note = default_measure(read_labels)
        qrels = read_labels if isinstance(read_labels, Qrels) else qrels
    chosen = as_measures(measures)
    folder = None if isinstance(per_query, bool) else Path(per_query)
    if queries is None and per_query is not True:
        means = read_means(
            sources,
            qrels,
            chosen,
            names=names,
            reading=reading or ReadOptions(),
            per_query=folder,
            progress=progress,
        )
        if means is not None:
            return replace(means, measure_note=note)
    labels = as_labels(qrels, sources, queries=queries, measures=chosen, reading=reading)
    depth = depth_of(chosen)
    scoring = Scoring(labels=labels, measures=chosen)
    read = read_runs(sources, scoring, depth=depth, names=names, reading=reading, progress=progress)
    (scored,) = read.scored
    check_labels([run.facts for run in scored], scored[0].query_ids, labels, depth=depth)

    means_of = np.array([scores_of([run], chosen[:1])[0].means[0] for run in scored])  # one at a time in memory
    order = best_first(chosen[0], means_of, names)
    scores = scores_of([scored[place] for place in order], chosen, reading)
    result = EvaluationResult(
        qrels=labels.name,
        queries=len(scored[0].query_ids),
        query_ids=scored[0].query_ids,
        measures=chosen,
        means=tuple(table.means for table in scores),
        scores=scores,
        facts=tuple(scored[place].facts for place in order),
        depth=depth,
        tie_rule=read.tie_rule,
        measure_note=note,
    )
    if folder is not None:
        result.per_query().write_parquet(folder)
    return result if per_query is True else result.summary
