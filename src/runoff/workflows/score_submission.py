"""Score a submitted run on every label set and query set; the only module that sees private labels.

What leaves it is means and verdicts. Arrays per query on sealed labels or queries go to the sealed store, and errors
are told by their kind and place in the program alone, never with a message that could name a private query.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from runoff.errors import InputError, LimitError, UsageError
from runoff.files.qrels import read_qrels
from runoff.files.query_list import read_query_list
from runoff.store.boards import StoredBoard, load_board, lock_board
from runoff.store.campaign_jobs import save_upkeep_jobs
from runoff.store.database import Database
from runoff.store.files import FileStore
from runoff.store.jobs import Job, finish_job, save_job
from runoff.store.label_sets import LabelSet, NewVersion, QuerySet, load_label_sets, load_query_sets
from runoff.store.scores import Condition, MeanScore, load_scores, save_analysis, save_score
from runoff.store.sealed import (
    HiddenShare,
    load_hidden_share,
    load_sealed_labels,
    load_sealed_queries,
    save_hidden_share,
    save_sealed_analysis,
    save_sealed_labels,
    save_sealed_queries,
)
from runoff.store.submissions import SCORE, StoredRun, load_run, load_runs, save_run_state
from runoff.tables.qrels import Qrels
from runoff.tables.serps import Serps
from runoff.workflows.record_verdicts import RESCORE, save_due_verdicts
from runoff.workflows.scored_runs import ScoredRun
from runoff.workflows.serp_arrays import KIND, kernel_of, measure_of, pack_serps
from runoff.workflows.stored_board import newest
from runoff.workflows.uploaded_run import SHOWN_PROBLEMS, clean_file_name, readable_run, score_upload

if TYPE_CHECKING:
    from sqlalchemy import Connection

JOB_KINDS: Final = (SCORE, RESCORE)
LARGEST_LABELS: Final = 1 << 30


@dataclass(frozen=True, kw_only=True, eq=False)
class _Task:
    """What is to be scored: a run, and labels with the query sets to score them on."""

    run: StoredRun
    board: StoredBoard
    labels: tuple[tuple[LabelSet, Qrels], ...]
    queries: tuple[tuple[QuerySet, frozenset[str]], ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class _Part:
    """A run on one label set and query set."""

    labels: LabelSet
    queries: QuerySet
    table: NDArray[np.void]
    mean: float
    missing: int

    @property
    def is_sealed(self) -> bool:
        return self.labels.sealed or self.queries.sealed


def score_submission(
    database: Database, files: FileStore, job: Job, *, now: Callable[[], datetime], max_bytes: int
) -> str:
    """Do a scoring job and return the state of the run: scored, or rejected with its problems.

    Results, verdict, state and the end of the job are one transaction; it raises `LeaseLostError` and keeps nothing
    if another worker has the job.
    """
    run_id = int(job.payload["run_id"])
    database.write(lambda connection: _begin(connection, run_id, now()))
    task = _load_task(database, files, run_id)
    try:
        parts = _parts(task, files, max_bytes)
    except InputError as error:
        problems = list(error.problems[:SHOWN_PROBLEMS])
        database.write(lambda connection: _reject(connection, job, task, problems, now()))
        return "rejected"
    database.write(lambda connection: _keep(connection, job, task, parts, now()))
    return "scored"


def save_private_labels(
    database: Database, board: StoredBoard, content: bytes, *, name: str, file_name: str, actor: int | None,
    now: datetime, in_use: bool = True,
) -> LabelSet:  # fmt: skip
    """Add a version of private labels, a qrels file, to a board; every run is scored on them."""
    qrels = _checked(read_qrels, content, file_name)
    new = NewVersion(board_id=board.id, name=name, queries=len(qrels.query_ids), content_hash=None)

    def work(connection: Connection) -> LabelSet:
        saved = save_sealed_labels(connection, new, content, judged=len(qrels), actor=actor, now=now, in_use=in_use)
        queue_rescoring(connection, board, now=now)
        return saved

    return database.write(work)


def save_private_queries(
    database: Database, board: StoredBoard, content: bytes, *, name: str, file_name: str, actor: int | None,
    now: datetime,
) -> QuerySet:  # fmt: skip
    """Add a version of private queries, a list of ids, to a board; every run is scored on them."""
    queries = _checked(read_query_list, content, file_name)
    new = NewVersion(board_id=board.id, name=name, queries=len(queries), content_hash=None)

    def work(connection: Connection) -> QuerySet:
        saved = save_sealed_queries(connection, new, content, actor=actor, now=now)
        queue_rescoring(connection, board, now=now)
        return saved

    return database.write(work)


def queue_rescoring(connection: Connection, board: StoredBoard, *, now: datetime) -> int:
    """Let every scored run of a board be scored on what was added or changed since; return how many.

    A run that is just being scored is scored again too: its worker may have read the settings before they changed.
    """
    versions = [one.id for one in load_label_sets(connection, board.id)[-1:]]
    versions += [one.id for one in load_query_sets(connection, board.id)[-1:]]
    runs = [run for state in ("scored", "scoring") for run in load_runs(connection, board.id, state=state)]
    for run in runs:
        # The version of the board: settings may change to and fro before a job is done.
        key = f"{RESCORE}:{run.id}:{versions}:{board.version}:{kernel_of(board)}"
        save_job(connection, RESCORE, key[:200], {"run_id": run.id}, now=now)
    return len(runs)


def load_share(connection: Connection, board: StoredBoard) -> float:
    """The share of the public queries that is hidden; for organisers. Which ones they are, nobody is told."""
    found = load_hidden_share(connection, board.id)
    return 0.0 if found is None else found.share


def save_share(connection: Connection, board: StoredBoard, share: float, *, actor: int | None, now: datetime) -> bool:
    """Set the share of the public queries that is hidden; whether it has changed. The seed is drawn once per board."""
    before = load_hidden_share(connection, board.id)
    if share == (0.0 if before is None else before.share):
        return False
    seed = secrets.randbits(31) if before is None else before.seed
    save_hidden_share(connection, board.id, HiddenShare(share=share, seed=seed), actor=actor, now=now)
    return True


def _checked(read: Callable[..., Any], content: bytes, file_name: str) -> Any:
    called = clean_file_name(file_name)
    if len(content) > LARGEST_LABELS:
        raise LimitError([f"{called}: {len(content):,} bytes; expected {LARGEST_LABELS:,} at most"])
    try:
        return read(content, max_bytes=LARGEST_LABELS)
    except InputError as error:
        raise type(error)([one.replace("<bytes>", called) for one in error.problems], total=error.total) from None


def _begin(connection: Connection, run_id: int, now: datetime) -> None:
    if load_run(connection, run_id).state == "queued":
        save_run_state(connection, run_id, "scoring", now=now)


def _load_task(database: Database, files: FileStore, run_id: int) -> _Task:
    with database.read() as connection:
        run = load_run(connection, run_id)
        board = load_board(connection, run.board_id)
        labels = [
            (one, load_sealed_labels(connection, one.id) if one.content_hash is None else files.path(one.content_hash))
            for one in load_label_sets(connection, board.id)
        ]
        queries = [
            (one, load_sealed_queries(connection, one.id) if one.content_hash is None else files.path(one.content_hash))
            for one in newest(load_query_sets(connection, board.id)).values()
        ]
    return _Task(
        run=run,
        board=board,
        labels=tuple((one, read_qrels(source, name=one.name)) for one, source in labels),
        queries=tuple((one, frozenset(read_query_list(source))) for one, source in queries),
    )


def _parts(task: _Task, files: FileStore, max_bytes: int) -> list[_Part]:
    """The run on all label sets and query sets that share queries; the file is read once per label set."""
    called = clean_file_name(str(task.run.metadata.get("file_name", "")))
    parts: list[_Part] = []
    with readable_run(files.path(task.run.content_hash), called=called, max_bytes=max_bytes) as path:
        for labels, qrels in task.labels:
            scored = score_upload(path, qrels, task.board, name=task.run.name, max_bytes=max_bytes)
            for queries, wanted in task.queries:
                rows = np.flatnonzero([query_id in wanted for query_id in qrels.query_ids])
                if len(rows):
                    parts.append(_part(labels, queries, qrels.query_ids, scored, rows))
        if not parts:
            raise UsageError("the board has no labels for any of its queries; an organiser has to add some")
        if all(part.missing == len(part.table) for part in parts):
            raise InputError([_foreign(called, task)])
    return parts


def _part(
    labels: LabelSet, queries: QuerySet, query_ids: Sequence[str], scored: ScoredRun, rows: NDArray[np.intp]
) -> _Part:
    values = scored.values[0][rows]
    serps = None if scored.serps is None else _only(scored.serps, rows)
    missing = scored.facts.missing_queries if serps is None else serps.missing_queries
    defined = values[~np.isnan(values)]
    return _Part(
        labels=labels,
        queries=queries,
        table=pack_serps(tuple(query_ids[row] for row in rows), values, serps),
        mean=float(defined.mean()) if len(defined) else 0.0,
        missing=missing,
    )


def _only(serps: Serps, rows: NDArray[np.intp]) -> Serps:
    """The SERPs of some queries; the others of the run count as extra."""
    others = np.ones(len(serps.query_ids), dtype=np.bool_)
    others[rows] = False
    return replace(
        serps,
        query_ids=tuple(serps.query_ids[row] for row in rows),
        grades=serps.grades[rows],
        retrieved=serps.retrieved[rows],
        judged=serps.judged[rows],
        depth_tied=serps.depth_tied[rows],
        extra_queries=serps.extra_queries + int((serps.retrieved[others] > 0).sum()),
    )


def _foreign(called: str, task: _Task) -> str:
    known = sorted(min(wanted) for queries, wanted in task.queries if not queries.sealed)
    like = f"expected ids such as {known[0]!r}; " if known else ""
    return (
        f"{called}: no query of this file is one of board {task.board.slug!r}; {like}"
        "check that this is the run for this board"
    )


def _reject(connection: Connection, job: Job, task: _Task, problems: list[str], now: datetime) -> None:
    board = lock_board(connection, task.board.id)
    if load_run(connection, task.run.id).state != "scored":
        save_run_state(connection, task.run.id, "rejected", problems=problems, now=now)
    finish_job(connection, job, result={"state": "rejected"}, now=now)
    save_due_verdicts(connection, board, now=now)


def _keep(connection: Connection, job: Job, task: _Task, parts: Sequence[_Part], now: datetime) -> None:
    board = lock_board(connection, task.board.id)
    kernel, measure = kernel_of(task.board), str(measure_of(task.board))
    scores = load_scores(connection, task.board.id, run_id=task.run.id)
    there = {(one.label_set_id, one.query_set_id, one.kernel) for one in scores}
    for part in parts:
        where = {"run_id": task.run.id, "label_set_id": part.labels.id, "query_set_id": part.queries.id}
        condition = Condition(**where, kernel=kernel)
        keep = save_sealed_analysis if part.is_sealed else save_analysis
        keep(connection, condition, KIND, part.table, now=now)
        if (part.labels.id, part.queries.id, kernel) not in there:
            mean = MeanScore(
                **where, kernel=kernel, measure=measure, mean=part.mean, queries=len(part.table),
                missing_queries=part.missing,
            )  # fmt: skip
            save_score(connection, mean, now=now)
    if load_run(connection, task.run.id).state != "scored":
        save_run_state(connection, task.run.id, "scored", now=now)
        save_upkeep_jobs(connection, board.id, task.run.id, now=now)
    finish_job(connection, job, result={"state": "scored"}, now=now)
    save_due_verdicts(connection, board, now=now)
