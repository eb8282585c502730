"""A person asks for their data to be deleted: nothing names them anywhere, and the record of the board is the same."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from runoff.errors import NotAllowedError, UsageError
from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.boards.memberships import delete_person
from runoff.server.cases.judging.enter import consent, enter_campaign, make_campaign_link
from runoff.server.cases.judging.judge import leave
from runoff.server.cases.judging.votes import load_votes
from runoff.server.store.access import NewLink, save_api_token, save_link, save_login_attempt, save_session
from runoff.server.store.audit import load_audit
from runoff.server.store.models import METADATA
from runoff.server.store.names import name_key
from runoff.server.store.people import load_person, load_teams, save_member, save_person
from runoff.server.store.submissions import load_runs
from tests.server.cases.judging.campaigned import Campaigned
from tests.server.store.backends import both_databases

MAIL, NAME, ADDRESS = "ann.lee@example.org", "Ann Lee", "203.0.113.77"
WORKER, HIT = "5f1e9ad3WORKER", "HIT77aa55cc33dd11"
PERSONAL = (MAIL, NAME, ADDRESS, WORKER, HIT, "scrypt-of-ann", "anns laptop", name_key(NAME))


@pytest.fixture
def campaigned(database, tmp_path) -> Campaigned:
    return Campaigned.made_in(database, tmp_path)


def rows(made: Campaigned) -> dict[str, list[str]]:
    """Everything in the database, as text."""
    with made.database.read() as connection:
        return {table.name: [str(row) for row in connection.execute(select(table))] for table in METADATA.sorted_tables}


def named(made: Campaigned) -> list[str]:
    """The rows that hold something personal."""
    lines = [f"{table}: {row}" for table, stored in rows(made).items() for row in stored]
    return [line for line in lines if any(word in line for word in PERSONAL)]


def member(made: Campaigned) -> int:
    """Somebody with all that an account leaves behind."""
    now, team = made.now(), made.read(load_runs, made.board.id)[0].team_id

    def fill(connection) -> int:
        row: Any = {"email": MAIL, "display_name": NAME, "role": "member", "password_hash": "scrypt-of-ann"}
        person = save_person(connection, **row, actor=None, now=now)
        save_member(connection, team, person.id, actor=None, now=now)
        save_session(connection, person.id, "session", expires_at=now + timedelta(days=1), now=now)
        save_api_token(
            connection, person.id, "token", name="anns laptop", scopes=frozenset({"read"}), expires_at=now, now=now
        )
        link = NewLink(kind="password", email=MAIL, token="link", expires_at=now + timedelta(days=1), role=None)
        save_link(connection, link, actor=None, now=now)
        save_login_attempt(connection, email=MAIL, address=ADDRESS, now=now)
        return person.id

    return made.database.write(fill)


def worker(made: Campaigned, campaign) -> Actor:
    options: Any = {"actor": made.organiser, "now": made.now()}
    token = make_campaign_link(made.database, campaign.id, site="Prolific", most_uses=None, **options)
    session = timedelta(days=1)
    came = enter_campaign(made.database, token, worker_id=WORKER, reference=HIT, session=session, now=made.now())
    actor = Actor(id=came.person.id, role="assessor")
    consent(made.database, campaign.id, actor=actor, now=made.now())
    return actor


@both_databases
def test_nothing_names_the_person_and_the_record_is_the_same(campaigned):
    campaign = campaigned.opened()
    person, judge = member(campaigned), worker(campaigned, campaign)
    campaigned.do(campaign, judge)
    code = leave(campaigned.database, campaign.id, actor=judge, now=campaigned.now())
    assert code is not None
    assert len(named(campaigned)) >= 6
    votes, log = campaigned.read(load_votes, campaign), campaigned.read(load_audit)
    before = rows(campaigned)
    for number in (person, int(judge.id or 0)):
        deleted = delete_person(campaigned.database, number, actor=campaigned.organiser, now=campaigned.now())
        assert (deleted.display_name, deleted.disabled_at is None) == (f"Deleted person {number}", False)
    assert named(campaigned) == []
    after = rows(campaigned)
    for table in ("run", "run_member", "judgment", "assignment", "campaign_assessor", "score"):
        assert after.get(table) == before.get(table), table
    assert campaigned.read(load_audit)[: len(log)] == log
    assert list(campaigned.read(load_votes, campaign)) == list(votes)
    assert (code.code in str(after["completion"]), str(code.pay) in str(after["completion"])) == (True, True)
    assert (after["session"], after["api_token"]) == ([], [])
    assert campaigned.read(load_teams, person_id=person) == ()


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_the_file_of_the_database_does_not_hold_it_either(campaigned):
    person = member(campaigned)
    delete_person(campaigned.database, person, actor=None, now=campaigned.now())
    path = Path(str(campaigned.database.engine.url.database))
    with closing(sqlite3.connect(path)) as connection:
        # As SQLite does by itself after a thousand pages.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    stored = b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))
    assert [word for word in PERSONAL if word.encode() in stored] == []


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_only_organisers_delete_and_the_last_of_them_stays(campaigned):
    person = member(campaigned)
    for actor in (Actor(), Actor(id=person, role="member")):
        with pytest.raises(NotAllowedError):
            delete_person(campaigned.database, person, actor=actor, now=campaigned.now())
    assert campaigned.read(load_person, person).email == MAIL
    for organiser in (None, campaigned.organiser):
        with pytest.raises(UsageError, match="last organiser"):
            delete_person(campaigned.database, int(campaigned.organiser.id), actor=organiser, now=campaigned.now())
