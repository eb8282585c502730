from contextlib import suppress

from runoff.server.store._rows import note
from runoff.server.store.audit import load_audit
from tests.server.store.world import NOW


def test_entries_are_kept_in_order_and_found_by_thing(world):
    world.database.write(
        lambda c: note(c, "reveal", "board", world.board.id, actor=None, now=NOW, what="private results")
    )
    with world.database.read() as connection:
        entries = load_audit(connection)
        own = load_audit(connection, thing="board", thing_id=world.board.id)
        assert load_audit(connection, after=entries[-1].id) == ()
        assert load_audit(connection, thing="board", after=own[0].id) == own[1:]
    assert [entry.id for entry in entries] == sorted(entry.id for entry in entries)
    assert [(entry.action, entry.details.get("what")) for entry in own] == [
        ("create", None),
        ("reveal", "private results"),
    ]


def test_a_change_that_is_taken_back_is_not_in_the_log(world):
    with world.database.read() as connection:
        before = load_audit(connection)

    def work(connection):
        note(connection, "x", "board", 1, actor=None, now=NOW)
        raise ZeroDivisionError

    with suppress(ZeroDivisionError):
        world.database.write(work)
    with world.database.read() as connection:
        assert load_audit(connection) == before
