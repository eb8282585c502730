"""A small board in files with public and private queries, and a server's store that holds it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from runoff.errors import RunoffError
from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.boards.make import make_board
from runoff.server.cases.runs.score import JOB_KINDS, score_submission
from runoff.server.store.boards import StoredBoard
from runoff.server.store.database import Database
from runoff.server.store.files import FileStore
from runoff.server.store.jobs import take_job
from runoff.server.store.people import Person, Team, save_person, save_team
from tests.server.cases.reading_here import HERE
from tests.server.store.snapshots import filled

NOW = datetime(2026, 3, 15, 12, 30, tzinfo=UTC)
PUBLIC = [f"q{number}" for number in range(24)]
# Nothing else is spelled like this, so a leak can be searched for.
PRIVATE = [f"zzsealedzz{number}" for number in range(24)]


def run_text(seed: int, *, skill: float = 0.5, queries: list[str] | None = None, depth: int = 10) -> str:
    """A TREC run; the relevant document of a query, `d`, is near the top with a chance of `skill`."""
    draw = random.Random(seed)
    lines = []
    for query in PUBLIC + PRIVATE if queries is None else queries:
        docs = [f"x{draw.randrange(1000)}-{rank}" for rank in range(depth)]
        docs[draw.randrange(3) if draw.random() < skill else draw.randrange(3, depth)] = "d"
        lines += [f"{query} Q0 {doc} {rank} {depth - rank} run{seed}\n" for rank, doc in enumerate(docs)]
    return "".join(lines)


def write_board(folder: Path, *, runs: int = 3) -> Path:
    """A board.toml beside its files."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "public.txt").write_text("\n".join(PUBLIC) + "\n")
    (folder / "private.txt").write_text("\n".join(PRIVATE) + "\n")
    (folder / "qrels.txt").write_text("".join(f"{query} 0 d 1\n{query} 0 x 0\n" for query in PUBLIC + PRIVATE))
    text = 'title = "Trees <b>"\nmeasure = "RR@10"\npublic_labels = "open"\n'
    text += '[queries.public]\npath = "public.txt"\n[queries.private]\npath = "private.txt"\n'
    text += '[labels.dev]\npath = "qrels.txt"\n'
    for number in range(runs):
        (folder / f"run{number}.txt").write_text(run_text(number, skill=0.3 + 0.2 * number))
        text += f'[[runs]]\npath = "run{number}.txt"\nname = "run {number}"\nteam = "Team {number % 2}"\n'
        text += f"date = 2026-01-0{number + 1}\nbaseline = {str(number == 0).lower()}\n"
    (folder / "board.toml").write_text(text)
    return folder / "board.toml"


def write_with_development(folder: Path, *, runs: int = 3) -> Path:
    """The same with a third of the public queries for development."""
    file = write_board(folder, runs=runs)
    (folder / "development.txt").write_text("\n".join(PUBLIC[:8]) + "\n")
    (folder / "public.txt").write_text("\n".join(PUBLIC[8:]) + "\n")
    text = file.read_text().replace("[labels.dev]", '[queries.development]\npath = "development.txt"\n[labels.dev]')
    file.write_text(text)
    return file


@dataclass(frozen=True, kw_only=True)
class Served:
    """A store with a board whose runs wait to be scored, and a team that may submit."""

    database: Database
    files: FileStore
    board: StoredBoard
    member: Person
    organiser: Person
    team: Team
    toml: Path

    @classmethod
    def made_in(
        cls,
        database: Database,
        folder: Path,
        *,
        runs: int = 3,
        write: Callable[..., Path] = write_board,
        **settings: Any,
    ) -> Served:
        """Fill a database that has tables and nothing in them; `write` writes the files of its board."""

        def fill() -> Served:
            return cls._made_anew(database, folder, runs=runs, write=write, **settings)

        made = filled(database, folder, (cls, runs, write, tuple(sorted(settings.items()))), fill)
        return made.moved(database, folder)

    def moved(self, database: Database, folder: Path) -> Served:
        """The same in a copy of its database and folder."""
        toml = folder / "described" / self.toml.name
        return replace(self, database=database, files=FileStore(folder / "files"), toml=toml)

    @classmethod
    def _made_anew(
        cls, database: Database, folder: Path, *, runs: int, write: Callable[..., Path], **settings: Any
    ) -> Served:
        files = FileStore(folder / "files")
        toml = write(folder / "described", runs=runs)

        def people(connection):
            member = save_person(
                connection, email="ann@example.org", display_name="Ann", role="member", actor=None, now=NOW
            )
            organiser = save_person(
                connection, email="olga@example.org", display_name="Olga", role="organiser", actor=None, now=NOW
            )
            team = save_team(connection, slug="oaks", name="Oaks", founder=member.id, now=NOW)
            return {"member": member, "organiser": organiser, "team": team}

        found = database.write(people)
        board = make_board(database, files, toml, slug="trees", settings={"most": 3, **settings}, now=NOW, reader=HERE)
        return cls(database=database, files=files, board=board, toml=toml, **found)

    @property
    def actor(self) -> Actor:
        """The member of the team."""
        return Actor(id=self.member.id, role="member", teams=frozenset({self.team.id}))

    def work(self, *, now: datetime = NOW) -> list[str]:
        """Do all jobs that wait, and return how each ended."""
        done = []
        while job := self.database.write(
            lambda connection: take_job(connection, JOB_KINDS, worker="w", lease=timedelta(minutes=1), now=now)
        ):
            try:
                limits: dict[str, Any] = {"reader": HERE}
                done.append(score_submission(self.database, self.files, job, now=lambda: now, **limits))
            except RunoffError as error:
                done.append(f"{type(error).__name__}: {error}")
                raise
        return done
