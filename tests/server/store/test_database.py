import sqlite3
import threading

import pytest
from sqlalchemy import event, select, text
from sqlalchemy.exc import DBAPIError, OperationalError

from runoff.errors import BusyError, StoreError
from runoff.server.store import database as module
from runoff.server.store.database import make_folder_of, open_database, upgrade
from runoff.server.store.models.accounts import TEAM
from runoff.server.store.people import load_teams, save_team
from tests.server.store.world import NOW


def test_what_was_written_is_read(world):
    with world.database.read() as connection:
        assert load_teams(connection) == (world.team,)


def test_a_failed_write_leaves_nothing(world):
    def work(connection):
        save_team(connection, slug="oaks", name="Oaks", founder=world.member.id, now=NOW)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        world.database.write(work)
    with world.database.read() as connection:
        assert load_teams(connection) == (world.team,)


def test_a_read_cannot_write_and_the_next_write_can(world):
    def work(connection):
        return save_team(connection, slug="oaks", name="Oaks", founder=world.member.id, now=NOW)

    with pytest.raises(DBAPIError, match=r"read-?only"), world.database.read() as connection:
        work(connection)
    assert world.database.write(work).slug == "oaks"


def test_a_read_sees_one_moment(world):
    with world.database.read() as connection:
        before = load_teams(connection)
        world.database.write(lambda other: save_team(other, slug="oaks", name="Oaks", founder=world.member.id, now=NOW))
        assert load_teams(connection) == before
    with world.database.read() as connection:
        assert len(load_teams(connection)) == 2


def test_sqlite_settings_make_acknowledged_mean_durable(tmp_path):
    database = open_database(f"sqlite:///{tmp_path / 'a.db'}")
    with database.read() as connection:
        found = {
            name: connection.execute(text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout", "recursive_triggers")
        }
    database.close()
    wanted = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 10_000}
    assert found == {**wanted, "recursive_triggers": 1}


def test_two_writers_that_would_deadlock_both_succeed(world):
    """Each locks one team and then the other's; the database ends one of them, and it is done again."""
    other = world.database.write(
        lambda connection: save_team(connection, slug="oaks", name="Oaks", founder=world.member.id, now=NOW)
    )
    meeting = threading.Barrier(2)
    begun = []

    def rename(first, second, name):
        def work(connection):
            begun.append(name)
            connection.execute(TEAM.update().where(TEAM.c.id == first).values(created_at=NOW))
            if world.database.url.get_backend_name() == "postgresql" and begun.count(name) == 1:
                meeting.wait(10)
            connection.execute(TEAM.update().where(TEAM.c.id == second).values(name=name))

        world.database.write(work)

    threads = [
        threading.Thread(target=rename, args=(world.team.id, other.id, "north")),
        threading.Thread(target=rename, args=(other.id, world.team.id, "south")),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with world.database.read() as connection:
        names = {row.id: row.name for row in connection.execute(select(TEAM.c.id, TEAM.c.name))}
    assert names == {other.id: "north", world.team.id: "south"}
    assert len(begun) == (3 if world.database.url.get_backend_name() == "postgresql" else 2)


def test_a_lock_that_is_never_free_ends_in_a_clear_error(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "BUSY_SECONDS", 0)
    monkeypatch.setattr(module, "TRIES", 2)
    database = open_database(f"sqlite:///{tmp_path / 'a.db'}")
    upgrade(database)
    holder = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(BusyError, match="locked in all 2 tries; try again later"):
        database.write(lambda connection: None)
    holder.execute("ROLLBACK")
    holder.close()
    database.write(lambda connection: None)
    database.close()


def test_a_full_disk_is_told_and_nothing_is_saved(tmp_path):
    database = open_database(f"sqlite:///{tmp_path / 'a.db'}")
    upgrade(database)

    def fill(connection):
        connection.execute(text("PRAGMA max_page_count = 1"))  # the size that it has
        connection.execute(text("CREATE TABLE large (content BLOB)"))
        connection.execute(text("INSERT INTO large VALUES (zeroblob(10000000))"))

    with pytest.raises(StoreError, match="the disk is full; nothing was saved; make room"):
        database.write(fill)
    database.close()


TERMINATE = text("SELECT pg_terminate_backend(pg_backend_pid())")


@pytest.mark.postgresql
@pytest.mark.parametrize("backend", ["postgresql"])
def test_a_connection_that_is_lost_before_the_end_has_done_nothing(database):
    tries = []

    def work(connection):
        tries.append(1)
        connection.execute(TERMINATE)

    for do in (lambda: database.write(work), lambda: read_with(database, work)):
        with pytest.raises(BusyError, match="cannot be reached now; nothing was done; try again later"):
            do()
    assert len(tries) == 2
    assert database.write(lambda connection: connection.execute(text("SELECT 7")).scalar()) == 7


def read_with(database, work):
    with database.read() as connection:
        work(connection)


@pytest.mark.postgresql
@pytest.mark.parametrize("backend", ["postgresql"])
def test_a_connection_that_is_lost_while_it_commits_is_told_and_the_work_is_not_done_again(database):
    tries = []
    event.listen(database.engine, "commit", lambda connection: connection.execute(TERMINATE), once=True)
    with pytest.raises(StoreError, match="the connection was lost, so it may or may not have been saved; check before"):
        database.write(lambda _: tries.append(1))
    assert len(tries) == 1
    assert database.write(lambda connection: connection.execute(text("SELECT 7")).scalar()) == 7


def test_other_errors_are_not_tried_again(database):
    tries = []

    def work(connection):
        tries.append(1)
        connection.execute(text("SELECT * FROM nowhere"))

    with pytest.raises((OperationalError, DBAPIError)):
        database.write(work)
    assert len(tries) == 1


@pytest.mark.parametrize(
    "url, message",
    [
        ("nonsense", "cannot be read; expected sqlite:///FILE or postgresql://"),
        ("sqlite://", "names no file, and a database in memory would be lost"),
        ("sqlite:///:memory:", "names no file"),
        ("mysql://ann:secret@host/name", r"'mysql://ann:\*\*\*@host/name' is of an unknown kind"),
        ("sqlite:////nowhere/at/all.db", "there is no folder /nowhere/at; make it, or name a file in another one"),
        ("postgresql://ann:secret@127.0.0.1:1/name", r"//ann:\*\*\*@127.0.0.1:1/name: the database cannot be opened"),
    ],
)
def test_an_address_that_cannot_be_used_is_explained_without_its_password(url, message):
    with pytest.raises(StoreError, match=message) as caught:
        open_database(url)
    assert "secret" not in str(caught.value)


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(StoreError, match=r"there is no folder .*none; make it, or name a file in another one"):
        open_database(f"sqlite:///{tmp_path / 'none' / 'a.db'}")
    make_folder_of(f"sqlite:///{tmp_path / 'none' / 'a.db'}")
    open_database(f"sqlite:///{tmp_path / 'none' / 'a.db'}").close()
