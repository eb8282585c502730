"""Reading boards: a `board.toml`, a list of runs or a matrix of scores into the data of a board."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias, TypeGuard

import numpy as np
from numpy.typing import NDArray

from runoff.comparisons.options import CompareOptions, at_level, board_level
from runoff.errors import InputError, UsageError
from runoff.files.board_toml import read_board
from runoff.files.ir_metadata import read_metadata
from runoff.files.parquet.cut_qrels import CutQrels
from runoff.files.parquet.shards import shard_files
from runoff.files.query_list import read_query_list
from runoff.files.streams import usable_cores
from runoff.measures import ExternalMeasure, Measure, parse_measure
from runoff.reading.conditions import BoardLabels
from runoff.reading.runs import ReadRuns, Scoring, read_runs, scores_of, scratch_of
from runoff.reading.sources import (
    Progress,
    QrelsSource,
    ReadOptions,
    RunSource,
    RunSources,
    as_labels,
    as_qrels,
    as_runs,
    names_of,
)
from runoff.reports.sections import InputFile
from runoff.results.board_data import BoardData, check_defined
from runoff.results.fit import check_labels
from runoff.tables.board import DEVELOPMENT, PRIVATE, PUBLIC, Board, BoardRun
from runoff.tables.qrels import Qrels
from runoff.tables.run import Run
from runoff.tables.scores import Scores
from runoff.tables.serps import ranks_needed
from runoff.verdicts import Policy

BoardFile: TypeAlias = str | os.PathLike[str] | Board
"""The path of a `board.toml`, or a `Board`."""
BoardSource: TypeAlias = RunSources | Board
"""The path of a `board.toml`, a `Board`, or runs."""


@dataclass(frozen=True, kw_only=True, eq=False)
class BoardInputs:
    """Where the runs and labels of a board are.

    board    what a `board.toml` describes; None for a list of runs
    runs     what is known of each run, in the order of `sources`
    queries  the queries to look at; None for all that have labels
    level    the relevance level of the labels
    measure_note  why the measure was chosen, if nobody named one
    """

    board: Board | None
    runs: tuple[BoardRun, ...]
    sources: Sequence[RunSource]
    qrels: QrelsSource
    queries: Sequence[str] | None
    level: int = 1
    measure_note: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """What the runs are called."""
        return tuple(run.name for run in self.runs)

    def read_qrels(self, reading: ReadOptions | None) -> Qrels:
        """The labels of the queries."""
        return as_qrels(self.qrels, queries=self.queries, reading=reading)


def is_board(source: object) -> TypeGuard[BoardFile]:
    """Whether something is a `Board`, or the path of a `board.toml`."""
    return isinstance(source, Board) or (
        isinstance(source, (str, os.PathLike)) and str(os.fspath(source)).endswith(".toml")
    )


def board_inputs(
    source: BoardSource,
    qrels: QrelsSource | None = None,
    *,
    labels: str | None = None,
    query_set: str | None = None,
    queries: Sequence[str] | None = None,
) -> BoardInputs:
    """Find the runs, labels and queries of a board; its runs without a file are left out.

    source     a `board.toml` or a `Board`, which name their own labels, or runs
    qrels      the labels of the runs; or other ones than those of the board
    labels     the label set of the board; the first if None
    query_set  the queries of the board; `public` if it has them, else all queries of the labels but `development`
    queries    these queries instead
    """
    if is_board(source):
        return _described(source, qrels, labels, query_set, queries)
    if labels is not None or query_set is not None:
        raise UsageError("label sets and query sets are those of a board.toml; expected one; leave out their names")
    if qrels is None:
        raise UsageError("runs without qrels; expected relevance judgments beside them; give qrels")
    sources, names = as_runs(source, labels=[qrels])  # type: ignore[arg-type]  # not a Board
    return BoardInputs(
        board=None,
        runs=tuple(BoardRun(name=name) for name in names),
        sources=sources,
        qrels=qrels,
        queries=queries,
    )


def described_runs(runs: Sequence[BoardRun], sources: Sequence[RunSource | None]) -> tuple[BoardRun, ...]:
    """The runs with what their sources say of them; a team or description that is there already stays."""
    return tuple(_own_words(run, source) for run, source in zip(runs, sources, strict=True))


def _own_words(run: BoardRun, source: RunSource | None) -> BoardRun:
    if isinstance(source, Run):
        return run.with_metadata(source.metadata)
    if not isinstance(source, (str, os.PathLike, bytes)):  # a stream can be read only once
        return run
    return run.with_metadata(read_metadata(source))


def _described(
    source: BoardFile,
    qrels: QrelsSource | None,
    labels: str | None,
    query_set: str | None,
    queries: Sequence[str] | None,
) -> BoardInputs:
    board = source if isinstance(source, Board) else read_board(source)
    named = board.title if isinstance(source, Board) else os.fspath(source)
    query_file = _chosen_file(board.queries, query_set, "query set", first=False)
    if qrels is None:
        qrels, level = _chosen_file(board.labels, labels, "label set", first=True), board.level_of(labels)
    else:
        level = board.relevance_level
    if qrels is None:
        raise UsageError(f"{named} names no labels; expected a qrels file; add [labels.NAME] with its path")
    runs = tuple(run for run in board.runs if run.path is not None)
    if not runs:
        raise UsageError(f"no run of {named} has a file; expected paths; add them to [[runs]]")
    if queries is None and query_file is not None:
        queries = read_query_list(query_file)
    elif queries is None and DEVELOPMENT in board.queries:
        held = set(read_query_list(board.queries[DEVELOPMENT]))
        queries = tuple(query for query in as_qrels(qrels).query_ids if query not in held) or None
    sources = [run.path for run in runs if run.path is not None]
    return BoardInputs(board=board, runs=runs, sources=sources, qrels=qrels, queries=queries, level=level)


def _chosen_file(files: Mapping[str, Path], name: str | None, kind: str, *, first: bool) -> Path | None:
    """The file of that name; without a name the first one, or else the public one."""
    if name is not None:
        if name not in files:
            raise UsageError(
                f"no {kind} is called '{name}'; expected one of {', '.join(files) or 'none'}; choose one of these"
            )
        return files[name]
    return next(iter(files.values()), None) if first else files.get(PUBLIC)


def read_board_inputs(
    inputs: BoardInputs,
    *,
    options: CompareOptions | None = None,
    policy: Policy | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> BoardData:
    """Read and score the runs of a board.

    options  measure, depth, relevance level and gains of a list of runs; of a described board only `also` and the seed
    policy   instead of the board's own level, correction and rule for records
    """
    board, options = inputs.board, options or CompareOptions()
    if board is not None:
        measure = at_level(parse_measure(board.measure), inputs.level)
        measures = (measure, *(at_level(each, inputs.level) for each in options.also))
        options = replace(options, measures=measures, depth=board.depth, level=inputs.level, gains=board.gains)
    data = read_board_data(
        inputs.sources,
        as_labels(inputs.qrels, inputs.sources, queries=inputs.queries, measures=[options.measure], reading=reading),
        runs=described_runs(inputs.runs, inputs.sources),
        title="Leaderboard" if board is None else board.title,
        options=options,
        policy=policy if policy is not None or board is None else Policy.of(board),
        reading=reading,
        progress=progress,
    )
    return replace(data, source=board or dict(zip(inputs.names, inputs.sources, strict=True)))


def read_board_data(
    sources: Sequence[RunSource],
    qrels: Qrels | CutQrels,
    *,
    runs: Sequence[BoardRun] | None = None,
    title: str = "Leaderboard",
    options: CompareOptions | None = None,
    policy: Policy | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> BoardData:
    """The same for labels that are at hand; see `as_labels`.

    runs  what is known of the runs, in the same order; else they have their own names
    """
    options = (options or CompareOptions()).for_labels(qrels)
    measure = options.measure
    options = replace(options, level=board_level(options.level or 1, measure))
    runs = tuple(runs) if runs is not None else tuple(BoardRun(name=name) for name in names_of(sources))
    names = tuple(run.name for run in runs)
    is_ours = not isinstance(measure, ExternalMeasure)
    depth = options.needed_depth() if is_ours else None
    scoring = Scoring(labels=qrels, measures=[measure], keep_serps=is_ours)
    read = read_runs(sources, scoring, depth=depth, names=names, reading=reading, progress=progress)
    (scored,) = read.scored
    check_labels([run.facts for run in scored], scored[0].query_ids, qrels, depth=depth)
    (scores,) = scores_of(scored, [measure], reading)
    check_defined(scores.values, str(measure))
    return BoardData(
        title=title,
        runs=runs,
        scores=scores,
        measure=measure,
        compared=options,
        policy=policy or Policy(),
        serps=read.serps if is_ours else None,
        tie_rule=read.tie_rule,
        scratch=scratch_of(scores.values, reading),
    )


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
        compared=CompareOptions(measures=measure),
        policy=policy or Policy(),
    )


def asked_of(board: Board, labels: BoardLabels, measure: Measure, seed: int) -> CompareOptions:
    """What the comparisons of a board ask: its measure, depth and gains, and the relevance level of its labels."""
    level = board_level(labels.level, measure)
    return CompareOptions(measures=measure, depth=board.depth, level=level, gains=board.gains, seed=seed)


def needed_ranks(measures: Sequence[Measure], compared: CompareOptions, *depths: int | None) -> int | None:
    """The ranks that measures, comparisons and further `depths` need together; None for whole lists."""
    ours = [measure for measure in measures if not isinstance(measure, ExternalMeasure)]
    compared_depth = [compared.needed_depth()] if measures[0] in ours else []
    return ranks_needed([*depths, *(measure.cutoff for measure in ours), *compared_depth])


def private_scores(labels: BoardLabels, read: ReadRuns, measure: Measure) -> tuple[str, Scores] | None:
    """The runs on the private queries, for a board that is scored on the public ones; None where it has not both."""
    if not {PUBLIC, PRIVATE} <= labels.queries.keys():
        return None
    scores = scores_of(read.scored[0], [measure])[0].only(labels.kept(PRIVATE))
    return None if np.isnan(scores.values).any() else (PRIVATE, scores)


def board_data(
    board: Board,
    runs: Sequence[BoardRun],
    labels: BoardLabels,
    read: ReadRuns,
    measure: Measure,
    compared: CompareOptions,
) -> BoardData:
    """The board under its first labels, on the queries that it ranks by; the same as `read_board_inputs` gives."""
    kept = _ranked(labels)
    is_ours = not isinstance(measure, ExternalMeasure)
    return BoardData(
        title=board.title,
        runs=tuple(runs),
        scores=scores_of(read.scored[0], [measure])[0].only(kept),
        measure=measure,
        compared=compared,
        policy=Policy.of(board),
        serps=tuple(serps.only(kept) for serps in read.serps) if is_ours else None,
        tie_rule=read.tie_rule,
    )


def _ranked(labels: BoardLabels) -> NDArray[np.bool_]:
    """Which queries a board ranks by: the public ones, or else all but the development queries."""
    if PUBLIC in labels.queries:
        return labels.kept(PUBLIC)
    every = np.ones(len(labels.qrels.query_ids), dtype=np.bool_)
    others = every & ~labels.kept(DEVELOPMENT) if DEVELOPMENT in labels.queries else every
    return others if others.any() else every


def input_files(named: Iterable[tuple[str, str | os.PathLike[str]]], folder: Path | None) -> tuple[InputFile, ...]:
    """The size and the sha256 of some files, given with what each is for; paths are shown relative to the folder."""
    listed = list(dict.fromkeys((role, Path(path)) for role, path in named))
    with ThreadPoolExecutor(usable_cores()) as pool:
        return tuple(pool.map(lambda one: _input_file(one[0], one[1], folder), listed))


def _input_file(role: str, path: Path, folder: Path | None) -> InputFile:
    try:
        digest, size = _digest(path)
    except OSError as error:
        raise InputError([f"{path}: cannot be read ({error.strerror}); expected a file; check the path"]) from None
    shown = path.relative_to(folder) if folder is not None and path.is_relative_to(folder) else path
    return InputFile(role=role, path=os.fspath(shown), size=size, sha256=digest)


def _digest(path: Path) -> tuple[str, int]:
    """The sha256 and the size of a file; of a folder of shards, the sha256 of its files' sha256s, in their order."""
    if not path.is_dir():
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest(), file.tell()
    parts = [_digest(shard) for shard in shard_files(path)]
    together = hashlib.sha256("".join(digest for digest, _ in parts).encode()).hexdigest()
    return together, sum(size for _, size in parts)
