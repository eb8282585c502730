"""Submit a run to a board of the server, or only look whether it would be taken."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from runoff.errors import (
    BusyError,
    ConflictError,
    InputError,
    LimitError,
    NoRoomError,
    NotFoundError,
    StoreError,
    UsageError,
)
from runoff.files.runs import run_name
from runoff.files.submission_folder import LONGEST_TEXT, RunMetadata
from runoff.phrases import listed
from runoff.results.check_messages import MISSING_METADATA
from runoff.server.cases.accounts.permissions import Actor, Thing, require
from runoff.server.cases.characters import check_characters
from runoff.server.cases.runs.suspicious import find_suspicions, list_depth
from runoff.server.cases.uploads.check import FoundInFile, OpenQueries, look_through
from runoff.server.cases.uploads.limited_process import USUAL_READER, LimitedReader
from runoff.server.cases.uploads.run import clean_file_name
from runoff.server.cases.views.stored_board import newest
from runoff.server.store.boards import StoredBoard, load_board
from runoff.server.store.database import Database
from runoff.server.store.files import FileStore, Incoming, remove_if_orphan
from runoff.server.store.label_sets import load_query_sets
from runoff.server.store.people import Team, load_members, load_teams
from runoff.server.store.run_lists import save_run_lists
from runoff.server.store.submissions import IR_METADATA, NewRun, Quota, StoredRun, load_quota, load_runs, save_run
from runoff.tables.run_metadata import description_of, missing_fields

if TYPE_CHECKING:
    from sqlalchemy import Connection

_BLOCK: Final = 1 << 20


@dataclass(frozen=True, kw_only=True)
class Submission:
    """What somebody sends: the name of the file, what they say of the run, and a key that they drew."""

    file_name: str
    submission_key: str
    metadata: RunMetadata = field(default_factory=RunMetadata)


@dataclass(frozen=True, kw_only=True)
class CheckResult:
    """What a dry run found: problems, how many of the board's open queries the run has, and the quota as it is."""

    problems: tuple[str, ...]
    queries: int
    missing_queries: int
    team: Team
    quota: Quota

    @property
    def is_fine(self) -> bool:
        """Whether the run would be taken and scored."""
        return not self.problems


class _CheckedError(Exception):
    """Ends a transaction that was only a check."""


def submit_run(  # noqa: PLR0913
    database: Database,
    files: FileStore,
    board: StoredBoard,
    actor: Actor,
    incoming: Incoming,
    submission: Submission,
    *,
    reader: LimitedReader = USUAL_READER,
    turn: AbstractContextManager[object] | None = None,
    now: datetime,
) -> StoredRun:
    """Look through the file, take the submission, keep the file and queue it for scoring.

    A file with faults is refused, and nothing of it is kept; so is one that the rule or the board does not allow. The
    same key again gives the same run.

    incoming   the file, whole, in the same file store
    reader     reads it, in a process of its own
    turn       held while it is read; what can be refused without reading it is refused before
    """
    check_words(submission)
    with database.read() as connection:
        team = own_team(connection, actor, submission.metadata.team)
        runs = load_runs(connection, board.id, team_id=team.id)
        # Sent before, by its key or its content; `save_run` then says which run it is.
        is_there = submission.submission_key in {run.submission_key for run in runs}
        is_there |= incoming.content_hash in {run.content_hash for run in runs if run.state != "rejected"}
    if incoming.size > board.upload_limit:
        raise LimitError([_too_large(clean_file_name(submission.file_name), incoming.size, board.upload_limit)])
    incoming.settle()
    content: FoundInFile | None = None
    if not is_there:
        # Before the file is read, so that who would be refused costs no more than an upload; `save_run` checks again.
        _try(database, board, team, actor, incoming, submission, now)
        with turn or nullcontext():
            content = _look_through(database, files, board, incoming.path, submission, reader)
        if content.problems:
            raise InputError(content.problems)

    def work(connection: Connection) -> StoredRun:
        new = _new_run(connection, board, team, actor, submission, incoming.content_hash, incoming.size)
        run = save_run(connection, new if content is None else with_header(new, content.metadata, board, now), now=now)
        if content is not None:
            # Behind the lock of the team and its people: of two runs at once the second is compared with the first.
            problems = _suspicions(connection, board, team, content, submission, run_id=run.id)
            if problems:
                raise InputError(problems)
            save_run_lists(connection, run.id, content.lists)
        # Last, when nothing can refuse any more but the commit itself; before it, so that no row is without its file.
        incoming.keep()
        return run

    try:
        with files.holding():
            return database.write(work)
    except (BusyError, NoRoomError):
        # Nothing was committed, for certain. Where it is not known, `remove_orphans` looks a day later.
        if incoming.is_kept:
            with suppress(StoreError):
                remove_if_orphan(database, files, incoming.content_hash)
        raise


def check_run(  # noqa: PLR0913
    database: Database,
    files: FileStore,
    board: StoredBoard,
    actor: Actor,
    incoming: Incoming,
    submission: Submission,
    *,
    reader: LimitedReader = USUAL_READER,
    turn: AbstractContextManager[object] | None = None,
    now: datetime,
) -> CheckResult:
    """Do everything that `submit_run` and scoring on open labels would check, and leave nothing behind.

    A board that is closed and a file that was sent before are problems like those of the file, which is read all the
    same.
    """
    check_words(submission)
    with database.read() as connection:
        team = own_team(connection, actor, submission.metadata.team)
        quota = load_quota(connection, board, team.id, now)

    problems: list[str] = []
    try:
        _try(database, board, team, actor, incoming, submission, now)
    except (UsageError, InputError, ConflictError) as error:
        problems.append(str(error))
    with turn or nullcontext():
        content = _look_through(database, files, board, incoming.path, submission, reader)
    if not content.problems:
        with database.read() as connection:
            problems += _suspicions(connection, board, team, content, submission)
    return CheckResult(
        problems=(*problems, *content.problems),
        queries=content.queries,
        missing_queries=content.missing_queries,
        team=team,
        quota=quota,
    )


def _try(
    database: Database,
    board: StoredBoard,
    team: Team,
    actor: Actor,
    incoming: Incoming,
    submission: Submission,
    now: datetime,
) -> None:
    """Raise what `save_run` would: for the quota, the name, a closed board; nothing is kept."""

    def attempt(connection: Connection) -> None:
        new = _new_run(connection, board, team, actor, submission, incoming.content_hash, incoming.size)
        save_run(connection, new, now=now)
        raise _CheckedError

    with suppress(_CheckedError):
        database.write(attempt)


def draw_key() -> str:
    """A key for a submission whose sender drew none."""
    return f"drawn {secrets.token_hex(16)}"


def check_words(submission: Submission) -> None:
    """Raise unless every text can be kept and shown: no control characters, and nothing that is not text."""
    metadata = submission.metadata
    texts = {name: getattr(metadata, name) for name in ("name", "team", "description", "variant_of")}
    for field_name, text in {**texts, **metadata.more, "key": submission.submission_key}.items():
        check_characters(field_name, text or "")


def own_team(connection: Connection, actor: Actor, wanted: str | None) -> Team:
    """The team to submit for: the one that is named, or the only one that the actor is in."""
    teams = load_teams(connection, person_id=actor.id) if actor.id is not None else ()
    if wanted is None:
        require(actor, "submit run", Thing(team=teams[0].id if teams else None))
        if len(teams) > 1:
            names = ", ".join(repr(team.name) for team in teams)
            raise UsageError(f"you are in {len(teams)} teams; expected one of {names}; name it as `team` in metadata")
        teams[0].check_approved()
        return teams[0]
    for team in teams:
        if wanted in (team.slug, team.name):
            require(actor, "submit run", Thing(team=team.id))
            team.check_approved()
            return team
    require(actor, "submit run", Thing(team=None))
    raise NotFoundError("unreachable")  # pragma: no cover


def read_blocks(path: Path) -> Iterator[bytes]:
    """The content of a file, block by block."""
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            yield block


def _look_through(
    database: Database,
    files: FileStore,
    board: StoredBoard,
    path: Path,
    submission: Submission,
    reader: LimitedReader,
) -> FoundInFile:
    with database.read() as connection:
        queries = open_queries(connection, files, board)
    content = look_through(path, queries, file_name=submission.file_name, reader=reader)
    missing = () if content.problems else missing_fields(content.metadata, board.required_metadata or ())
    if not missing:
        return content
    problem = MISSING_METADATA.finding(fields=listed(missing)).sentence
    return replace(content, problems=(f"{clean_file_name(submission.file_name)}: {problem}",))


def open_queries(connection: Connection, files: FileStore, board: StoredBoard) -> OpenQueries:
    """What a run file of a board is held against: nothing that is private, and no labels."""
    sets = newest(load_query_sets(connection, board.id)).values()
    try:
        lists = [(queries.name, files.path(queries.content_hash)) for queries in sets if queries.content_hash]
    except NotFoundError as error:
        # Not what was asked for: the server's own file is gone.
        raise StoreError(str(error)) from error
    return OpenQueries(board=board.slug, lists=lists, depth=list_depth(connection, board))


def _suspicions(
    connection: Connection,
    board: StoredBoard,
    team: Team,
    content: FoundInFile,
    submission: Submission,
    *,
    run_id: int | None = None,
) -> tuple[str, ...]:
    """Why the board refuses a run as suspicious; empty where it does not."""
    if load_board(connection, board.id).suspicious_runs != "refuse":
        return ()
    people = frozenset(person.id for person in load_members(connection, team.id))
    called = clean_file_name(submission.file_name)
    return find_suspicions(
        connection, board, content.lists, called=called, team_id=team.id, people=people, run_id=run_id
    )


def _too_large(called: str, size: int, limit: int) -> str:
    return f"{called}: {size:,} bytes; this board takes {limit:,} at most; send a smaller file"


def _new_run(
    connection: Connection,
    board: StoredBoard,
    team: Team,
    actor: Actor,
    submission: Submission,
    content_hash: str,
    size: int,
) -> NewRun:
    said = submission.metadata
    file_name = clean_file_name(submission.file_name)
    runs = load_runs(connection, load_board(connection, board.id).id, team_id=team.id)
    metadata: dict[str, Any] = {"file_name": file_name, **said.more}
    named_from, shown_from = (
        None if day is None else datetime.combine(day, time(), UTC)
        for day in (said.anonymous_until, said.embargo_until)
    )
    return NewRun(
        board_id=board.id,
        team_id=team.id,
        submitted_by=int(actor.id or 0),
        submission_key=submission.submission_key,
        name=_free_name(said.name or run_name(file_name), runs),
        content_hash=content_hash,
        size=size,
        description=said.description,
        metadata=metadata,
        variant_of=None if said.variant_of is None else _variant(said.variant_of, runs),
        anonymous=said.anonymous,
        anonymous_until=named_from,
        embargo_until=shown_from,
    )


def with_header(new: NewRun, header: Mapping[str, Any], board: StoredBoard, now: datetime) -> NewRun:
    """The run with what the header of its file says; a description that its team gave stays.

    A description could tell who made the run, so where nobody is to know that it is not taken from the header.
    """
    if not header:
        return new
    is_named = board.shows_teams(now) and not new.anonymous
    description = new.description or (description_of(header)[:LONGEST_TEXT] if is_named else "")
    return replace(new, description=description, metadata={**new.metadata, IR_METADATA: dict(header)})


def _free_name(name: str, runs: tuple[StoredRun, ...]) -> str:
    """The name, or with a number behind it if a rejected run of the team has it: its repair may keep the name."""
    rejected = {run.name for run in runs if run.state == "rejected"}
    taken = {run.name for run in runs}
    free_name, number = name, 1
    while free_name in rejected or (number > 1 and free_name in taken):
        number += 1
        free_name = f"{name} ({number})"
    return free_name


def _variant(name: str, runs: tuple[StoredRun, ...]) -> int:
    for run in runs:
        if run.name == name and run.state != "rejected":
            return run.id
    names = ", ".join(repr(run.name) for run in runs if run.state != "rejected") or "none yet"
    raise UsageError(f"variant_of {name[:100]!r} is not a run of your team on this board; expected one of {names}")
