"""The versions of the tables: each leads to the newest, and the newest is what the models say."""

import re
import threading

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import insert, select, text
from sqlalchemy.exc import DBAPIError

from runoff.errors import StoreError
from runoff.server.store.campaign_pools import load_campaign_runs, load_candidates
from runoff.server.store.campaigns import load_campaign
from runoff.server.store.database import upgrade
from runoff.server.store.judgments import load_answer_turns
from runoff.server.store.migrations import current_revision, revisions
from runoff.server.store.models import METADATA
from runoff.server.store.models.boards import BOARD
from runoff.server.store.models.campaigns import CAMPAIGN_RUN
from runoff.server.store.models.people import PERSON
from runoff.server.store.people import load_people
from tests.server.store.world import NOW

CATALOGUE = {
    "sqlite": "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE tbl_name <> 'alembic_version' ORDER BY name",
    "postgresql": """
        SELECT 'constraint', conrelid::regclass::text, conname::text, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text <> 'alembic_version'
        UNION SELECT 'index', tablename, indexname, indexdef FROM pg_indexes
        WHERE schemaname = 'public' AND tablename <> 'alembic_version'
        UNION SELECT 'trigger', tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) FROM pg_trigger
        WHERE NOT tgisinternal
        UNION SELECT 'column', table_name, column_name, data_type || is_nullable || coalesce(column_default, '')
        FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'alembic_version'
        ORDER BY 1, 2, 3""",
}


def catalogue(database):
    with database.read() as connection:
        rows = connection.execute(text(CATALOGUE[connection.dialect.name])).all()
    # Columns and constraints may be written in any order; SQLite writes a column that is added behind the last comma.
    return [(*row[:3], sorted(filter(None, re.split(r"[\s)]*[\n,][\s)]*", row[3] or "")))) for row in rows]


def add_person(database, name):
    row = {"email": f"{name}@example.org", "display_name": name, "role": "member", "created_at": NOW}
    database.write(lambda connection: connection.execute(insert(PERSON).values(**row)))


def test_every_version_can_be_brought_to_the_next_with_what_is_in_it(empty):
    """Step by step, with a row more at each: what any of them would bring up is brought up by the steps behind it."""
    added: list[str] = []
    for version in revisions():
        assert upgrade(empty, version) == (version,)
        with empty.read() as connection:
            assert current_revision(connection) == version
            found = connection.execute(text("SELECT email FROM person ORDER BY id")).scalars().all()
        assert found == added
        add_person(empty, version)
        added.append(f"{version}@example.org")
    assert upgrade(empty) == ()
    with empty.read() as connection:
        assert sorted(person.email for person in load_people(connection)) == sorted(added)


@pytest.mark.proof
@pytest.mark.parametrize("start", revisions())
def test_every_earlier_version_can_be_brought_up_at_once(empty, start):
    upgrade(empty, start)
    add_person(empty, "ann")
    passed = upgrade(empty)
    assert passed == revisions()[revisions().index(start) + 1 :]
    with empty.read() as connection:
        assert current_revision(connection) == revisions()[-1]
        assert [person.email for person in load_people(connection)] == ["ann@example.org"]


OLD_CAMPAIGN = (
    "INSERT INTO campaign (slug, title, instructions, state, created_at) VALUES ('c', 'C', '', 'open', :now)",
    "INSERT INTO person (email, display_name, role, created_at) VALUES ('a@example.org', 'A', 'assessor', :now)",
    "INSERT INTO campaign_assessor (campaign_id, person_id, consented_at) VALUES (1, 1, :now)",
    "INSERT INTO task (campaign_id, batch, copy, state) VALUES (1, 1, 1, 'given')",
    "INSERT INTO task_pair (task_id, place, query_id, left_doc, right_doc) VALUES (1, 1, 'q', 'a', 'b')",
    "INSERT INTO task_pair (task_id, place, query_id, left_doc, right_doc) VALUES (1, 2, 'q', 'a', 'c')",
    (
        "INSERT INTO assignment (task_id, campaign_id, batch, person_id, state, given_at, expires_at) "
        "VALUES (1, 1, 1, 1, 'given', :now, :now)"
    ),
    (
        "INSERT INTO judgment (assignment_id, task_id, task_pair_id, preferred, seconds, at) "
        "VALUES (1, 1, 2, 'left', 3, :now)"
    ),
    (
        "INSERT INTO judgment (assignment_id, task_id, task_pair_id, preferred, seconds, at) "
        "VALUES (1, 1, 1, 'right', 4, :now)"
    ),
)


def test_judgments_of_before_get_turns_and_campaigns_settings(empty):
    upgrade(empty, "v0009")
    for statement in OLD_CAMPAIGN:
        empty.write(lambda connection, statement=statement: connection.execute(text(statement), {"now": str(NOW)}))
    upgrade(empty)
    with empty.read() as connection:
        campaign = load_campaign(connection, 1)
        assert (campaign.state, campaign.pairs_per_task, campaign.pay, campaign.way) == ("open", 10, 2.0, "full")
        assert load_answer_turns(connection, 1) == {2: (1, "left"), 1: (2, "right")}
    with pytest.raises(DBAPIError, match="never changed or removed"):
        empty.write(lambda connection: connection.execute(text("UPDATE judgment SET seconds = 1")))


OLD_POOL = (
    "INSERT INTO campaign (slug, title, instructions, state, created_at) VALUES ('c', 'C', '', 'open', :now)",
    "INSERT INTO pool_item VALUES (1, 'q', 'x', 1, false), (1, 'q', 'y', 3, false), (1, 'q', 'z', 0, true)",
    "INSERT INTO pool_item VALUES (1, 'p', 'b', 1, false), (1, 'p', 'a', 1, false)",
)


def test_documents_of_before_keep_their_order(empty):
    upgrade(empty, "v0013")
    for statement in OLD_POOL:
        empty.write(lambda connection, statement=statement: connection.execute(text(statement), {"now": str(NOW)}))
    upgrade(empty)
    with empty.read() as connection:
        assert load_candidates(connection, 1) == {"p": ("a", "b"), "q": ("z", "y", "x")}


OLD_RUNS = (
    "INSERT INTO person (email, display_name, role, created_at) VALUES ('a@example.org', 'A', 'organiser', :now)",
    "INSERT INTO team (slug, name, created_at) VALUES ('t', 'T', :now)",
    (
        "INSERT INTO board (slug, title, description, measure, depth, relevance_level, alpha, correction, window_days, "
        "most, variants, upload_limit, digits, created_at, version) "
        "VALUES ('b', 'B', '', 'RR@10', 10, 1, 0.05, 'holm', 1, 1, 1, 1000, 3, :now, 1)"
    ),
    *(
        "INSERT INTO run (board_id, team_id, submitted_by, submitted_at, submission_key, name, description, metadata, "
        "content_hash, size, baseline, anonymous, state, counts, problems) "
        f"VALUES (1, 1, 1, :now, '{name}', '{name}', '', '{{}}', '{name}', 1, false, false, 'scored', true, '[]')"
        for name in ("first", "second")
    ),
    *(
        f"INSERT INTO campaign (slug, title, instructions, state, created_at) VALUES ('{slug}', 'C', '', 'open', :now)"
        for slug in ("shallow", "deep")
    ),
    *(
        "INSERT INTO campaign_settings (campaign_id, label_set, seed, depth, judgments_per_pair, pairs_per_task, "
        "tests_per_task, pay, fee, seconds_per_pair, too_fast, lease_minutes, consent, way, standing, single_best, "
        f"version) VALUES ({number}, 'dev', 0, {depth}, 1, 10, 3, 0, 0, 20, 2, 60, '', 'full', false, false, 1)"
        for number, depth in ((1, 3), (2, 25))
    ),
    *(
        f"INSERT INTO campaign_run (campaign_id, run_id, added_at, tops) VALUES ({campaign}, {run}, :now, {tops})"
        for campaign, run, tops in ((1, 1, ":tops"), (1, 2, "NULL"), (2, 1, ":tops"))
    ),
)


def test_runs_that_were_read_before_know_how_deep(empty):
    upgrade(empty, "v0016")
    for statement in OLD_RUNS:
        row = {"now": str(NOW)} | ({"tops": b"x"} if ":tops" in statement else {})
        empty.write(lambda connection, sent=statement, row=row: connection.execute(text(sent), row))
    upgrade(empty)
    with empty.read() as connection:
        rows = connection.execute(select(CAMPAIGN_RUN).order_by(CAMPAIGN_RUN.c.campaign_id, CAMPAIGN_RUN.c.run_id))
        assert [(row.campaign_id, row.run_id, row.read_depth) for row in rows] == [(1, 1, 10), (1, 2, None), (2, 1, 25)]
        assert load_campaign_runs(connection, 1, unread=True, depth=10) == (2,), "the other need not be read again"
        assert load_campaign_runs(connection, 1, unread=True, depth=11) == (1, 2)


def test_the_models_and_the_migrations_agree(database):
    with database.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []


def test_migrated_tables_are_the_tables_of_the_models_to_the_last_constraint_and_trigger(empty):
    upgrade(empty)
    migrated = catalogue(empty)
    assert len(migrated) > 50

    def rebuild(connection):
        METADATA.drop_all(connection)
        METADATA.create_all(connection)

    empty.write(rebuild)
    assert catalogue(empty) == migrated


def test_upgrading_twice_changes_nothing(database):
    before = catalogue(database)
    assert upgrade(database) == ()
    assert catalogue(database) == before


def test_servers_that_start_at_once_make_the_tables_once(empty):
    passed = []
    threads = [threading.Thread(target=lambda: passed.append(upgrade(empty))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(passed) == [(), (), (), revisions()]


def test_a_database_of_a_newer_program_is_refused(database):
    database.write(lambda connection: connection.execute(text("UPDATE alembic_version SET version_num = 'v9999'")))
    with pytest.raises(StoreError, match="has version v9999 of the tables; this program knows v0001 to"):
        upgrade(database)


def test_a_failed_upgrade_leaves_the_tables_as_they_were(empty, monkeypatch):
    upgrade(empty, "v0003")
    before = catalogue(empty)
    monkeypatch.setattr("runoff.server.store.migrations.revisions", lambda: (*revisions(), "v9999"))
    with pytest.raises(Exception, match="v9999"):
        upgrade(empty)
    assert catalogue(empty) == before


def test_boards_that_showed_private_means_go_on_showing_them(empty):
    upgrade(empty, "v0017")
    board = insert(BOARD).values(
        slug="b", title="B", description="", measure="RR@10", depth=10, relevance_level=1, alpha=0.05,
        correction="holm", window_days=30, most=2, variants=1, upload_limit=1, digits=3, created_at=NOW, version=1,
    )  # fmt: skip
    empty.write(lambda connection: connection.execute(board))
    upgrade(empty)
    with empty.read() as connection:
        same = connection.execute(text("SELECT private_until = created_at FROM board")).scalar_one()
    assert same
