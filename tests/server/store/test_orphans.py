"""Files that no row speaks of are removed, and no others."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta

import pytest

from runoff.errors import BusyError
from runoff.server.store.files import FileStore, load_known_hashes, remove_if_orphan, remove_orphans
from runoff.server.store.submissions import save_run
from tests.server.store.world import NOW

DAY = timedelta(days=1)


@pytest.fixture
def files(tmp_path) -> FileStore:
    return FileStore(tmp_path / "files")


def stored(files, content, *, age=timedelta(days=2)):
    found = files.save([content], limit=100)
    moment = (datetime.now(UTC) - age).timestamp()
    os.utime(files.place(found.content_hash), (moment, moment))
    return found.content_hash


def test_old_files_without_a_row_are_removed(world, files):
    known = stored(files, b"known")
    world.database.write(lambda c: save_run(c, world.run(1, content_hash=known), now=NOW))
    orphan, young = stored(files, b"orphan"), stored(files, b"young", age=timedelta(0))
    assert remove_orphans(world.database, files, before=datetime.now(UTC) - DAY) == (orphan,)
    assert sorted(files.hashes()) == sorted([known, young])
    assert remove_orphans(world.database, files, before=datetime.now(UTC) - DAY) == ()
    with world.database.read() as connection:
        assert known in load_known_hashes(connection)


def test_one_file_is_removed_at_once_unless_a_row_speaks_of_it(world, files):
    known, orphan = stored(files, b"known"), stored(files, b"orphan")
    world.database.write(lambda c: save_run(c, world.run(1, content_hash=known), now=NOW))
    assert not remove_if_orphan(world.database, files, known)
    assert remove_if_orphan(world.database, files, orphan)
    assert list(files.hashes()) == [known]


def test_nothing_is_removed_while_a_transaction_is_on_its_way(world, files):
    orphan = stored(files, b"orphan")
    with files.holding(), pytest.raises(BusyError):
        remove_orphans(world.database, files, before=datetime.now(UTC) - DAY)
    assert list(files.hashes()) == [orphan]
