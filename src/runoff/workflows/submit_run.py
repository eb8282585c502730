"""Submit a run to a board of the server, or only look whether it would be taken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from runoff.errors import InputError, NotFoundError, UsageError
from runoff.files.qrels import read_qrels
from runoff.files.run_metadata import RunMetadata
from runoff.files.runs import run_name
from runoff.store.boards import StoredBoard, load_board
from runoff.store.database import Database
from runoff.store.files import FileStore
from runoff.store.label_sets import load_label_sets
from runoff.store.quotas import Quota, check_quota, load_quota
from runoff.store.submissions import NewRun, StoredRun, load_runs, save_run
from runoff.store.teams import Team, load_teams
from runoff.workflows.permissions import Actor, Thing, require
from runoff.workflows.stored_board import in_use
from runoff.workflows.uploaded_run import SHOWN_PROBLEMS, clean_file_name, readable_run, score_upload

if TYPE_CHECKING:
    from sqlalchemy import Connection

_BLOCK: Final = 1 << 20
_NOT_STORED: Final = "0" * 64


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
    quota: Quota

    @property
    def is_fine(self) -> bool:
        """Whether the run would be taken and scored."""
        return not self.problems


class _CheckedError(Exception):
    """Ends a transaction that was only a check."""


def submit_run(
    database: Database,
    files: FileStore,
    board: StoredBoard,
    actor: Actor,
    chunks: Iterable[bytes],
    submission: Submission,
    *,
    limit: int,
    now: datetime,
) -> StoredRun:
    """Store the file, take the submission and queue it for scoring; the same key again gives the same run.

    limit  bytes of an upload, whatever the board allows
    """
    with database.read() as connection:
        team = own_team(connection, actor, submission.metadata.team)
        if not _is_repeated(connection, board, team, submission):
            # Before the file is stored, so that nobody without a slot can fill the disk; `save_run` checks again.
            check_quota(connection, board, team.id, variant=submission.metadata.variant_of is not None, now=now)
    stored = files.save(chunks, limit=min(limit, board.upload_limit))
    return database.write(
        lambda connection: save_run(
            connection,
            _new_run(connection, board, team, actor, submission, stored.content_hash, stored.size),
            now=now,
        )
    )


def check_run(
    database: Database,
    files: FileStore,
    board: StoredBoard,
    actor: Actor,
    path: Path,
    submission: Submission,
    *,
    max_bytes: int,
    now: datetime,
) -> CheckResult:
    """Do everything that `submit_run` and scoring on open labels would check, and leave nothing behind."""
    with database.read() as connection:
        team = own_team(connection, actor, submission.metadata.team)
        quota = load_quota(connection, board, team.id, now)
        labels = [one for one in in_use(load_label_sets(connection, board.id)).values() if one.content_hash]

    def attempt(connection: Connection) -> None:
        new = _new_run(connection, board, team, actor, submission, _NOT_STORED, path.stat().st_size)
        save_run(connection, new, now=now)
        raise _CheckedError

    problems: list[str] = []
    try:
        database.write(attempt)
    except _CheckedError:
        pass
    except (UsageError, InputError) as error:
        problems.append(str(error))
    called = clean_file_name(submission.file_name)
    queries = missing = 0
    try:
        with readable_run(path, called=called, max_bytes=max_bytes) as readable:
            for one in labels[:1]:
                qrels = read_qrels(files.path(str(one.content_hash)), name=one.name)
                scored = score_upload(readable, qrels, board, name="run", max_bytes=max_bytes)
                queries, missing = len(qrels.query_ids), scored.facts.missing_queries
                if missing == queries:
                    raise InputError([f"{called}: no query of this file is one of board {board.slug!r}"])  # noqa: TRY301
    except InputError as error:
        problems += error.problems[:SHOWN_PROBLEMS]
    return CheckResult(problems=tuple(problems), queries=queries, missing_queries=missing, quota=quota)


def own_team(connection: Connection, actor: Actor, wanted: str | None) -> Team:
    """The team to submit for: the one that is named, or the only one that the actor is in."""
    teams = load_teams(connection, person_id=actor.id) if actor.id is not None else ()
    if wanted is None:
        require(actor, "submit run", Thing(team=teams[0].id if teams else None))
        if len(teams) > 1:
            known = ", ".join(repr(team.name) for team in teams)
            raise UsageError(f"you are in {len(teams)} teams; expected one of {known}; name it as `team` in metadata")
        return teams[0]
    for team in teams:
        if wanted in (team.slug, team.name):
            require(actor, "submit run", Thing(team=team.id))
            return team
    require(actor, "submit run", Thing(team=None))
    raise NotFoundError("unreachable")  # pragma: no cover


def read_blocks(path: Path) -> Iterator[bytes]:
    """The content of a file, block by block."""
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            yield block


def _is_repeated(connection: Connection, board: StoredBoard, team: Team, submission: Submission) -> bool:
    runs = load_runs(connection, board.id, team_id=team.id)
    return any(run.submission_key == submission.submission_key for run in runs)


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
    embargo = None if said.embargo_until is None else datetime.combine(said.embargo_until, time(), UTC)
    metadata: dict[str, Any] = {"file_name": file_name, **said.more}
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
        variant_of=_variant(said.variant_of, runs),
        anonymous=said.anonymous,
        embargo_until=embargo,
    )


def _free_name(name: str, runs: tuple[StoredRun, ...]) -> str:
    """The name, or with a number behind it if a rejected run of the team has it: its repair may keep the name."""
    rejected = {run.name for run in runs if run.state == "rejected"}
    taken = {run.name for run in runs}
    found, number = name, 1
    while found in rejected or (number > 1 and found in taken):
        number += 1
        found = f"{name} ({number})"
    return found


def _variant(name: str | None, runs: tuple[StoredRun, ...]) -> int | None:
    if name is None:
        return None
    for run in runs:
        if run.name == name and run.state != "rejected":
            return run.id
    known = ", ".join(repr(run.name) for run in runs if run.state != "rejected") or "none yet"
    raise UsageError(f"variant_of {name[:100]!r} is no run of your team on this board; expected one of {known}")
