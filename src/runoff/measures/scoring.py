"""Scores runs: SERPs and measures in, one table of per-query values per measure out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runoff.errors import UsageError
from runoff.measures._base import Measure
from runoff.tables.scores import Scores
from runoff.tables.serps import Serps


def score(serps: Sequence[Serps], measures: Sequence[Measure]) -> tuple[Scores, ...]:
    """Per-query values: one table per measure, in the order of `measures`, with one column per run.

    serps      the SERPs of one or more runs, all over the same queries in the same order
    measures   what to compute; a measure of ir_measures needs documents and is refused

    >>> from runoff.measures import RR, P
    >>> from runoff.measures._example import serps_of
    >>> runs = [serps_of([1, 0], [0, 1], run="champion"), serps_of([1, 1], [1, 0], run="challenger")]
    >>> [(scores.measure, scores.means.tolist()) for scores in score(runs, [RR @ 10, P @ 2])]
    [('RR@10', [0.75, 1.0]), ('P@2', [0.5, 0.75])]
    """
    _check_same_queries(serps)
    names = tuple(run.run for run in serps)
    return tuple(
        Scores(
            measure=str(measure),
            query_ids=serps[0].query_ids,
            runs=names,
            values=np.column_stack([measure.values(run) for run in serps]),
        )
        for measure in measures
    )


def _check_same_queries(serps: Sequence[Serps]) -> None:
    if not serps:
        raise UsageError("no runs to score; expected the SERPs of at least one run; give one")
    names = [run.run for run in serps]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise UsageError(f"two runs are called '{twice[0]}'; expected a name for each run; rename one of them")
    first = serps[0]
    for other in serps[1:]:
        if other.query_ids != first.query_ids:
            raise UsageError(
                f"runs '{first.run}' and '{other.run}' are over different queries ({len(first.query_ids):,} and "
                f"{len(other.query_ids):,}, or in another order); expected the same; build both from the same qrels"
            )
