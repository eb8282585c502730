"""A server in the test's own process, with a board, people and a clock that tests set."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient
from sqlalchemy import func, select

from runoff.server.cases.accounts.sign_in import make_api_token
from runoff.server.cases.uploads.limited_process import LimitedReader
from runoff.server.site import Site, SiteSettings
from runoff.server.store.access import hash_password
from runoff.server.store.database import Database
from runoff.server.store.models import METADATA
from runoff.server.store.people import Person, save_rehashed_password
from runoff.server.store.submissions import NewRun, load_quota, save_run
from runoff.server.web.app import create_app
from runoff.server.web.visitors import csrf_of
from runoff.server.worker import Worker
from tests.server.cases.reading_here import HERE
from tests.server.cases.served import NOW, Served, run_text
from tests.server.store.snapshots import filled

UPLOAD_LIMIT = 3_000_000
READ_LIMIT = 5_000_000
API = "/api/v1"


@dataclass
class Clock:
    """Tells the time that it was set to."""

    moment: datetime = NOW

    def __call__(self) -> datetime:
        return self.moment


def done_by(site: Site) -> int:
    """Do all jobs that wait, and count them."""
    worker, done = Worker(site), 0
    while worker.work_once():
        done += 1
    return done


@dataclass(kw_only=True)
class Serving:
    """What tests talk to."""

    client: TestClient
    site: Site
    served: Served
    clock: Clock
    token: str
    numbers: Iterator[int] = field(default_factory=lambda: iter(range(1000, 100_000)))

    @classmethod
    @contextmanager
    def made_in(
        cls, database: Database, folder: Path, *, work: bool = True, reader: LimitedReader = HERE, **settings: Any
    ) -> Iterator[Serving]:
        """Fill a database that has tables and nothing in them, and serve it.

        reader  reads what is sent; by default in this process
        """
        clock = Clock()
        limits = SiteSettings(upload_limit=UPLOAD_LIMIT, read_limit=READ_LIMIT, base_url="http://testserver")

        def fill() -> tuple[Served, str]:
            served = Served.made_in(database, folder, **settings)
            token, _ = make_api_token(database, served.member, name="t", scopes=frozenset({"read", "submit"}), now=NOW)
            if work:
                done_by(Site(database=database, files=served.files, settings=limits, now=clock, reader=HERE))
            return served, token

        served, token = filled(database, folder, (cls, work, tuple(sorted(settings.items()))), fill)
        served = served.moved(database, folder)
        limited = replace(reader, max_bytes=READ_LIMIT)
        site = Site(database=database, files=served.files, settings=limits, now=clock, reader=limited)
        with TestClient(create_app(site), follow_redirects=False) as client:
            yield cls(client=client, site=site, served=served, clock=clock, token=token)

    @property
    def bearer(self) -> dict[str, str]:
        """The header of the member's token."""
        return {"Authorization": f"Bearer {self.token}"}

    def token_of(self, person: Person, *scopes: str) -> dict[str, str]:
        """The header of a new token of a person."""
        token, _ = make_api_token(self.site.database, person, name="t", scopes=frozenset(scopes), now=NOW)  # type: ignore[arg-type]
        return {"Authorization": f"Bearer {token}"}

    def work(self) -> int:
        """Do all jobs that wait."""
        return done_by(self.site)

    def send(
        self, content: bytes | str | None = None, *, name: str = "a.run", said: Any = None, key: str = "", **query: Any
    ) -> Any:
        """Submit a run; each call sends another one unless its content is given."""
        content = run_text(next(self.numbers)) if content is None else content
        headers = {**self.bearer, **({"Idempotency-Key": key} if key else {})}
        said = {"name": f"run {next(self.numbers)}"} if said is None else said
        return self.client.post(
            f"{API}/boards/trees/runs",
            params=query,
            files={"file": (name, content)},
            data={"metadata": said if isinstance(said, str) else json.dumps(said)},
            headers=headers,
        )

    def sign_in(self, person: Person, password: str = "correct horse battery") -> str:
        """Sign a person in with a new password, and return what forms have to send."""
        hashed = hash_password(password)
        # As if it was that before: a new one would revoke tokens.
        self.site.database.write(lambda connection: save_rehashed_password(connection, person.id, hashed))
        self.client.cookies.clear()
        answer = self.client.post("/sign-in", data={"email": person.email, "password": password})
        assert answer.status_code == 303, answer.text
        return csrf_of(self.client.cookies["runoff"])

    def run(self, number: int, headers: dict[str, str] | None = None) -> Any:
        """The answer about a run."""
        return self.client.get(f"{API}/runs/{number}", headers=self.bearer if headers is None else headers)

    def refused(self, content: bytes | str, **more: Any) -> list[str]:
        """Submit a bad run and return its problems; nothing of it is kept."""
        before = self.everything()
        answer = self.send(content, **more)
        assert answer.status_code in {413, 422}, answer.text
        assert self.everything() == before
        return list(answer.json()["error"]["problems"])

    def rejected(self, content: bytes, *, name: str = "a.run", said: str = "n") -> Any:
        """Put a bad run past the door, let it be scored, and return the answer about it."""
        stored = self.site.files.save([content], limit=UPLOAD_LIMIT)
        new = NewRun(
            board_id=self.served.board.id,
            team_id=self.served.team.id,
            submitted_by=self.served.member.id,
            submission_key=f"past {next(self.numbers)}",
            name=said,
            content_hash=stored.content_hash,
            size=stored.size,
            metadata={"file_name": name},
        )
        run = self.site.database.write(lambda connection: save_run(connection, new, now=self.clock()))
        self.work()
        found = self.run(run.id).json()
        assert found["status"] == "rejected", found
        return found

    def everything(self) -> tuple[Any, ...]:
        """What would change if anything was kept: files, rows of every table, the quota."""
        files = sorted(
            str(file) for file in self.site.files.folder.rglob("*") if file.is_file() and file.name != "lock"
        )
        with self.site.database.read() as connection:
            rows = [
                (table.name, connection.execute(select(func.count()).select_from(table)).scalar_one())
                for table in METADATA.sorted_tables
            ]
            quota = load_quota(connection, self.served.board, self.served.team.id, self.clock())
        return files, rows, quota
