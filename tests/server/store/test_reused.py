"""A PostgreSQL database that is used again is as a new one; one whose tables were changed is not used again."""

import pytest
from sqlalchemy import text

from runoff.server.store._rows import note
from runoff.server.store.database import open_database
from runoff.server.store.models import METADATA
from tests.server.store.reused import upgraded
from tests.server.store.world import NOW, World

pytestmark = pytest.mark.postgresql


def test_rows_that_nobody_may_remove_are_gone_and_numbers_begin_at_1(postgresql, upgraded_template):
    numbers = []
    for _ in range(2):
        with upgraded(postgresql, upgraded_template) as url:
            database = open_database(url)
            with database.read() as connection:
                rows = [connection.execute(table.select()).all() for table in METADATA.sorted_tables]
            assert not any(rows)
            world = World.made_in(database)
            database.write(lambda connection: note(connection, "a", "b", 1, actor=None, now=NOW))
            numbers.append((url, world.board.id))
            # Left open, and in the middle of a transaction: it is ended.
            database.engine.connect().execute(text("SELECT 1 FROM person FOR UPDATE"))
            database.engine.pool.dispose()
    assert numbers[0] == numbers[1]


@pytest.mark.parametrize(
    "change",
    [
        "CREATE TABLE other (a int)",
        "ALTER TABLE person ADD COLUMN other int",
        "ALTER TABLE person ALTER COLUMN email SET DEFAULT 'x'",
        "DROP TRIGGER audit_append_only ON audit",
        "DROP INDEX IF EXISTS nothing; ALTER TABLE person DROP CONSTRAINT pk_person CASCADE",
        "UPDATE alembic_version SET version_num = 'v9999'",
    ],
)
def test_a_database_with_other_tables_is_not_used_again(postgresql, upgraded_template, change):
    with upgraded(postgresql, upgraded_template) as changed:
        database = open_database(changed)
        database.write(lambda connection: connection.exec_driver_sql(change))
        database.close()
    with upgraded(postgresql, upgraded_template) as url:
        assert url != changed
