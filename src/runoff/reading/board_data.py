"""A board that has been read: scores and SERPs of its runs, once, for everything that is asked of it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from runoff.comparisons.options import CompareOptions, at_level, board_level
from runoff.errors import UsageError
from runoff.files.board_toml import read_board
from runoff.files.parquet.cut_qrels import CutQrels
from runoff.files.query_list import read_query_list
from runoff.measures import ExternalMeasure, Measure, parse_measure
from runoff.reading.scored_runs import check_fit_of, depth_of, score_runs, stacked
from runoff.reading.sources import Progress, ReadOptions, as_labels, as_qrels, names_of, one_tie_rule
from runoff.results.board_data import BoardData, check_defined
from runoff.tables.board import DEVELOPMENT, PUBLIC, Board, BoardRun
from runoff.tables.memory import Scratch, in_file
from runoff.tables.qrels import Qrels
from runoff.tables.scores import Scores
from runoff.verdicts import Policy

DEFAULT_MEASURE: Final = "RR@10"


def read_board_data(
    sources: Sequence[Any],
    qrels: Qrels | CutQrels,
    *,
    runs: Sequence[BoardRun] | None = None,
    title: str = "Leaderboard",
    question: CompareOptions | None = None,
    policy: Policy | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> BoardData:
    """Read and score the runs of a board.

    sources  files, frames, dicts, tuples or Run objects
    qrels    see `as_labels`
    runs     what is known of them, in the same order; else they have their own names
    """
    asked = question or CompareOptions(measure=DEFAULT_MEASURE)
    measure = parse_measure(asked.measure) if isinstance(asked.measure, str) else asked.measure
    asked = replace(asked, level=board_level(asked.level or 1, measure))
    listed = tuple(runs) if runs is not None else tuple(BoardRun(name=name) for name in names_of(sources))
    called = tuple(run.name for run in listed)
    is_ours = not isinstance(measure, ExternalMeasure)
    depth = asked.needed_depth(measure) if is_ours else None
    if depth is not None:
        depth = (
            depth_of([measure, *asked.also_measures()]) and depth
        )  # a cutoff beyond every list means the whole lists
    scored = score_runs(
        sources, qrels, [measure], depth=depth, keep_serps=is_ours, names=called, reading=reading, progress=progress
    )
    check_fit_of(scored, qrels, depth=depth)
    values = stacked([one.values[0] for one in scored], reading)
    check_defined(values, str(measure))
    return BoardData(
        title=title,
        runs=listed,
        scores=Scores(measure=str(measure), query_ids=scored[0].query_ids, runs=called, values=values),
        measure=measure,
        question=asked,
        policy=policy or Policy(),
        serps=tuple(one.serps for one in scored if one.serps is not None) if is_ours else None,
        tie_rule=one_tie_rule(one.tie_rule for one in scored),
        scratch=Scratch(None if reading is None else reading.scratch) if in_file(values) else None,
    )


def read_board_file(
    path: str | os.PathLike[str] | Board,
    *,
    labels: str | None = None,
    query_set: str | None = None,
    policy: Policy | None = None,
    also: Sequence[str] = (),
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> BoardData:
    """Read and score the runs that a `board.toml`, or a `Board`, describes; those without a file are left out.

    labels     the label set to score with; the first if None
    query_set  the queries to score on; `public` if the board has them, else all queries of the labels but those of
               `development`
    policy     instead of the board's own level, correction and rule for records
    also       further measures, to tell what the queries can show of them
    """
    described, runs, chosen, queries = _described(path, labels, query_set)
    level = described.level_of(labels)
    measure = at_level(parse_measure(described.measure), level)
    more = tuple(at_level(parse_measure(one), level) for one in also)
    sources = [run.path for run in runs]
    return read_board_data(
        sources,
        as_labels(chosen, sources, queries=queries, measures=[measure], reading=reading),
        runs=runs,
        title=described.title,
        question=CompareOptions(measure=measure, depth=described.depth, level=level, gains=described.gains, also=more),
        policy=policy or Policy.of(described),
        reading=reading,
        progress=progress,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Described:
    """A described board with its labels read: `runs` are those that have a file."""

    board: Board
    runs: tuple[BoardRun, ...]
    qrels: Qrels


def read_described(
    path: str | os.PathLike[str] | Board, *, labels: str | None, query_set: str | None, reading: ReadOptions | None
) -> Described:
    """The board of a `board.toml`, with the labels of the chosen set for the chosen queries; see `read_board_file`."""
    described, runs, chosen, queries = _described(path, labels, query_set)
    return Described(board=described, runs=runs, qrels=as_qrels(chosen, queries=queries, reading=reading))


def _described(
    path: str | os.PathLike[str] | Board, labels: str | None, query_set: str | None
) -> tuple[Board, tuple[BoardRun, ...], Path, tuple[str, ...] | None]:
    """A board, its runs that have a file, the file of its labels, and the queries of the set; None for all."""
    described = path if isinstance(path, Board) else read_board(path)
    named = described.title if isinstance(path, Board) else os.fspath(path)
    chosen = chosen_file(described.labels, labels, "label set", first=True)
    queries = chosen_file(described.queries, query_set, "query set", first=False)
    if chosen is None:
        raise UsageError(f"{named} names no labels; expected a qrels file; add [labels.NAME] with its path")
    runs = tuple(run for run in described.runs if run.path is not None)
    if not runs:
        raise UsageError(f"no run of {named} has a file; expected paths; add them to [[runs]]")
    if queries is not None:
        return described, runs, chosen, read_query_list(queries)
    development = described.queries.get(DEVELOPMENT)
    if development is None:
        return described, runs, chosen, None
    held = set(read_query_list(development))
    return described, runs, chosen, tuple(one for one in as_qrels(chosen).query_ids if one not in held) or None


def board_data_of_scores(
    scores: Scores, *, title: str = "Leaderboard", measure: Measure | None = None, policy: Policy | None = None
) -> BoardData:
    """A board of a matrix of per-query scores alone: ranks and their stability, no outcomes and no IPSO."""
    check_defined(scores.values, scores.measure)
    return BoardData(
        title=title,
        runs=tuple(BoardRun(name=name) for name in scores.runs),
        scores=scores,
        measure=measure,
        question=CompareOptions(measure=measure) if measure is not None else CompareOptions(),
        policy=policy or Policy(),
    )


def chosen_file(files: Mapping[str, Path], name: str | None, what: str, *, first: bool) -> Path | None:
    """The file of that name; without a name the first one, or else the public one."""
    if name is not None:
        if name not in files:
            known = ", ".join(files) or "none"
            raise UsageError(f"no {what} is called '{name}'; expected one of {known}; choose one of these")
        return files[name]
    return next(iter(files.values()), None) if first else files.get(PUBLIC)
