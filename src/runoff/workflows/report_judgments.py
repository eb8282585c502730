"""Judgments of pairs in a report: the tally with the runs of the board that were pooled for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from runoff.tables.preferences import Preferences
from runoff.tables.qrels import Qrels
from runoff.tables.run import Run
from runoff.workflows.inputs import Reading
from runoff.workflows.judgment_files import read_judgment_files
from runoff.workflows.tally import tally
from runoff.workflows.tally_parts import TallyQuestion
from runoff.workflows.tally_result import TallyResult

POOLED: Final = 0.9
"""The share of the judged queries whose first document was judged, for a run to count as pooled."""


def tally_of_board(
    judgments: Sequence[Any],
    tops: Sequence[Run],
    labels: Qrels,
    *,
    tasks: Any = None,
    question: TallyQuestion | None = None,
    reading: Reading | None = None,
) -> tuple[TallyResult, str]:
    """The tally with the runs that were pooled, and a sentence about those that were not; empty if all were.

    Where a run was not pooled, its first documents are judged only where another run has them too, so that its win
    ratios would be about the queries on which it is like the others.
    """
    table, _ = read_judgment_files(list(judgments), reading=reading)
    pooled = [run for run, share in zip(tops, judged_first(table, tops), strict=True) if share >= POOLED]
    result = tally(list(judgments), runs=pooled, qrels=labels, tasks=tasks, question=question, reading=reading)
    if len(pooled) == len(tops):
        return result, ""
    said = (
        f"The judgments are about the first documents of {len(pooled):,} of the {len(tops):,} runs; the others, of "
        f"whose first documents less than {POOLED:.0%} were judged, are left out of win ratios and new labels."
    )
    return result, said


def judged_first(table: Preferences, runs: Sequence[Run]) -> list[float]:
    """For each run, the share of the judged queries in which its first document was judged.

    >>> from runoff.workflows.inputs import as_run
    >>> votes = Preferences.of([("q1", "a", "b", "b"), ("q2", "c", "d", "d")])
    >>> judged_first(votes, [as_run({"q1": {"b": 2.0, "x": 1.0}, "q2": {"x": 2.0, "c": 1.0}})])
    [0.5]
    """
    judged = {(row.query_id, document) for row in table for document in (row.left, row.right)}
    return [
        sum((query_id, document) in judged for query_id, document, _ in run.top(1)) / len(table.query_ids)
        for run in runs
    ]
