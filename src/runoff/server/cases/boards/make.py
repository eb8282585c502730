"""A board on the server from a `board.toml`: its labels, queries and runs, each run a submission of its team."""

from __future__ import annotations

import re
import tempfile
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, time
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from runoff.errors import InputError, NotFoundError, UsageError
from runoff.measures import parse_measure
from runoff.server.cases.boards.files import read_board_and_metadata
from runoff.server.cases.runs.score import save_private_labels, save_private_queries, save_share
from runoff.server.cases.runs.submit import read_blocks, with_header
from runoff.server.cases.uploads.labels import SplitSets, WrittenLabels, split_sets
from runoff.server.cases.uploads.limited_process import USUAL_READER, LimitedReader
from runoff.server.cases.uploads.run import clean_file_name
from runoff.server.store.boards import StoredBoard, load_board, save_board, save_board_settings
from runoff.server.store.database import Database
from runoff.server.store.files import FileStore, StoredFile
from runoff.server.store.label_sets import NewVersion, save_label_set, save_query_set
from runoff.server.store.names import clean_name
from runoff.server.store.people import (
    IMPORTER,
    Person,
    Team,
    load_person_by_email,
    load_team_by_slug,
    load_teams,
    save_person,
    save_team,
)
from runoff.server.store.submissions import NewRun, save_run
from runoff.tables.board import PRIVATE, PUBLIC, Board, BoardRun
from runoff.tables.settings import BoardSettings

if TYPE_CHECKING:
    from sqlalchemy import Connection

NOBODY: Final = "unknown"
_NO_LIMIT: Final = 1_000_000
_LARGEST: Final = 2**53
_LONGEST_SLUG: Final = 60
_NUMBER_LENGTH: Final = 8


def make_board(
    database: Database,
    files: FileStore,
    board: Path | Board,
    *,
    slug: str,
    settings: Mapping[str, Any] | None = None,
    actor: int | None = None,
    now: datetime,
    reader: LimitedReader = USUAL_READER,
) -> StoredBoard:
    """Make a stored board of a `board.toml`, or of what one describes; its runs are queued for scoring.

    board     a file; or its description, which may have no runs yet
    settings  settings that overrule those of the file, such as `most`

    The query set `private`, and of every label set what is about its queries, are sealed; without a set `public`, it is
    all other queries that are not in `development`. Runs are submissions of
    their teams on their dates, or now if they have none; the rule for submissions holds for later ones alone. Teams are
    founded by an account without a password, to which nobody can sign in; organisers invite people into them.
    """
    described = board if isinstance(board, Board) else read_board_and_metadata(board)
    parse_measure(described.measure)
    _refuse_folders(described)
    chosen = replace(described, slug=slug, **(settings or {}))
    with tempfile.TemporaryDirectory(prefix="runoff-") as folder:
        sets = split_sets(described.labels, described.queries, Path(folder), called=described.title, reader=reader)
        if not sets.labels:
            raise UsageError(
                f"{described.title} names no labels; expected a qrels file; add [labels.NAME] with its path"
            )
        stored = _saved_sets(database, files, chosen, sets, described.label_levels, actor=actor, now=now)
    runs = [(run, files.save(read_blocks(run.path), limit=_LARGEST)) for run in described.runs if run.path is not None]
    return database.write(lambda connection: _save_runs(connection, stored, chosen, runs, actor=actor, now=now))


def _refuse_folders(board: Board) -> None:
    """Runs are kept as single files."""
    problems = []
    for path in [run.path for run in board.runs if run.path is not None]:
        nature = "is a folder" if path.is_dir() else "" if path.exists() else "is a part of a file"
        if nature:
            problems.append(f"{path}: {nature}; expected a single file; write the run into one file")
    if problems:
        raise InputError(problems)


def slug_of(name: str) -> str:
    """A name that is safe in an address; letters that it cannot hold are replaced by a number made from the name.

    >>> slug_of("Équipe  Nº 1!"), slug_of("東京大学"), slug_of("北京 AI")
    ('equipe-no-1', 'team-8302c97c', 'ai-224d7258')
    """
    decomposed = unicodedata.normalize("NFKD", name.casefold())
    plain = re.sub(r"[^a-z0-9]+", "-", decomposed.encode("ascii", "ignore").decode()).strip("-")
    is_whole = all(letter.isascii() for letter in decomposed if unicodedata.category(letter)[0] in "LN")
    if plain and is_whole:
        return plain[:_LONGEST_SLUG].strip("-")
    number = sha256(decomposed.encode()).hexdigest()[:_NUMBER_LENGTH]
    return f"{plain[: _LONGEST_SLUG - _NUMBER_LENGTH - 1].strip('-') or 'team'}-{number}"


def _saved_sets(
    database: Database,
    files: FileStore,
    settings: BoardSettings,
    sets: SplitSets,
    levels: Mapping[str, int],
    *,
    actor: int | None,
    now: datetime,
) -> StoredBoard:
    """A board with its labels and queries, and no runs yet."""
    opened = [
        (labels.name, labels.open, files.save(read_blocks(labels.open.path), limit=_LARGEST))
        for labels in sets.labels
        if labels.open is not None
    ]
    queries = [
        (name, number, files.save(read_blocks(path), limit=_LARGEST))
        for name, (path, number) in sorted(sets.queries.items(), key=lambda item: item[0] != PUBLIC)
        if name != PRIVATE
    ]
    board = database.write(
        lambda connection: _save_open(connection, settings, opened, levels, queries, actor=actor, now=now)
    )
    if PRIVATE in sets.queries:
        path, number = sets.queries[PRIVATE]
        save_private_queries(
            database, board, path.read_bytes(), name=PRIVATE, file_name=PRIVATE, actor=actor, now=now, counted=number
        )
    for labels in sets.labels:
        if labels.sealed is not None:
            save_private_labels(
                database,
                board,
                labels.sealed.path.read_bytes(),
                name=f"{labels.name} private",
                file_name=labels.name,
                actor=actor,
                now=now,
                relevance_level=levels.get(labels.name),
                counted=labels.sealed,
            )
    return board


def _save_open(
    connection: Connection,
    settings: BoardSettings,
    labels: list[tuple[str, WrittenLabels, StoredFile]],
    levels: Mapping[str, int],
    queries: list[tuple[str, int, StoredFile]],
    *,
    actor: int | None,
    now: datetime,
) -> StoredBoard:
    # Without a rule at first: the runs of the past are not measured by it.
    lenient = replace(
        settings, most=_NO_LIMIT, variants=_NO_LIMIT, opens_at=None, closes_at=None, upload_limit=_LARGEST
    )
    board = save_board(connection, lenient, actor=actor, now=now)
    for name, count, file in queries:
        new = NewVersion(board_id=board.id, name=name, queries=count, content_hash=file.content_hash)
        save_query_set(connection, new, actor=actor, now=now)
    for name, counts, file in labels:
        new = NewVersion(
            board_id=board.id, name=name, queries=counts.queries, content_hash=file.content_hash,
            relevance_level=levels.get(name),
        )  # fmt: skip
        save_label_set(connection, new, judged=counts.judged, actor=actor, now=now)
    return board


def _save_runs(
    connection: Connection,
    board: StoredBoard,
    settings: Board,
    runs: list[tuple[BoardRun, StoredFile]],
    *,
    actor: int | None,
    now: datetime,
) -> StoredBoard:
    if not runs:
        return _save_settings(connection, board, settings, actor=actor, now=now)
    importer = _importer(connection, now)
    numbers: dict[str, int] = {}
    dated = sorted(runs, key=lambda item: _moment(item[0], now))
    for place, (run, file) in enumerate(dated):
        team = _team(connection, run.team or NOBODY, importer, now)
        new = NewRun(
            board_id=board.id,
            team_id=team.id,
            submitted_by=importer.id,
            submission_key=f"import {place}",
            name=run.name,
            content_hash=file.content_hash,
            size=file.size,
            description=run.description,
            metadata={"file_name": clean_file_name(run.path.name if run.path else run.name)},
            # A variant of another team's run is none of this team.
            variant_of=numbers.get(f"{team.id} {run.variant_of}"),
            baseline=run.baseline,
        )
        new = with_header(new, run.metadata, board, now)
        numbers[f"{team.id} {run.name}"] = save_run(connection, new, now=_moment(run, now)).id
    return _save_settings(connection, board, settings, actor=actor, now=now)


def _save_settings(
    connection: Connection, board: StoredBoard, settings: Board, *, actor: int | None, now: datetime
) -> StoredBoard:
    """The settings for what comes; with a hidden share, runs are scored under it from the start."""
    saved = save_board_settings(connection, board.id, settings, version=board.version, actor=actor, now=now)
    if save_share(connection, saved, settings.hidden_share, actor=actor, now=now):
        return load_board(connection, board.id)
    return saved


def _moment(run: BoardRun, now: datetime) -> datetime:
    return now if run.date is None else datetime.combine(run.date, time(), UTC)


def _importer(connection: Connection, now: datetime) -> Person:
    importer = load_person_by_email(connection, IMPORTER)
    if importer is not None:
        return importer
    return save_person(
        connection, email=IMPORTER, display_name="Import", role="member", distinct_name=False, actor=None, now=now
    )


def _team(connection: Connection, name: str, founder: Person, now: datetime) -> Team:
    for team in load_teams(connection):
        if team.name == clean_name(name):
            return team
    slug = slug_of(name)
    try:
        return load_team_by_slug(connection, slug)
    except NotFoundError:
        return save_team(connection, slug=slug, name=name, founder=founder.id, distinct_name=False, now=now)
