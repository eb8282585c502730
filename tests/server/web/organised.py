"""The board of the organiser's journey as it is after some of the steps, made without a browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from runoff.server.cases.boards.files import SentFile, SentSets, describe_sets
from runoff.server.cases.boards.make import make_board, slug_of
from runoff.server.site import Site
from runoff.server.store.people import Team, save_member, save_person, save_team
from runoff.server.store.submissions import NewRun, save_run
from runoff.tables.settings import OrganiserSettings
from tests.server.cases.reading_here import HERE
from tests.server.cases.served import NOW, PRIVATE, PUBLIC, run_text
from tests.server.store.snapshots import filled
from tests.server.web.serving import Clock, done_by
from tests.server.web.travel import Traveller, new_site, running

ORGANISER = "olga@example.org"
REVEAL = NOW + timedelta(days=40)
EMBARGO = datetime(2026, 4, 1, tzinfo=UTC)
FILES = {
    "qrels": "".join(f"{query} 0 d 1\n{query} 0 x 0\n" for query in PUBLIC),
    "better": "".join(f"{query} 0 d 1\n{query} 0 x 0\n" for query in PUBLIC[2:]) + "q0 0 none 1\nq1 0 none 1\n",
    "broken-qrels": "q0 0 d 1\nq1 0 d\nq2 0 d many\n",
    "secret": "".join(f"{query} 0 d 1\n" for query in PRIVATE),
    "broken": "q0 Q0 d 1 2.5 mine\nq1 Q0 d 1 high mine\nq2 Q0 d\n",
    **{f"run{number}": run_text(number, skill=0.2 + 0.15 * number) for number in range(5)},
}
"""Labels, and runs good and bad."""


def write_files(folder: Path) -> dict[str, Path]:
    """The files that people send."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return {name: folder / name for name in FILES}


@dataclass
class Organised:
    """A running server, its clock, and the files that people send to it."""

    site: Site
    clock: Clock
    files: dict[str, Path]

    @property
    def address(self) -> str:
        """Where it is."""
        return self.site.settings.base_url

    def person(self, browser: Any, name: str, *, dark: bool = False) -> Traveller:
        """Somebody who is signed in."""
        traveller = Traveller(browser, self.address, dark=dark)
        traveller.is_signed_in(self.site, f"{name}@example.org")
        return traveller


@contextmanager
def organised(folder: Path, *, people: bool = True, board: bool = True, runs: bool = True) -> Iterator[Organised]:
    """A server with an organiser, a board, three members in two teams, and their runs, as far as they are wanted."""
    site, port = new_site(folder, clock := Clock(NOW))
    files = write_files(folder / "sent")

    def fill() -> None:
        teams = _fill_people(site) if people else {}
        if board:
            _make_board(site, files, folder)
        if runs:
            _submit(site, files, teams)

    filled(site.database, folder, ("organised", people, board, runs), fill)
    with running(site, port):
        yield Organised(site, clock, files)
    site.close()


def _fill_people(site: Site) -> dict[str, Team]:
    """Ann is alone in her team; Bob has a colleague, Cleo."""

    def fill(connection: Any) -> dict[str, Team]:
        numbers = {}
        for name, role in (("Olga", "organiser"), ("Ann", "member"), ("Bob", "member"), ("Cleo", "member")):
            row: Any = {"email": f"{name.lower()}@example.org", "display_name": name, "role": role}
            numbers[name] = save_person(connection, **row, actor=None, now=NOW).id
        teams = {
            name: save_team(connection, slug=slug_of(name), name=name, founder=numbers[founder], now=NOW)
            for name, founder in (("Oaks", "Ann"), ("Elms & Sons", "Bob"))
        }
        save_member(connection, teams["Elms & Sons"].id, numbers["Cleo"], actor=numbers["Bob"], now=NOW)
        return teams

    return site.database.write(fill)


def _make_board(site: Site, files: dict[str, Path], folder: Path) -> None:
    sent = {name: SentFile(path=files[name], file_name=name) for name in ("qrels", "secret")}
    sets = SentSets(labels=[("labels", "label_file_1", sent["qrels"])], private_labels=sent["secret"])
    (folder / "described").mkdir()
    settings = OrganiserSettings(title="Trees", measure="RR@10")
    described, problems = describe_sets(sets, folder / "described", settings, reader=HERE)
    assert described is not None, problems
    chosen = {"depth": 10, "private_until": REVEAL, "closes_at": REVEAL}
    make_board(site.database, site.files, described, slug="trees", settings=chosen, now=NOW, reader=HERE)


def _submit(site: Site, files: dict[str, Path], teams: dict[str, Team]) -> None:
    """Two runs of each team, scored; others do not see the first of the Elms yet."""
    for place, (number, name, team, person) in enumerate(
        ((1, "oak 1", "Oaks", 2), (2, "oak 2", "Oaks", 2), (3, "elm under embargo", "Elms & Sons", 3),
         (4, "elm 4", "Elms & Sons", 4)), start=1,
    ):  # fmt: skip
        content = site.files.save([files[f"run{number}"].read_bytes()], limit=1_000_000)
        new = NewRun(
            board_id=1, team_id=teams[team].id, submitted_by=person, submission_key=f"key {place}", name=name,
            content_hash=content.content_hash, size=content.size, metadata={"file_name": f"run{number}"},
            embargo_until=EMBARGO if "embargo" in name else None,
        )  # fmt: skip
        assert site.database.write(partial(save_run, new=new, now=NOW)).id == place
    done_by(site)
