"""A board with scored runs, an organiser, and campaigns on it with assessors who know which document is the best."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.boards.make import make_board
from runoff.server.cases.judging.background import CAMPAIGN_KINDS, do_campaign_job
from runoff.server.cases.judging.enter import consent, enter_campaign, make_campaign_link
from runoff.server.cases.judging.judge import TaskSheet, choose, finish_task, offer_task
from runoff.server.cases.judging.manage import create_campaign, start_campaign
from runoff.server.cases.runs.score import JOB_KINDS, score_submission
from runoff.server.store.boards import StoredBoard
from runoff.server.store.campaigns import Campaign, load_campaign
from runoff.server.store.database import Database
from runoff.server.store.files import FileStore
from runoff.server.store.jobs import take_job
from runoff.server.store.people import save_person
from runoff.server.store.submissions import load_runs
from runoff.tables.campaign_settings import CampaignSettings
from tests.server.cases.reading_here import HERE
from tests.server.store.snapshots import filled

NOW = datetime(2026, 3, 15, 12, 30, tzinfo=UTC)
QUERIES = [f"q{number}" for number in range(8)]
DOCS = "abcde"
MOST_BYTES = 10_000_000


def run_text(seed: int) -> str:
    """A run: the documents `a.q1` to `e.q1` of query q1 in some order; `a` is the label, and the further the better."""
    draw = random.Random(seed)
    lines = []
    for query in QUERIES:
        docs = draw.sample(DOCS, len(DOCS))
        lines += [f"{query} Q0 {doc}.{query} {rank} {10 - rank} run{seed}\n" for rank, doc in enumerate(docs)]
    return "".join(lines)


def write_board(folder: Path, runs: int) -> Path:
    folder.mkdir(parents=True)
    (folder / "qrels.txt").write_text("".join(f"{query} 0 a.{query} 1\n" for query in QUERIES))
    text = 'title = "Trees"\nmeasure = "RR@10"\n[labels.dev]\npath = "qrels.txt"\n'
    for number in range(runs):
        (folder / f"run{number}.txt").write_text(run_text(number))
        text += f'[[runs]]\npath = "run{number}.txt"\nname = "run {number}"\nteam = "Team {number}"\n'
        text += f"date = 2026-01-0{number + 1}\nbaseline = true\n"
    (folder / "board.toml").write_text(text)
    return folder / "board.toml"


def better(left: str, right: str) -> str:
    """The side of the better document."""
    return "left" if left > right else "right"


@dataclass
class Campaigned:
    """A store with a board whose runs are scored; `now` moves on with every answer."""

    database: Database
    files: FileStore
    board: StoredBoard
    organiser: Actor
    folder: Path
    clock: list[datetime] = field(default_factory=lambda: [NOW])

    @classmethod
    def made_in(cls, database: Database, folder: Path, *, runs: int = 3) -> Campaigned:
        key = cls, runs, tuple(QUERIES), DOCS  # tests set these to others
        made = filled(database, folder, key, lambda: cls._made_anew(database, folder, runs))
        return made.moved(database, folder)

    def moved(self, database: Database, folder: Path) -> Campaigned:
        """The same in a copy of its database and folder."""
        return replace(
            self, database=database, folder=folder, files=FileStore(folder / "files"), clock=list(self.clock)
        )

    @classmethod
    def _made_anew(cls, database: Database, folder: Path, runs: int) -> Campaigned:
        files = FileStore(folder / "files")
        row: dict[str, Any] = {"email": "olga@example.org", "display_name": "Olga", "role": "organiser"}
        person = database.write(lambda c: save_person(c, **row, actor=None, now=NOW))
        toml = write_board(folder / "described", runs)
        board = make_board(database, files, toml, slug="trees", settings={"most": 9}, now=NOW, reader=HERE)
        made = cls(database, files, board, Actor(id=person.id, role="organiser"), folder)
        made.work()
        return made

    def now(self) -> datetime:
        return self.clock[-1]

    def wait(self, **span: float) -> datetime:
        self.clock.append(self.now() + timedelta(**span))
        return self.now()

    def work(self) -> list[str]:
        """Do all jobs that wait."""
        done = []
        kinds = (*JOB_KINDS, *CAMPAIGN_KINDS)
        options = {"now": self.now, "reader": HERE}
        while job := self.database.write(
            lambda c: take_job(c, kinds, worker="w", lease=timedelta(minutes=1), now=self.now())
        ):
            do = do_campaign_job if job.kind in CAMPAIGN_KINDS else score_submission
            done.append(do(self.database, self.files, job, **options))  # type: ignore[arg-type]
        return done

    def read(self, function: Any, *arguments: Any, **options: Any) -> Any:
        with self.database.read() as connection:
            return function(connection, *arguments, **options)

    @property
    def run_ids(self) -> list[int]:
        return [run.id for run in self.read(load_runs, self.board.id)]

    def settings(self, **changes: Any) -> CampaignSettings:
        row: dict[str, Any] = {
            "slug": "best",
            "title": "Best",
            "board_id": self.board.id,
            "label_set": "dev",
            "pairs_per_task": 4,
        }
        return CampaignSettings(**(row | {"tests_per_task": 1} | changes))

    def draft(self, *, runs: int | None = None, **changes: Any) -> Campaign:
        chosen = self.run_ids[:runs]
        made = create_campaign(self.database, self.settings(**changes), chosen, actor=self.organiser, now=self.now())
        self.work()
        return made

    def start(self, campaign: Campaign) -> Campaign:
        start_campaign(self.database, self.files, campaign.id, actor=self.organiser, now=self.now, reader=HERE)
        self.work()
        with self.database.read() as connection:
            return load_campaign(connection, campaign.id)

    def opened(self, **options: Any) -> Campaign:
        return self.start(self.draft(**options))

    def assessor(self, campaign: Campaign) -> Actor:
        """Somebody who was invited and has consented."""
        token = make_campaign_link(self.database, campaign.id, actor=self.organiser, now=self.now())
        came = enter_campaign(self.database, token, session=timedelta(hours=1), now=self.now())
        actor = Actor(id=came.person.id, role="assessor")
        consent(self.database, campaign.id, actor=actor, now=self.now())
        return actor

    def offer(self, campaign: Campaign, actor: Actor):
        return offer_task(self.database, campaign.id, actor=actor, now=self.now())

    def answer(self, sheet: TaskSheet, actor: Actor, *, wrong: bool = False, pairs: int | None = None) -> None:
        """Prefer the better documents, those of the pair's query; `wrong` prefers the others."""
        for pair in sheet.pairs[:pairs]:
            side = better(*(_worth(doc, pair.query) for doc in (pair.left, pair.right)))
            side = {"left": "right", "right": "left"}[side] if wrong else side
            choose(
                self.database, sheet.assignment.id, pair.id, side,  # type: ignore[arg-type]
                claimed=5.0 + pair.place, actor=actor, now=self.wait(seconds=7),
            )  # fmt: skip

    def do(self, campaign: Campaign, actor: Actor, *, wrong: bool = False) -> str | None:
        """Do the next task, if there is one."""
        offer = self.offer(campaign, actor)
        if offer.sheet is None:
            return None
        self.answer(offer.sheet, actor, wrong=wrong)
        return finish_task(self.database, offer.sheet.assignment.id, actor=actor, now=self.now())

    def judge_all(self, campaign: Campaign, actors: list[Actor]) -> int:
        """Let assessors do tasks in turn until there is nothing more for any of them; return how many tasks."""
        done = 0
        while ended := [state for actor in actors if (state := self.do(campaign, actor))]:
            done += len(ended)
        return done


def _worth(doc: str, query: str) -> str:
    """Documents of other queries are worth nothing; the last letters are the best."""
    return doc if doc.endswith(f".{query}") else ""
