"""Score a submitted run on every label set and query set; the only module that sees private labels.

What leaves it is means and verdicts. Arrays per query on sealed labels or queries go to the sealed store, and errors
are reported by their kind and place in the program only, never with a message that could name a private query.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, astuple, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from runoff.errors import ClusterError, InputError, ReadingEndedError, UsageError
from runoff.files.parquet.columns import is_parquet
from runoff.files.qrels import read_qrels
from runoff.files.query_list import read_query_list
from runoff.measures import ExternalMeasure
from runoff.server.cases.runs.record_verdicts import RESCORE, save_due_verdicts
from runoff.server.cases.runs.submit import open_queries
from runoff.server.cases.uploads.check import look_through, read_through
from runoff.server.cases.uploads.labels import LabelCounts, count_labels, count_queries
from runoff.server.cases.uploads.limited_process import USUAL_READER, LimitedReader
from runoff.server.cases.uploads.run import (
    SHOWN_PROBLEMS,
    ScoringLabels,
    UploadScores,
    clean_file_name,
    score_apart,
    score_upload,
)
from runoff.server.cases.views.serp_arrays import SERP_ARRAYS, computation_version_of, measure_of, pack_serps, under
from runoff.server.cases.views.stored_board import condition_of, newest
from runoff.server.store.boards import StoredBoard, load_board
from runoff.server.store.campaigns import save_upkeep_jobs
from runoff.server.store.database import Database
from runoff.server.store.files import FileStore
from runoff.server.store.jobs import Job, finish_job, save_job
from runoff.server.store.label_sets import LabelSet, NewVersion, QuerySet, load_label_sets, load_query_sets
from runoff.server.store.run_lists import has_run_lists, save_run_lists
from runoff.server.store.scores import MeanScore, ScoreCondition, load_scores, save_analysis, save_score
from runoff.server.store.sealed import (
    HiddenShare,
    load_hidden_share,
    load_sealed_labels,
    load_sealed_queries,
    save_hidden_share,
    save_sealed_analysis,
    save_sealed_labels,
    save_sealed_queries,
)
from runoff.server.store.submissions import SCORE, StoredRun, load_run, load_runs, save_run_mail, save_run_state
from runoff.tables.board import DEVELOPMENT

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from runoff.reading.units import Engine

JOB_KINDS: Final = (SCORE, RESCORE)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Task:
    """What is to be scored: a run, labels with the query sets to score them on, and the queries to leave out."""

    run: StoredRun
    board: StoredBoard
    labels: tuple[tuple[LabelSet, Path | bytes], ...]
    queries: tuple[tuple[QuerySet, frozenset[str]], ...]
    left_out: frozenset[str]


@dataclass(frozen=True, kw_only=True, eq=False)
class _Part:
    """A run on one label set and query set: a row per query, and which of them the public sees."""

    labels: LabelSet
    queries: QuerySet
    table: NDArray[np.void]
    shown: NDArray[np.bool_]
    missing: int


def score_submission(
    database: Database,
    files: FileStore,
    job: Job,
    *,
    now: Callable[[], datetime],
    reader: LimitedReader = USUAL_READER,
    engine: Engine | None = None,
    mails: bool = False,
) -> str:
    """Do a scoring job and return the state of the run: scored, or rejected with its problems.

    reader  reads the file and scores it, in a process of its own
    engine  scores on open labels, such as a cluster; private labels go to the reader alone
    mails   whether the person who submitted the run gets a mail about it

    Results, verdict, state and the end of the job are one transaction; it raises `LeaseLostError` and keeps nothing
    if another worker has the job.
    """
    run_id = int(job.payload["run_id"])

    def begin(connection: Connection) -> None:
        if load_run(connection, run_id).state == "queued":
            save_run_state(connection, run_id, "scoring", now=now())

    database.write(begin)
    task = _load_task(database, files, run_id)
    try:
        _pass_door(database, files, task, reader)
        parts = _parts(task, files, reader, engine)
    except ReadingEndedError:
        # Perhaps not the fault of the file: it has more attempts, like any job that fails.
        raise
    except InputError as error:
        problems = list(error.problems[:SHOWN_PROBLEMS])
        database.write(lambda connection: _reject(connection, job, task, problems, now(), mails=mails))
        return "rejected"
    database.write(lambda connection: _keep(connection, job, task, parts, now(), mails=mails))
    return "scored"


def save_private_labels(  # noqa: PLR0913
    database: Database, board: StoredBoard, content: bytes, *, name: str, file_name: str, actor: int | None,
    now: datetime, in_use: bool = True, relevance_level: int | None = None, reader: LimitedReader = USUAL_READER,
    counted: LabelCounts | None = None,
) -> LabelSet:  # fmt: skip
    """Add a version of private labels, a qrels file, to a board; every run is scored on them.

    relevance_level  None for that of the board
    counted          how many they are, where that is known, so that they are not read again
    """
    count = counted or count_labels(content, called=clean_file_name(file_name), reader=reader)
    new = NewVersion(
        board_id=board.id, name=name, queries=count.queries, content_hash=None, relevance_level=relevance_level
    )

    def work(connection: Connection) -> LabelSet:
        saved = save_sealed_labels(connection, new, content, judged=count.judged, actor=actor, now=now, in_use=in_use)
        queue_rescoring(connection, board, now=now)
        return saved

    return database.write(work)


def save_private_queries(  # noqa: PLR0913
    database: Database, board: StoredBoard, content: bytes, *, name: str, file_name: str, actor: int | None,
    now: datetime, reader: LimitedReader = USUAL_READER, counted: int | None = None,
) -> QuerySet:  # fmt: skip
    """Add a version of private queries, a list of ids, to a board; every run is scored on them.

    counted  how many they are, where that is known, so that they are not read again
    """
    called = clean_file_name(file_name)
    number = count_queries(content, called=called, reader=reader) if counted is None else counted
    new = NewVersion(board_id=board.id, name=name, queries=number, content_hash=None)

    def work(connection: Connection) -> QuerySet:
        saved = save_sealed_queries(connection, new, content, actor=actor, now=now)
        queue_rescoring(connection, board, now=now)
        return saved

    return database.write(work)


def load_share(connection: Connection, board: StoredBoard) -> float:
    """The share of the public queries that is left out; for organisers. Nobody can see which ones they are."""
    hidden = load_hidden_share(connection, board.id)
    return 0.0 if hidden is None else hidden.share


def save_share(connection: Connection, board: StoredBoard, share: float, *, actor: int | None, now: datetime) -> bool:
    """Set the share of the public queries that is left out of what the public sees; whether it has changed.

    The secret is drawn once per board. Call `queue_rescoring` afterwards: until a run is scored again, the public sees
    none of its scores.
    """
    before = load_hidden_share(connection, board.id)
    if share == (0.0 if before is None else before.share):
        return False
    secret = secrets.token_hex(32) if before is None else before.secret
    save_hidden_share(connection, board.id, HiddenShare(share=share, secret=secret), actor=actor, now=now)
    return True


def queue_rescoring(connection: Connection, board: StoredBoard, *, now: datetime) -> int:
    """Let every scored run of a board be scored on what was added or changed since; return how many.

    A run that is just being scored is scored again too: its worker may have read the settings before they changed.
    It goes by the settings that the store has now, whatever `board` says: another measure, depth, relevance level or
    hidden share makes new jobs, and scores under earlier settings are kept and not shown.
    """
    board = load_board(connection, board.id)
    versions = [label_set.id for label_set in load_label_sets(connection, board.id)[-1:]]
    versions += [query_set.id for query_set in load_query_sets(connection, board.id)[-1:]]
    runs = [run for state in ("scored", "scoring") for run in load_runs(connection, board.id, state=state)]
    for run in runs:
        # The version of the board: settings may change to and fro before a job is done.
        key = f"{RESCORE}:{run.id}:{versions}:{board.version}:{computation_version_of(board)}"
        save_job(connection, RESCORE, key[:200], {"run_id": run.id}, now=now)
    return len(runs)


def _load_task(database: Database, files: FileStore, run_id: int) -> _Task:
    with database.read() as connection:
        run = load_run(connection, run_id)
        board = load_board(connection, run.board_id)
        labels = [
            (
                label_set,
                load_sealed_labels(connection, label_set.id)
                if label_set.content_hash is None
                else files.path(label_set.content_hash),
            )
            for label_set in load_label_sets(connection, board.id)
        ]
        queries = [
            (
                query_set,
                load_sealed_queries(connection, query_set.id)
                if query_set.content_hash is None
                else files.path(query_set.content_hash),
            )
            for query_set in newest(load_query_sets(connection, board.id)).values()
        ]
        hidden = load_hidden_share(connection, board.id)
    read = tuple((query_set, frozenset(read_query_list(source))) for query_set, source in queries)
    # Private queries are all in their mean: it is one number, and shown late or never.
    # Teams can score development queries themselves, so leaving some out would hide nothing.
    public = [wanted for query_set, wanted in read if not query_set.sealed and query_set.name != DEVELOPMENT]
    public_queries = frozenset[str]().union(*public)
    return _Task(
        run=run,
        board=board,
        labels=tuple(labels),
        queries=read,
        left_out=hidden.left_out(public_queries) if hidden and board.hidden_subset else frozenset(),
    )


def _parts(task: _Task, files: FileStore, reader: LimitedReader, engine: Engine | None) -> list[_Part]:
    """The run on all label sets and query sets that share queries; the file is read once per label set."""
    called = clean_file_name(str(task.run.metadata.get("file_name", "")))
    path = files.path(task.run.content_hash)
    label_sets = [
        ScoringLabels(name=labels.name, source=source, board=under(task.board, labels))
        for labels, source in task.labels
    ]
    scores = (
        [None] * len(label_sets)
        if engine is None
        else [_scored_away(path, labels, task.run.name, reader.max_bytes, engine) for labels in label_sets]
    )
    rest = [labels for labels, away in zip(label_sets, scores, strict=True) if away is None]
    here = iter(score_apart(path, rest, name=task.run.name, called=called, reader=reader) if rest else ())
    parts: list[_Part] = []
    for (labels, _), away in zip(task.labels, scores, strict=True):
        scored = next(here) if away is None else away
        for queries, wanted in task.queries:
            rows = np.flatnonzero([query_id in wanted for query_id in scored.query_ids])
            if len(rows):
                left_out = frozenset() if queries.sealed else task.left_out
                parts.append(_part(labels, queries, scored, rows, left_out))
    if not parts:
        raise UsageError("the board has no labels for any of its queries; an organiser has to add some")
    return parts


def _pass_door(database: Database, files: FileStore, task: _Task, reader: LimitedReader) -> None:
    """Look through a run that came with its board, as those that were sent, and keep its fingerprints.

    A run that was sent is never rejected for its queries here: that would tell which ones have labels.
    """
    with database.read() as connection:
        if has_run_lists(connection, task.run.id):
            return
        queries = open_queries(connection, files, task.board)
    file_name = str(task.run.metadata.get("file_name", ""))
    path = files.path(task.run.content_hash)
    if task.run.state == "scored":
        # It was taken by the rules of its day.
        content = look_through(path, queries, file_name=file_name, reader=reader)
    else:
        content = read_through(path, queries, file_name=file_name, reader=reader)
        if content.problems:
            raise InputError(content.problems)
    database.write(lambda connection: save_run_lists(connection, task.run.id, content.lists))


def _scored_away(path: Path, labels: ScoringLabels, name: str, max_bytes: int, engine: Engine) -> UploadScores | None:
    """The run on open labels by an engine; None if it cannot.

    A cluster may be gone, or not see the file, and no run may be refused for that.
    """
    if isinstance(labels.source, bytes) or is_parquet(path):
        return None
    if isinstance(measure_of(labels.board), ExternalMeasure):
        # It needs the documents themselves, which would be read in this process.
        return None
    qrels = read_qrels(labels.source, name=labels.name)
    with suppress(ClusterError, InputError):
        return score_upload(path, qrels, labels.board, name=name, max_bytes=max_bytes, engine=engine)
    return None


def _part(
    labels: LabelSet, queries: QuerySet, scored: UploadScores, rows: NDArray[np.intp], left_out: frozenset[str]
) -> _Part:
    query_ids = tuple(scored.query_ids[row] for row in rows)
    serps, missing = scored.serps, scored.missing_queries
    if serps is not None:
        others = np.ones(len(serps.query_ids), dtype=np.bool_)
        others[rows] = False
        # The other queries of the run count as extra.
        extra = serps.extra_queries + int((serps.retrieved[others] > 0).sum())
        arrays = {name: getattr(serps, name)[rows] for name in SERP_ARRAYS}
        serps = replace(serps, query_ids=query_ids, extra_queries=extra, **arrays)
        missing = serps.missing_queries
    return _Part(
        labels=labels,
        queries=queries,
        table=pack_serps(query_ids, scored.values[rows], serps),
        shown=np.array([query_id not in left_out for query_id in query_ids]),
        missing=missing,
    )


def _reject(connection: Connection, job: Job, task: _Task, problems: list[str], now: datetime, *, mails: bool) -> None:
    board = load_board(connection, task.board.id, lock=True)
    if load_run(connection, task.run.id).state != "scored":
        run = save_run_state(connection, task.run.id, "rejected", problems=problems, now=now)
        if mails:
            save_run_mail(connection, run, job, now=now)
    finish_job(connection, job, result={"state": "rejected"}, now=now)
    save_due_verdicts(connection, board, now=now)


def _keep(connection: Connection, job: Job, task: _Task, parts: Sequence[_Part], now: datetime, *, mails: bool) -> None:
    board = load_board(connection, task.board.id, lock=True)
    scores = load_scores(connection, task.board.id, run_id=task.run.id)
    stored = {(score.label_set_id, score.query_set_id, score.computation_version) for score in scores}
    for part in parts:
        whole = condition_of(task.board, part.labels, part.queries, whole=True)
        public = condition_of(task.board, part.labels, part.queries)
        _keep_part(connection, task, part, whole, part.table, stored, now)
        if public != whole and part.shown.any():
            _keep_part(connection, task, part, public, part.table[part.shown], stored, now)
    if load_run(connection, task.run.id).state != "scored":
        run = save_run_state(connection, task.run.id, "scored", now=now)
        if mails:
            save_run_mail(connection, run, job, now=now)
        save_upkeep_jobs(connection, board.id, task.run.id, now=now)
    finish_job(connection, job, result={"state": "scored"}, now=now)
    save_due_verdicts(connection, board, now=now)


def _keep_part(
    connection: Connection,
    task: _Task,
    part: _Part,
    condition: ScoreCondition,
    table: NDArray[np.void],
    stored: set[tuple[int, int, str]],
    now: datetime,
) -> None:
    """Keep the array and the mean of some queries, unless they are there."""
    keep = save_sealed_analysis if part.labels.sealed or part.queries.sealed else save_analysis
    keep(connection, condition, task.run.id, table, now=now)
    if astuple(condition) in stored:
        return
    values = table["value"]
    defined = values[~np.isnan(values)]
    mean = MeanScore(
        **asdict(condition),
        run_id=task.run.id,
        measure=str(measure_of(under(task.board, part.labels))),
        mean=float(defined.mean()) if len(defined) else 0.0,
        queries=len(table),
        # Of all queries: a run that lacks one query could else find out whether it is left out.
        missing_queries=part.missing,
    )
    save_score(connection, mean, now=now)
