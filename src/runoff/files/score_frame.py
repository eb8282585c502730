"""Frames of scores with a row for each run, query and measure, such as PyTerrier's `Experiment(perquery=True)`."""

from __future__ import annotations

from typing import Any, Final

from runoff.errors import InputError
from runoff.files.column_names import QUERY_NAMES, find_column, picked
from runoff.files.objects import columns_of
from runoff.files.score_rows import FIELD_NAMES, ScoreRows, SingleScore
from runoff.phrases import listed
from runoff.tables.scores import Scores

SEED_NAME: Final = "seed"
"""A column that numbers the runs of a system: seed 1 of `dense` is the run `dense#1`."""


def scores_of_frame(table: Any, where: str = "scores") -> tuple[Scores, ...]:
    """The scores in a frame, one table per measure in the order of the rows.

    Columns are `name` (or `run`, `system`), `qid` (or `query_id`, `query`, `topic`), `measure` and `value`, and `seed`
    if there are several runs of a system. Every run has a score for every query.
    """
    if not hasattr(table, "columns") and not hasattr(table, "column_names"):
        kind = type(table).__name__
        problem = f"{where}: a {kind} is not a frame; expected one with the columns name, qid, measure and value"
        raise InputError([f"{problem}; give that, or Scores"])
    columns = columns_of(table, "run", where)
    if find_column(columns, QUERY_NAMES) is None:
        problem = (
            f"{where}: no column of queries among {listed(list(map(str, columns)))}; expected a row for each run, "
        )
        raise InputError([f"{problem}query and measure; PyTerrier's Experiment has them with perquery=True"])
    runs, queries, measures, values = (list(columns[picked(columns, names, where)]) for names in FIELD_NAMES.values())
    if not runs:
        raise InputError([f"{where}: no rows; expected one for each run, query and measure; check the frame"])
    if SEED_NAME in columns:
        runs = [f"{run}#{seed}" for run, seed in zip(runs, columns[SEED_NAME], strict=True)]
    scores = ScoreRows(
        SingleScore(f"{where}:{number}", str(run), str(query), str(measure), str(value))
        for number, (run, query, measure, value) in enumerate(
            zip(runs, queries, measures, values, strict=True), start=1
        )
    )
    return tuple(scores.scores(measure, called=measure) for measure in dict.fromkeys(map(str, measures)))
