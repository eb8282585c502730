from dataclasses import replace

import pytest

from runoff.errors import NotFoundError, UsageError
from runoff.server.store.label_sets import (
    NewVersion,
    load_label_set,
    load_label_sets,
    load_query_set,
    load_query_sets,
    save_label_set,
    save_query_set,
)
from tests.server.store.world import NOW


def test_versions_count_up_and_stay(world):
    new = NewVersion(board_id=world.board.id, name="public", queries=4, content_hash="cd" * 32, note="two judged again")
    second = world.database.write(lambda c: save_label_set(c, new, judged=6, actor=None, now=NOW))
    other = world.database.write(lambda c: save_label_set(c, replace(new, name="deep"), judged=6, actor=None, now=NOW))
    assert (second.version, other.version, second.judged, second.note) == (2, 1, 6, "two judged again")
    with world.database.read() as connection:
        assert load_label_sets(connection, world.board.id) == (world.labels, second, other)
        assert load_query_sets(connection, world.board.id) == (world.queries,)
        assert load_label_set(connection, second.id) == second
        assert load_query_set(connection, world.queries.id) == world.queries
        for load, name in ((load_label_set, "label"), (load_query_set, "query")):
            with pytest.raises(NotFoundError, match=f"there is no {name} set 99"):
                load(connection, 99)


def test_without_a_hash_a_version_is_sealed(world):
    new = NewVersion(board_id=world.board.id, name="private", queries=4, content_hash=None)
    saved = world.database.write(lambda c: save_query_set(c, new, actor=None, now=NOW))
    assert (saved.sealed, saved.content_hash) == (True, None)
    assert (world.queries.sealed, world.queries.content_hash) == (False, "ab" * 32)
    with pytest.raises(UsageError, match="'private' has no queries"):
        world.database.write(lambda c: save_query_set(c, replace(new, queries=0), actor=None, now=NOW))
