"""Scores: what each run earns under each measure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from runoff.errors import UsageError
from runoff.measures import Measure, parse_measure
from runoff.reading.runs import Scoring, check_fit_of, depth_of, read_runs, stacked
from runoff.reading.sources import Progress, ReadOptions, as_labels
from runoff.results.evaluation import EvaluationResult, best_first
from runoff.tables.scores import Scores

DEFAULT_MEASURES: Final = ("RR@10", "nDCG@10")


def evaluate(
    runs: Any,
    qrels: Any,
    *,
    measures: Sequence[str | Measure] = DEFAULT_MEASURES,
    queries: Sequence[str] | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> EvaluationResult:
    """Score runs against qrels.

    runs      a list of files, frames, dicts, tuples or Run objects, or one of them
    qrels     a file, frame, dict, tuples or Qrels
    measures  as ir_measures spells them, or measure objects
    queries   the queries to score; all of the qrels' if None
    reading   tie rule and size limit

    >>> qrels = {"q1": {"d1": 1}, "q2": {"d9": 1}}
    >>> result = evaluate({"q1": {"d7": 2.0, "d1": 1.0}}, qrels, measures=["RR@10"])
    >>> result.mean("run 1", "RR@10"), result.facts[0].missing_queries
    (0.25, 1)
    """
    listed = list(runs) if isinstance(runs, (list, tuple)) and not _is_rows(runs) else [runs]
    chosen = tuple(parse_measure(one) if isinstance(one, str) else one for one in measures)
    check_asked(listed, chosen)
    labels = as_labels(qrels, listed, queries=queries, measures=chosen, reading=reading)
    depth = depth_of(chosen)
    scoring = Scoring(labels=labels, measures=chosen)
    read = read_runs(listed, scoring, depth=depth, reading=reading, progress=progress)
    (scored,) = read.scored
    check_fit_of(scored, labels, depth=depth)
    names = [one.facts.run for one in scored]

    def table(column: int, order: Sequence[int]) -> Scores:
        return Scores(
            measure=str(chosen[column]),
            query_ids=scored[0].query_ids,
            runs=tuple(names[place] for place in order),
            values=stacked([scored[place].values[column] for place in order], reading),
        )

    means = np.array([table(0, [place]).means[0] for place in range(len(scored))])  # one after the other: one in memory
    order = best_first(chosen[0], means, names)
    return EvaluationResult(
        qrels=labels.name,
        query_ids=scored[0].query_ids,
        measures=chosen,
        scores=tuple(table(column, order) for column in range(len(chosen))),
        facts=tuple(scored[place].facts for place in order),
        depth=depth,
        tie_rule=read.tie_rule,
    )


def check_asked(runs: Sequence[Any], measures: Sequence[Measure]) -> None:
    """Refuse no runs, no measures, or a measure that is asked for twice."""
    if not runs or not measures:
        raise UsageError(f"{len(runs)} runs and {len(measures)} measures; expected at least one of each; name some")
    for place, measure in enumerate(measures):
        first = measures[measures.index(measure)]
        if measures.index(measure) < place:
            same = (
                f"measure {measure} is asked for twice"
                if str(first) == str(measure)
                else f"{first} and {measure} are the same"
            )
            raise UsageError(f"{same}; expected every measure once; leave one out")


def _is_rows(value: Sequence[Any]) -> bool:
    """Whether a sequence is one run as (query, document, score) tuples and not a list of runs."""
    first = value[:9]
    return bool(first) and all(isinstance(row, tuple) and len(row) == 3 and isinstance(row[1], str) for row in first)
