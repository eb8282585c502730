"""Versions of a board's labels: list them, add one, see what it changes, and take it into use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from runoff.errors import NotFoundError, UsageError
from runoff.files.qrels import LabelVersion, read_qrels
from runoff.server.cases.accounts.permissions import Actor, require
from runoff.server.cases.runs.score import queue_rescoring, save_private_labels
from runoff.server.cases.runs.submit import read_blocks
from runoff.server.cases.uploads.labels import LARGEST_LABELS, count_labels
from runoff.server.cases.uploads.limited_process import USUAL_READER, LimitedReader
from runoff.server.cases.uploads.run import clean_file_name
from runoff.server.cases.views.serp_arrays import SERP_ARRAYS, computation_version_of, question_of, under, unpack_serps
from runoff.server.cases.views.stored_board import (
    VisibleRun,
    condition_of,
    in_use,
    load_visible_runs,
    newest,
    open_sets,
)
from runoff.server.store.boards import StoredBoard, load_board, save_board_settings
from runoff.server.store.database import Database
from runoff.server.store.files import FileStore
from runoff.server.store.label_sets import (
    LabelSet,
    NewVersion,
    QuerySet,
    load_label_set,
    load_label_sets,
    load_query_sets,
    save_label_set,
    save_label_use,
)
from runoff.server.store.scores import load_analysis, load_scores
from runoff.server.store.submissions import load_runs
from runoff.tables.board import PUBLIC
from runoff.tables.serps import Serps
from runoff.verbs._label_changes import LabelChangesResult, changes_of, shared_queries
from runoff.verdicts import Policy

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True, kw_only=True)
class NewLabels:
    """A file of labels to be added: the name of the label set, what the file is called, and what is said of it.

    relevance_level  None for that of the versions before, or of the board
    """

    name: str
    path: Path
    file_name: str
    note: str = ""
    sealed: bool = False
    relevance_level: int | None = None


def add_labels(
    database: Database,
    files: FileStore,
    board: StoredBoard,
    new: NewLabels,
    *,
    actor: Actor | None,
    now: datetime,
    reader: LimitedReader = USUAL_READER,
) -> LabelSet:
    """Add the next version of a label set, or the first of a new one; every run is scored on it.

    A new version of labels that are in use waits for `use_labels`. A private set cannot get an open version, nor the
    reverse, and all versions have the same relevance level.

    actor  None: whoever uses the machine of the server
    """
    number = _organiser(actor)
    with database.read() as connection:
        labels_in_use = in_use(load_label_sets(connection, board.id))
    before = labels_in_use.get(" ".join(new.name.split()))
    if before is not None and before.sealed != new.sealed:
        kind = "private" if before.sealed else "open"
        raise UsageError(f"labels {before.name!r} are {kind}; expected the same of a new version; choose another name")
    level = before.relevance_level if before is not None else new.relevance_level
    if new.relevance_level not in (None, level):
        own = f"have the relevance level {level}" if level else "go by the relevance level of the board"
        raise UsageError(f"labels {new.name!r} {own}; expected the same of a new version; choose another name")
    counted = count_labels(new.path, called=clean_file_name(new.file_name), reader=reader)
    waits = before is not None
    if new.sealed:
        return save_private_labels(
            database, board, new.path.read_bytes(), name=new.name, file_name=new.file_name,
            in_use=not waits, actor=number, now=now, relevance_level=level, counted=counted,
        )  # fmt: skip
    stored = files.save(read_blocks(new.path), limit=LARGEST_LABELS)
    version = NewVersion(
        board_id=board.id,
        name=new.name,
        queries=counted.queries,
        content_hash=stored.content_hash,
        note=new.note,
        relevance_level=level,
    )

    def work(connection: Connection) -> LabelSet:
        saved = save_label_set(connection, version, judged=counted.judged, actor=number, now=now, in_use=not waits)
        queue_rescoring(connection, load_board(connection, board.id), now=now)
        return saved

    return database.write(work)


def use_labels(
    database: Database, board: StoredBoard, label_set_id: int, *, actor: Actor | None, now: datetime
) -> LabelSet:
    """Take a version into use: the board ranks by it from now on. An old one can be taken into use again."""
    number = _organiser(actor)

    def work(connection: Connection) -> LabelSet:
        labels = load_label_set(connection, label_set_id)
        if labels.board_id != board.id:
            raise NotFoundError(f"board {board.slug!r} has no label set {label_set_id}")
        used = save_label_use(connection, label_set_id, actor=number, now=now)
        # The same settings as another version: whatever is cached for the old one is not shown any more.
        current = load_board(connection, board.id)
        save_board_settings(connection, board.id, current, version=current.version, actor=number, now=now)
        return used

    return database.write(work)


def load_label_changes(
    connection: Connection,
    files: FileStore,
    board: StoredBoard,
    old: LabelSet,
    new: LabelSet,
    *,
    actor: Actor,
    now: datetime,
    trials: int = 1000,
) -> LabelChangesResult | None:
    """What a version changes against another one, from what scoring stored; None before two versions are scored.

    For open labels, whose answers may be looked at. It is `label_changes` without reading the runs.
    """
    require(actor, "manage board")
    if old.content_hash is None or new.content_hash is None:
        raise UsageError("private labels are not shown per query; expected open labels; look at the means instead")
    queries = newest(load_query_sets(connection, board.id)).get(PUBLIC)
    if queries is None:
        return None
    versions = _version(files, old), _version(files, new)
    both: tuple[list[Serps], list[Serps]] = ([], [])
    for visible in load_visible_runs(connection, board, viewer=actor, now=now):
        before, after = (_serps(connection, board, visible, labels, queries) for labels in (old, new))
        if before is not None and after is not None:
            both[0].append(before)
            both[1].append(after)
    if not both[0]:
        return None
    queries_of_both = set(both[0][0].query_ids) & set(both[1][0].query_ids)
    shared = [query_id for query_id in shared_queries(*versions) if query_id in queries_of_both]
    lists = [[_only(serps, shared) for serps in lists_of_version] for lists_of_version in both]
    return changes_on_board(board, new, versions, lists, trials=trials)


def changes_on_board(
    board: StoredBoard,
    labels: LabelSet,
    versions: tuple[LabelVersion, LabelVersion],
    serps: Sequence[Sequence[Serps]],
    *,
    trials: int = 1000,
) -> LabelChangesResult:
    """What a new version of labels changes by the measure and policy of the board, before it is made and afterwards.

    serps  of the runs under the old and under the new version
    """
    board = under(board, labels)
    return changes_of(versions, serps, compared=question_of(board), policy=Policy.of(board), trials=trials)


def load_mean_changes(
    connection: Connection, board: StoredBoard, old: LabelSet, new: LabelSet
) -> list[tuple[int, float, float]]:
    """Number of the run, old mean and new mean, of the runs that are scored on both versions; also of private ones."""
    means: dict[int, dict[int, float]] = {old.id: {}, new.id: {}}
    versions = {labels.id: computation_version_of(under(board, labels), whole=True) for labels in (old, new)}
    for score in load_scores(connection, board.id):
        if versions.get(score.label_set_id) == score.computation_version:
            means[score.label_set_id].setdefault(score.run_id, score.mean)
    return [(run, mean, means[new.id][run]) for run, mean in means[old.id].items() if run in means[new.id]]


def load_scored_share(connection: Connection, board: StoredBoard, labels: LabelSet) -> tuple[int, int]:
    """How many of the scored runs have a mean on these labels under the board's settings, and how many there are."""
    runs = load_runs(connection, board.id, state="scored")
    version = computation_version_of(under(board, labels), whole=True)
    done = {
        score.run_id
        for score in load_scores(connection, board.id)
        if score.label_set_id == labels.id and score.computation_version == version
    }
    return len(done), len(runs)


def _organiser(actor: Actor | None) -> int | None:
    if actor is None:
        return None
    require(actor, "manage board")
    return actor.id


def _version(files: FileStore, labels: LabelSet) -> LabelVersion:
    qrels = read_qrels(files.path(str(labels.content_hash)), name=labels.name)
    return LabelVersion(qrels=qrels, version=labels.version, digest="", parent=None, judgments=())


def _serps(
    connection: Connection, board: StoredBoard, visible: VisibleRun, labels: LabelSet, queries: QuerySet
) -> Serps | None:
    table = load_analysis(connection, condition_of(board, labels, queries, whole=True), visible.run.id)
    return None if table is None else unpack_serps(table, visible.name)  # type: ignore[arg-type]


def _only(serps: Serps, query_ids: list[str]) -> Serps:
    places = {query_id: row for row, query_id in enumerate(serps.query_ids)}
    rows = np.array([places[query_id] for query_id in query_ids], dtype=np.intp)
    arrays = {name: getattr(serps, name)[rows] for name in SERP_ARRAYS}
    return replace(serps, query_ids=tuple(query_ids), **arrays)


def add_file_labels(  # noqa: PLR0913
    database: Database,
    files: FileStore,
    slug: str,
    path: Path,
    *,
    name: str | None = None,
    note: str = "",
    sealed: bool = False,
    relevance_level: int | None = None,
    now: datetime,
    reader: LimitedReader = USUAL_READER,
) -> LabelSet:
    """Add the labels of a file as the next version of a label set, of the one that the board ranks by without a name.

    For whoever can use the machine: nobody is asked for a role, and the log names nobody.
    """
    board, called = _named(database, slug, name)
    new = NewLabels(name=called, path=path, file_name=path.name, note=note, sealed=sealed,
                    relevance_level=relevance_level)  # fmt: skip
    return add_labels(database, files, board, new, actor=None, now=now, reader=reader)


def use_label_version(
    database: Database, slug: str, version: int, *, name: str | None = None, now: datetime
) -> LabelSet:
    """Let a board rank by a version of a label set, of the one that it ranks by without a name."""
    board, called = _named(database, slug, name)
    with database.read() as connection:
        sets = load_label_sets(connection, board.id)
    versions = {labels.version: labels for labels in sets if labels.name == called}
    if version not in versions:
        numbers = ", ".join(str(number) for number in versions) or "none"
        raise NotFoundError(f"board {slug!r} has no version {version} of labels {called!r}; expected one of {numbers}")
    return use_labels(database, board, versions[version].id, actor=None, now=now)


def label_lines(database: Database, slug: str) -> Iterator[str]:
    """Every version of a board's labels, a line each."""
    with database.read() as connection:
        versions = load_label_sets(connection, load_board(connection, slug).id)
    used = {label_set.id for label_set in in_use(versions).values()}
    for version in versions:
        state = "in use" if version.id in used else "used before" if version.use else "not used yet"
        kind = "private" if version.sealed else "open"
        level = f", relevance level {version.relevance_level}" if version.relevance_level else ""
        note = f" ({version.note})" if version.note else ""
        yield (
            f"{version.name}, version {version.version}: {state}, {kind}, {version.queries:,} queries, "
            f"{version.judged:,} judged{level}{note}"
        )


def _named(database: Database, slug: str, name: str | None) -> tuple[StoredBoard, str]:
    with database.read() as connection:
        board = load_board(connection, slug)
        return board, name or open_sets(connection, board)[0].name
