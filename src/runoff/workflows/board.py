"""The leaderboard: means, how sure their order is, and the records over time."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from runoff.boards.history import HistoryResult, history
from runoff.boards.stability import stability
from runoff.errors import UsageError
from runoff.files.board_toml import read_board
from runoff.files.query_list import read_query_list
from runoff.measures import Measure
from runoff.tables.board import Board, BoardRun
from runoff.tables.qrels import Qrels
from runoff.tables.scores import Scores
from runoff.workflows.evaluate import evaluate
from runoff.workflows.inputs import Progress, Reading, as_qrels, names_of
from runoff.workflows.leaderboard import BoardResult

DEFAULT_MEASURE: Final = "RR@10"
DEFAULT_TRIALS: Final = 1000
PUBLIC: Final = "public"


def board(
    runs: Sequence[Any],
    qrels: Any,
    *,
    measure: str | Measure = DEFAULT_MEASURE,
    trials: int = DEFAULT_TRIALS,
    seed: int = 0,
    reading: Reading | None = None,
    progress: Progress | None = None,
) -> BoardResult:
    """The leaderboard of some runs: means, and how their ranks change when the queries are drawn again.

    runs     files, frames, dicts, tuples or Run objects
    qrels    a file, frame, dict, tuples or Qrels
    measure  as ir_measures spells it, or a measure object
    trials   bootstrap samples of the queries

    >>> qrels = {"q1": {"d": 1}, "q2": {"d": 1}}
    >>> result = board([{"q1": {"d": 1.0}}, {"q1": {"d": 1.0}, "q2": {"d": 1.0}}], qrels, trials=200)
    >>> [(row.run, row.mean, row.group) for row in result.rows]
    [('run 2', 1.0, 1), ('run 1', 0.5, 1)]
    """
    listed = [BoardRun(name=name) for name in names_of(runs)]
    labels = as_qrels(qrels, reading=reading)
    scores, best_is_low = _scores(runs, listed, labels, measure, reading=reading, progress=progress)
    return _result("Leaderboard", scores, listed, trials=trials, seed=seed, best_is_low=best_is_low)


def board_from_file(
    path: str | os.PathLike[str],
    *,
    labels: str | None = None,
    query_set: str | None = None,
    trials: int = DEFAULT_TRIALS,
    seed: int = 0,
    reading: Reading | None = None,
    progress: Progress | None = None,
) -> BoardResult:
    """The leaderboard that a `board.toml` describes, with its records over time.

    labels     the label set to score with; the first if None
    query_set  the queries to score on; `public` if the board has them, else all queries of the labels
    """
    described = read_described(path, labels=labels, query_set=query_set, reading=reading)
    runs, measure = described.runs, described.board.measure
    sources = [run.path for run in runs]
    scores, best_is_low = _scores(sources, runs, described.qrels, measure, reading=reading, progress=progress)
    return _result(described.board.title, scores, runs, trials=trials, seed=seed, best_is_low=best_is_low)


@dataclass(frozen=True, kw_only=True, eq=False)
class Described:
    """A described board with its labels read: `runs` are those that have a file."""

    board: Board
    runs: tuple[BoardRun, ...]
    qrels: Qrels


def read_described(
    path: str | os.PathLike[str], *, labels: str | None, query_set: str | None, reading: Reading | None
) -> Described:
    """The board of a `board.toml`, with the labels of the chosen set for the chosen queries; see `board_from_file`."""
    described = read_board(path)
    chosen = _chosen(described.labels, labels, "label set", first=True)
    queries = _chosen(described.queries, query_set, "query set", first=False)
    if chosen is None:
        raise UsageError(f"{os.fspath(path)} names no labels; expected a qrels file; add [labels.NAME] with its path")
    qrels = as_qrels(chosen, queries=None if queries is None else read_query_list(queries), reading=reading)
    with_files = tuple(run for run in described.runs if run.path is not None)
    if not with_files:
        raise UsageError(f"no run of {os.fspath(path)} has a file; expected paths; add them to [[runs]]")
    return Described(board=described, runs=with_files, qrels=qrels)


def _chosen(files: Mapping[str, Path], name: str | None, what: str, *, first: bool) -> Path | None:
    if name is not None:
        if name not in files:
            known = ", ".join(files) or "none"
            raise UsageError(f"no {what} is called '{name}'; expected one of {known}; choose one of these")
        return files[name]
    return next(iter(files.values()), None) if first else files.get(PUBLIC)


def _scores(
    sources: Sequence[Any],
    runs: Sequence[BoardRun],
    qrels: Qrels,
    measure: str | Measure,
    *,
    reading: Reading | None,
    progress: Progress | None,
) -> tuple[Scores, bool]:
    """The per-query scores of the runs under the names of the board, and whether lower is better."""
    evaluation = evaluate(list(sources), qrels, measures=[measure], reading=reading, progress=progress)
    found = evaluation.scores[0]
    undefined = int(np.isnan(found.values).any(axis=1).sum())
    if undefined:
        raise UsageError(
            f"{found.measure} is undefined for {undefined:,} of {len(found.values):,} queries; expected a measure that "
            "is defined for all; choose another, such as RR@10"
        )
    called = dict(zip(names_of(sources), (run.name for run in runs), strict=True))
    names = tuple(called[name] for name in found.runs)
    scores = Scores(measure=found.measure, query_ids=found.query_ids, runs=names, values=found.values)
    return scores, evaluation.measures[0].best == "low"


def _result(
    title: str, scores: Scores, runs: Sequence[BoardRun], *, trials: int, seed: int, best_is_low: bool
) -> BoardResult:
    found = stability(scores, trials=trials, seed=seed, best_is_low=best_is_low)
    records: HistoryResult | None = None
    if any(run.date for run in runs):
        means = dict(zip(scores.runs, scores.means.tolist(), strict=True))
        records = history(runs, means, best_is_low=best_is_low)
    return BoardResult(title=title, stability=found, runs=tuple(runs), history=records)
