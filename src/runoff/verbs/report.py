"""The report of a board in one self-contained page."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, overload

from runoff.arguments import checks_arguments
from runoff.errors import UsageError
from runoff.measures import Measure
from runoff.measures.default import default_measure
from runoff.reading.boards import BoardFile, BoardInputs, BoardSource, board_inputs, is_board
from runoff.reading.judgments import JudgmentSources, as_judgments
from runoff.reading.sources import MeasureSource, Progress, QrelsSource, ReadOptions, RunSources, as_measures
from runoff.reports.result import ReportResult
from runoff.results.board import BoardResult
from runoff.results.board_data import BoardData
from runoff.tables.board import Board
from runoff.verbs._labels import TaskSource
from runoff.verbs._published_board import has_only_means
from runoff.verbs._published_report import PublishedReportResult, published_report
from runoff.verbs._report import LABELS_NAME, ReportOptions, report_of
from runoff.verbs._submission import SubmissionResult, check_submission, read_submission
from runoff.verdicts import Policy

if TYPE_CHECKING:
    from runoff.choices import TieRule

__all__ = [
    "PublishedReportResult",
    "ReportOptions",
    "SubmissionResult",
    "check_submission",
    "listed_board",
    "published_report",
    "read_submission",
    "report",
    "report_of",
]


@overload
def report(
    source: RunSources | BoardResult,
    qrels: QrelsSource,
    *,
    measures: MeasureSource | None = None,
    options: ReportOptions | None = None,
    judgments: JudgmentSources = (),
    tasks: TaskSource | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> ReportResult: ...
@overload
def report(
    source: BoardSource | BoardResult,
    qrels: QrelsSource | None = None,
    *,
    measures: MeasureSource | None = None,
    options: ReportOptions | None = None,
    judgments: JudgmentSources = (),
    tasks: TaskSource | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> ReportResult | PublishedReportResult: ...
@checks_arguments
def report(
    source: BoardSource | BoardResult,
    qrels: QrelsSource | None = None,
    *,
    measures: MeasureSource | None = None,
    options: ReportOptions | None = None,
    judgments: JudgmentSources = (),
    tasks: TaskSource | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> ReportResult | PublishedReportResult:
    """Everything that can be said about a board; each run is read once.

    source     runs (see `RunSource`), or the path of a `board.toml`, or a `Board`; or what `board` returned of these,
               whose files are read again
    qrels      the relevance judgments of the runs; see `QrelsSource`
    measures   the measure that ranks the runs, nDCG@10 or RR@10 by the labels if none, and further ones; those beside
               the measure of a `board.toml`
    judgments  files of judged pairs, which are tallied with the first labels and all runs
    tasks      the task file of the judgments, which knows the test pairs

    A `board.toml` without run files but with published means gives a report about these.
    """
    chosen = () if measures is None else as_measures(measures)
    inputs: BoardInputs | None = None
    board: BoardFile
    ranked = source.data if isinstance(source, BoardResult) else None
    if isinstance(source, BoardResult):
        options = options or ReportOptions(trials=source.ranks.trials, seed=source.data.compared.seed)
        reading = reading or ReadOptions(tie_rule=cast("TieRule", source.data.tie_rule or "trec_eval"))
        source = _source_of(source.data)
    if is_board(source):
        if qrels is not None:
            raise UsageError("a board.toml and qrels; expected one of the two, since it names its own; leave qrels out")
        if not isinstance(source, Board) and has_only_means(source):
            options = options or ReportOptions()
            if chosen or tasks is not None or as_judgments(judgments):
                raise UsageError(
                    "this board has published means alone; measures, judgments and tasks need run files; leave them "
                    "out, or add paths to [[runs]]"
                )
            return published_report(source, title=options.title, command=options.command, full=options.full)
        board = source
    else:
        inputs = board_inputs(source, qrels, queries=None if ranked is None else ranked.scores.query_ids)
        if ranked is not None and not chosen:
            chosen = (ranked.compared.measure, *ranked.compared.also)
            inputs = replace(inputs, measure_note=ranked.compared.measure_note)
        board, inputs = _listed(inputs, chosen, reading)
        if ranked is not None:  # perhaps on some of the queries
            inputs = replace(inputs, qrels=inputs.read_qrels(reading))
        chosen = chosen[1:]
    if ranked is not None:
        board = _ruled(board, ranked)
    return report_of(
        board,
        found=inputs,
        measures=chosen,
        options=options,
        judgments=judgments,
        tasks=tasks,
        reading=reading,
        progress=progress,
    )


def _source_of(ranked: BoardData) -> Board | Mapping[str, Any]:
    if ranked.source is None:
        raise UsageError("a board of scores alone; expected one of runs, which a report needs; give the runs")
    return ranked.source


def _ruled(board: BoardFile, ranked: BoardData) -> Board:
    """A board under the rules by which a result was decided, as far as a board has them."""
    policy, compared = ranked.policy, ranked.compared
    described = cast("Board", board)  # a path was read when the board was ranked
    rules = {name: getattr(policy, name) for name in ("alpha", "correction", "record_rule")}
    level = None if compared.level == 1 else compared.level
    ruled = replace(described.overruled(depth=compared.depth, level=level, gains=compared.gains), **rules)
    if Policy.of(ruled) != policy:
        raise UsageError(
            "this board was decided by a policy of its own; expected one with other alpha, correction and record_rule "
            "alone, since a report takes no more; give the runs instead"
        )
    return ruled


def listed_board(runs: RunSources, qrels: QrelsSource, *, measures: MeasureSource | None = None) -> Board:
    """A board of run files and judgments that no board.toml describes; the first measure ranks the runs."""
    return _listed(board_inputs(runs, qrels), () if measures is None else as_measures(measures), None)[0]


def _listed(inputs: BoardInputs, measures: Sequence[Measure], reading: ReadOptions | None) -> tuple[Board, BoardInputs]:
    """The board, and its inputs with the labels, if they had to be read to choose a measure."""
    files = [Path(run) if isinstance(run, (str, os.PathLike)) and run != "-" else None for run in inputs.sources]
    label_files = {LABELS_NAME: Path(inputs.qrels)} if isinstance(inputs.qrels, (str, os.PathLike)) else {}
    measure = str(measures[0]) if measures else ""
    if not measure:
        labels = inputs.read_qrels(reading)
        measure, note = default_measure(labels)
        inputs = replace(inputs, qrels=labels, measure_note=note)
    board = Board(
        title="Leaderboard",
        measure=measure,
        labels=label_files,
        runs=tuple(replace(run, path=path) for run, path in zip(inputs.runs, files, strict=True)),
    )
    return board, inputs
