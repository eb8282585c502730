"""A site with something of every kind, and everybody who could ask for it: for the table of who may do what."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import select, update

from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.accounts.sign_in import draw_token, make_api_token, make_link
from runoff.server.cases.boards.memberships import close_account, invite_to_team
from runoff.server.cases.judging.enter import consent_hash, enter_campaign, make_campaign_link
from runoff.server.cases.judging.votes import export_campaign
from runoff.server.cases.labels.versions import NewLabels, add_labels
from runoff.server.cases.runs.jobs import queue_near_duplicates
from runoff.server.site import Site, SiteSettings
from runoff.server.store.access import hash_password, save_session
from runoff.server.store.models.accounts import ONE_TIME_LINK
from runoff.server.store.models.boards import JOB, LABEL_SET
from runoff.server.store.models.campaigns import CAMPAIGN_LINK, KNOWN_PAIR
from runoff.server.store.people import (
    Person,
    load_person,
    load_team,
    save_member,
    save_password,
    save_person,
    save_team,
)
from runoff.server.store.submissions import NewRun, save_run
from runoff.server.web.visitors import csrf_of
from tests.server.cases.judging.campaigned import NOW, QUERIES, Campaigned, run_text
from tests.server.cases.reading_here import HERE
from tests.server.store.upgraded import open_upgraded

PASSWORD = "correct horse battery"  # noqa: S105
NEW_PASSWORD = "violet anchor symphony"  # noqa: S105
QRELS = "".join(f"{query} 0 a.{query} 1\n" for query in QUERIES)


@dataclass(frozen=True, kw_only=True)
class Kind:
    """Somebody who asks: the headers of every request, and what forms send back; `forged` forms lack that."""

    headers: dict[str, str]
    csrf: str = ""


@dataclass(frozen=True, kw_only=True)
class AccessWorld:
    """The site, everybody by name, and the numbers of what they ask for."""

    site: Site
    file: Path
    kinds: dict[str, Kind]
    numbers: dict[str, Any]


class _Maker:
    def __init__(self, folder: Path) -> None:
        self.file = folder / "runoff.db"
        self.made = Campaigned.made_in(open_upgraded(self.file), folder)
        self.database, self.files, self.board = self.made.database, self.made.files, self.made.board
        self.hashed = hash_password(PASSWORD)
        self.numbers: dict[str, Any] = {}

    def person(self, name: str, role: str = "member") -> Person:
        row: Any = {"email": f"{name.lower()}@example.org", "display_name": name, "role": role}

        def save(connection: Any) -> Person:
            person = save_person(connection, **row, actor=None, now=NOW)
            save_password(connection, person.id, self.hashed, actor=None, now=NOW)
            return person

        self.numbers[name] = (person := self.database.write(save)).id
        return person

    def session(self, person: int) -> Kind:
        token, ends = draw_token(), NOW.replace(year=2027)
        self.database.write(lambda c: save_session(c, person, token, expires_at=ends, now=NOW))
        return Kind(headers={"Cookie": f"runoff={token}"}, csrf=csrf_of(token))

    def token(self, person: Person, *scopes: str) -> Kind:
        token, made = make_api_token(self.database, person, name="t", scopes=frozenset(scopes), now=NOW)  # type: ignore[arg-type]
        self.numbers[f"token of {person.display_name}"] = made.id
        return Kind(headers={"Authorization": f"Bearer {token}"})

    def team(self, name: str, founder: int, *, approved: bool = True) -> int:
        row: Any = {"slug": name.lower(), "name": name, "founder": founder, "approved": approved}
        team: int = self.database.write(lambda c: save_team(c, **row, now=NOW)).id
        self.numbers[name] = team
        return team

    def run(self, team: int, person: int, seed: int, **more: Any) -> int:
        stored = self.files.save([run_text(seed).encode()], limit=1_000_000)
        new = NewRun(
            board_id=self.board.id, team_id=team, submitted_by=person, submission_key=f"key {seed}",
            name=f"run {seed}", content_hash=stored.content_hash, size=stored.size, **more,
        )  # fmt: skip
        number: int = self.database.write(lambda c: save_run(c, new, now=NOW)).id
        return number

    def newest(self, column: Any) -> int:
        with self.database.read() as connection:
            return int(connection.execute(select(column).order_by(column.desc()).limit(1)).scalar_one())


def make_access_world(folder: Path) -> AccessWorld:
    """A board with runs of two teams, one of them under embargo; campaigns, links, tokens; and everybody."""
    folder.mkdir(parents=True, exist_ok=True)
    maker = _Maker(folder)
    made, numbers, olga = maker.made, maker.numbers, maker.made.organiser
    organiser = made.read(load_person, olga.id)
    ann, bob, eve, sam, paul = (maker.person(name) for name in ("Ann", "Bob", "Eve", "Sam", "Paul"))
    arno, former = maker.person("Arno", "assessor"), maker.person("Fred", "organiser")
    maker.database.write(lambda c: save_password(c, organiser.id, maker.hashed, actor=None, now=NOW))
    oaks, elms = maker.team("Oaks", ann.id), maker.team("Elms", eve.id)
    maker.database.write(lambda c: save_member(c, oaks, bob.id, actor=ann.id, now=NOW))
    maker.database.write(lambda c: save_member(c, elms, paul.id, actor=eve.id, now=NOW))
    maker.team("Pines", paul.id, approved=False)
    numbers["run"] = maker.run(oaks, ann.id, 20)
    numbers["veiled"] = maker.run(oaks, ann.id, 21, embargo_until=NOW.replace(year=2027))
    numbers["own"] = maker.run(elms, eve.id, 22)
    made.work()
    campaigns = _add_campaigns(maker)
    assessor = _add_assessors(maker, campaigns["open"])
    worker = made.assessor(campaigns["other"])
    _add_links(maker, oaks, ann, campaigns["open"])
    _add_labels(maker, folder)
    kinds = {
        "nobody": Kind(headers={}),
        "team": maker.session(ann.id),
        "other team": maker.session(eve.id),
        "no team": maker.session(sam.id),
        "assessor": maker.session(int(assessor.id or 0)),
        "worker elsewhere": maker.session(int(worker.id or 0)),
        "assessor account": maker.session(arno.id),
        "organiser": maker.session(organiser.id),
        "closed account": maker.session(former.id),
        "token: read": maker.token(eve, "read"),
        "token: submit": maker.token(ann, "read", "submit"),
        "token: organise": maker.token(organiser, "read", "submit", "organise"),
    }
    close_account(maker.database, former.id, actor=olga, now=NOW)
    kinds["forged form"] = replace(kinds["organiser"], csrf="x")
    settings = SiteSettings(
        base_url="http://testserver", upload_limit=3_000_000, mail="smtp://127.0.0.1:9", mail_from="r@example.org"
    )
    site = Site(database=maker.database, files=maker.files, settings=settings, now=made.now, reader=HERE)
    for memory in (site.campaigns.latest_results, site.campaigns.latest_proposals, site.campaigns.latest_numbers):
        memory.patience = 60
    return AccessWorld(site=site, file=maker.file, kinds=kinds, numbers=numbers)


def _add_campaigns(maker: _Maker) -> dict[str, Any]:
    other = maker.made.opened(slug="other", title="Other", depth=2)
    opened = maker.made.opened(depth=2, judgments_per_pair=2)
    draft = maker.made.draft(slug="next", title="Next", depth=2)
    maker.numbers |= {"campaign": opened.id, "draft": draft.id, "consent": consent_hash(opened)}
    return {"open": opened, "draft": draft, "other": other}


def _add_assessors(maker: _Maker, campaign: Any) -> Actor:
    """Somebody who has judged and holds a task with one answer; two others, one of a crowdsourcing site."""
    made = maker.made
    assessor, other = made.assessor(campaign), made.assessor(campaign)
    assert made.do(campaign, other) == made.do(campaign, assessor) == "done"
    sheet = made.offer(campaign, assessor).sheet
    assert sheet is not None
    made.answer(sheet, assessor, pairs=1)
    options: Any = {"site": "crowd", "actor": made.organiser, "now": NOW}
    token = make_campaign_link(made.database, campaign.id, **options)
    came = enter_campaign(made.database, token, worker_id="w1", session=timedelta(hours=1), now=NOW)
    sent = made.read(export_campaign, campaign, actor=made.organiser).files()["judgments.csv"]
    maker.numbers |= {
        "worker": came.person.id, "judgments": "".join(sent), "assessor": other.id, "task": sheet.assignment.id,
        "pair": sheet.pairs[1].id, "known": maker.newest(KNOWN_PAIR.c.id),
    }  # fmt: skip
    return assessor


def _add_links(maker: _Maker, oaks: int, ann: Person, campaign: Any) -> None:
    made, numbers = maker.made, maker.numbers
    options: Any = {"actor": made.organiser, "now": NOW}
    numbers["enter"] = make_campaign_link(made.database, campaign.id, **options)
    numbers["campaign link"] = maker.newest(CAMPAIGN_LINK.c.id)
    team = made.read(load_team, oaks)
    actor = Actor(id=ann.id, role="member", teams=frozenset({oaks}))
    invite_to_team(made.database, team, email="dan@example.org", hours=9, actor=actor, now=NOW)
    numbers["team link"] = maker.newest(ONE_TIME_LINK.c.id)
    row: Any = {"email": "new@example.org", "role": "member", "hours": 9, "actor": None, "now": NOW}
    numbers["link"] = maker.database.write(lambda c: make_link(c, **row))
    numbers["account link"] = maker.newest(ONE_TIME_LINK.c.id)
    maker.database.write(lambda c: queue_near_duplicates(c, maker.board, actor=made.organiser, now=NOW))
    numbers["job"] = maker.newest(JOB.c.id)
    failed = update(JOB).where(JOB.c.id == numbers["job"]).values(state="failed", finished_at=NOW)
    maker.database.write(lambda c: c.execute(failed))


def _add_labels(maker: _Maker, folder: Path) -> None:
    file = folder / "newer.txt"
    file.write_text(QRELS.replace("a.q0", "b.q0"), encoding="utf-8")
    new = NewLabels(name="dev", path=file, file_name="newer.txt", note="", sealed=False, relevance_level=None)
    add_labels(maker.database, maker.files, maker.board, new, actor=maker.made.organiser, now=NOW, reader=HERE)
    maker.numbers["labels"] = maker.newest(LABEL_SET.c.id)
