"""The versions of the tables: each leads to the newest, and the newest is what the models say."""

import re
import threading
from datetime import timedelta

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import insert, select, text

from runoff.errors import StoreError
from runoff.server.store.access import load_api_tokens
from runoff.server.store.boards import load_boards
from runoff.server.store.database import upgrade
from runoff.server.store.migrations import current_revision, revisions
from runoff.server.store.models import METADATA
from runoff.server.store.models.accounts import API_TOKEN, PERSON
from runoff.server.store.people import load_people, load_teams
from runoff.server.store.scores import load_verdicts
from runoff.server.store.submissions import load_run_members
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
        add_person(empty, version)
        added.append(f"{version}@example.org")
    assert upgrade(empty) == ()
    with empty.read() as connection:
        assert sorted(person.email for person in load_people(connection)) == sorted(added)


@pytest.mark.parametrize("start", revisions())
def test_every_earlier_version_can_be_brought_up_at_once(empty, start):
    upgrade(empty, start)
    add_person(empty, "ann")
    passed = upgrade(empty)
    assert passed == revisions()[revisions().index(start) + 1 :]
    with empty.read() as connection:
        assert current_revision(connection) == revisions()[-1]
        assert [person.email for person in load_people(connection)] == ["ann@example.org"]


OLD_VERDICTS = (
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
    (
        "INSERT INTO label_set (board_id, name, version, sealed, content_hash, queries, note, created_at, judged) "
        "VALUES (1, 'dev', 1, false, 'x', 1, '', :now, 1)"
    ),
    (
        "INSERT INTO query_set (board_id, name, version, sealed, content_hash, queries, note, created_at) "
        "VALUES (1, 'all', 1, false, 'x', 1, '', :now)"
    ),
    *(
        "INSERT INTO verdict (run_id, champion_id, label_set_id, query_set_id, strict, do_no_harm, sentence, policy, "
        f"kernel, decided_at) VALUES ({run}, {champion}, 1, 1, 'inconclusive', 'inconclusive', '', '{{}}', 'k', :now)"
        for run, champion in ((1, "NULL"), (2, 1))
    ),
)


def test_a_run_that_was_compared_with_nothing_loses_its_verdict_and_no_other_does(empty):
    upgrade(empty, "v0023")
    for statement in OLD_VERDICTS:
        empty.write(lambda connection, statement=statement: connection.execute(text(statement), {"now": str(NOW)}))
    upgrade(empty)
    with empty.read() as connection:
        first, second = load_verdicts(connection, 1)
    assert (first.strict, first.do_no_harm, first.overall) == (None, None, None)
    assert (second.strict, second.do_no_harm, second.champion_id) == ("inconclusive", "inconclusive", 1)


@pytest.mark.parametrize(
    "stored, listed",
    [('{"0": 0, "10": 1, "2": 0.5}', (0, 0.5, 1)), ('{"0": 0, "1": 2, "2": 1}', None), ("null", None), (None, None)],
)
def test_gains_by_grade_become_a_list_and_settings_stay(empty, stored, listed):
    upgrade(empty, "v0024")
    for statement in OLD_VERDICTS[:3]:
        empty.write(lambda connection, statement=statement: connection.execute(text(statement), {"now": str(NOW)}))
    gains = text("UPDATE board SET gains = :gains, most = 7, closes_at = :now")
    empty.write(lambda connection: connection.execute(gains, {"gains": stored, "now": str(NOW)}))
    upgrade(empty)
    with empty.read() as connection:
        (board,) = load_boards(connection)
    assert (board.gains, board.most, board.closes_at, board.depth) == (listed, 7, NOW, 10)


def test_earlier_runs_count_for_who_sent_them_and_who_is_in_their_team(empty):
    upgrade(empty, "v0025")
    statements = (
        *OLD_VERDICTS[:5],
        *(
            f"INSERT INTO person (email, display_name, role, created_at) VALUES ('{email}', 'B', 'member', :now)"
            for email in ("b@example.org", "import@runoff.invalid")
        ),
        *(f"INSERT INTO team_member (team_id, person_id, joined_at) VALUES (1, {person}, :now)" for person in (2, 3)),
    )
    for statement in statements:
        empty.write(lambda connection, statement=statement: connection.execute(text(statement), {"now": str(NOW)}))
    upgrade(empty)
    with empty.read() as connection:
        assert load_run_members(connection, 1) == {1: frozenset({1, 2}), 2: frozenset({1, 2})}


def test_of_earlier_names_that_look_alike_the_oldest_has_the_key_and_earlier_teams_are_approved(empty):
    upgrade(empty, "v0027")
    people = [("a@example.org", "Ann"), ("b@example.org", "\u0430nn"), ("c@assessor.invalid", "Cleo")]
    person = text("INSERT INTO person (email, display_name, role, created_at) VALUES (:email, :name, 'member', :now)")
    for email, name in people:
        row = {"email": email, "name": name, "now": str(NOW)}
        empty.write(lambda connection, row=row: connection.execute(person, row))
    empty.write(lambda connection: connection.execute(text(OLD_VERDICTS[1]), {"now": str(NOW)}))
    upgrade(empty)
    with empty.read() as connection:
        keys = connection.execute(select(PERSON.c.name_key).order_by(PERSON.c.id)).scalars().all()
        (team,) = load_teams(connection)
    assert keys == ["ann", None, None]
    assert team.approved_at == team.created_at


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
    with pytest.raises(StoreError, match="has version v9999 of the tables; this program knows v0023 to"):
        upgrade(database)


def test_a_database_from_before_the_versions_became_one_is_refused_with_the_way_out(database):
    database.write(lambda connection: connection.execute(text("UPDATE alembic_version SET version_num = 'v0022'")))
    before = catalogue(database)
    with pytest.raises(StoreError, match=r"version v0022 .* knows v0023 to .* start it once with runoff as of commit"):
        upgrade(database)
    assert catalogue(database) == before


def test_a_failed_upgrade_leaves_the_tables_as_they_were(empty, monkeypatch):
    upgrade(empty, "v0023")
    before = catalogue(empty)
    monkeypatch.setattr("runoff.server.store.migrations.revisions", lambda: (*revisions(), "v9999"))
    with pytest.raises(Exception, match="v9999"):
        upgrade(empty)
    assert catalogue(empty) == before


def test_tokens_that_had_no_end_end_a_year_after_they_were_made(empty):
    upgrade(empty, "v0029")
    person = "INSERT INTO person (email, display_name, role, created_at) VALUES ('a@example.org', 'A', 'member', :now)"
    ends = {"old": None, "new": NOW}

    def fill(connection):
        connection.execute(text(person), {"now": str(NOW)})
        for name, end in ends.items():
            row = {"token_hash": name, "person_id": 1, "name": "t", "scopes": ["read"], "created_at": NOW}
            connection.execute(insert(API_TOKEN).values(**row, expires_at=end))

    empty.write(fill)
    upgrade(empty)
    with empty.read() as connection:
        found = [token.expires_at for token in load_api_tokens(connection)]
    assert found == [NOW + timedelta(days=366), NOW]
