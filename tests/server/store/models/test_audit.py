import pytest
from sqlalchemy import delete, text, update
from sqlalchemy.exc import DBAPIError

from runoff.server.store.audit import load_audit
from runoff.server.store.models.accounts import APPEND_ONLY, AUDIT


@pytest.mark.parametrize("statement", [update(AUDIT).values(action="nothing"), delete(AUDIT)], ids=["update", "delete"])
def test_the_log_cannot_be_altered(world, statement):
    with world.database.read() as connection:
        before = load_audit(connection)
    assert before
    with pytest.raises(DBAPIError, match="never changed or removed"):
        world.database.write(lambda connection: connection.execute(statement))
    with world.database.read() as connection:
        assert load_audit(connection) == before


@pytest.mark.parametrize("table", APPEND_ONLY)
def test_nor_emptied_nor_overwritten(world, table):
    if world.database.url.get_backend_name() == "postgresql":
        statement = text(f"TRUNCATE {table} CASCADE")
    else:
        statement = text(
            "REPLACE INTO audit SELECT id, at, actor_id, 'nothing', thing, thing_id, details FROM audit"
            if table == "audit"
            else "REPLACE INTO audit (id, at, action, thing, thing_id, details) VALUES (1, 'x', 'x', 'x', 1, '{}')"
        )
    with pytest.raises(DBAPIError, match="never changed or removed"):
        world.database.write(lambda connection: connection.execute(statement))
