import errno
import json
import os
import threading
from pathlib import Path

import pytest

from runoff.errors import NoRoomError, StoreError
from runoff.server.store.audit import load_audit
from runoff.server.store.backup import _copy_sqlite, load_missing_files, restore_backup, save_backup
from runoff.server.store.database import open_database, upgrade
from runoff.server.store.files import FileStore
from runoff.server.store.submissions import load_runs, save_run
from tests.server.store.world import NOW, World


@pytest.fixture
def target(empty_url):
    """An empty database of the same kind to restore into."""
    database = open_database(empty_url)
    yield database
    database.close()


@pytest.fixture
def files(tmp_path) -> FileStore:
    return FileStore(tmp_path / "files")


def submit(world, files, number):
    stored = files.save([f"run {number}".encode()], limit=100)
    new = world.run(number, content_hash=stored.content_hash, baseline=True)
    return world.database.write(lambda c: save_run(c, new, now=NOW))


def test_a_backup_made_while_others_write_is_whole(world, files, target, tmp_path):
    """What was acknowledged before the backup began is in it, and every run in it has its file."""
    acknowledged, stop = [], threading.Event()

    def write(start):
        number = start
        while not stop.is_set():
            acknowledged.append(submit(world, files, number).id)
            number += 1

    threads = [threading.Thread(target=write, args=(start,)) for start in (1000, 2000)]
    for thread in threads:
        thread.start()
    while len(acknowledged) < 10:
        stop.wait(0.01)
    before = list(acknowledged)
    result = save_backup(world.database, files, tmp_path / "backup", now=NOW)
    after = len(acknowledged)
    stop.set()
    for thread in threads:
        thread.join()
    restored = FileStore(tmp_path / "restored")
    assert restore_backup(tmp_path / "backup", target, restored) == result
    with target.read() as connection:
        runs = {run.id: run for run in load_runs(connection, world.board.id)}
        assert set(before) <= set(runs)
        assert len(load_audit(connection, thing="run")) == len(runs)
    assert load_missing_files(target, restored) == ("ab" * 32,)  # the world's labels never had a file
    assert after >= len(before)
    for run in runs.values():
        assert restored.path(run.content_hash).read_bytes().decode() == run.name


def test_a_restored_store_goes_on(world, files, target, tmp_path):
    submit(world, files, 1)
    save_backup(world.database, files, tmp_path / "backup", now=NOW)
    restore_backup(tmp_path / "backup", target, files)
    assert upgrade(target) == ()
    moved = World(**{**vars(world), "database": target})
    assert submit(moved, files, 2).id == 2


def test_what_is_there_is_not_overwritten(world, files, tmp_path):
    save_backup(world.database, files, tmp_path / "backup", now=NOW)
    with pytest.raises(StoreError, match="this folder is not empty; expected a new or empty one"):
        save_backup(world.database, files, tmp_path / "backup", now=NOW)
    with pytest.raises(StoreError, match="has tables already; expected an empty one"):
        restore_backup(tmp_path / "backup", world.database, files)


def test_damage_incomplete_backups_and_other_kinds_are_refused(world, files, target, tmp_path):
    submit(world, files, 1)
    folder = tmp_path / "backup"
    save_backup(world.database, files, folder, now=NOW)
    with pytest.raises(StoreError, match=r"cannot be read .*; this is not a complete backup"):
        restore_backup(tmp_path / "elsewhere", target, files)
    (copy,) = (file for file in (folder / "files").rglob("*") if file.is_file())
    copy.chmod(0o600)
    copy.write_bytes(b"evil")
    with pytest.raises(StoreError, match="has changed since it was stored"):
        restore_backup(folder, target, FileStore(tmp_path / "restored"))
    manifest = json.loads((folder / "backup.json").read_text())
    (folder / "backup.json").write_text(json.dumps(manifest | {"kind": "oracle"}))
    with pytest.raises(StoreError, match="a backup of oracle cannot be restored into"):
        restore_backup(folder, target, files)


def test_one_damaged_file_does_not_stop_a_backup(world, files, target, tmp_path):
    """All but the damaged and the lost one are copied, these are listed, and what was copied can be restored."""
    runs = [submit(world, files, number) for number in range(4)]
    damaged, lost = (files.place(run.content_hash) for run in runs[1:3])
    damaged.chmod(0o600)
    damaged.write_bytes(b"evil")
    lost.unlink()
    result = save_backup(world.database, files, tmp_path / "backup", now=NOW)
    reasons = result.not_copied
    assert set(reasons) == {runs[1].content_hash, runs[2].content_hash, "ab" * 32}
    assert "the content has changed since it was stored" in reasons[runs[1].content_hash]
    assert "the file store has no file" in reasons[runs[2].content_hash]
    assert result.files == 2
    restored = FileStore(tmp_path / "restored")
    assert restore_backup(tmp_path / "backup", target, restored) == result
    assert list(restored.hashes()) == sorted([runs[0].content_hash, runs[3].content_hash])
    assert load_missing_files(target, restored) == tuple(sorted(reasons))


def test_a_file_that_the_disk_cannot_read_does_not_stop_a_backup(world, files, tmp_path, monkeypatch):
    runs = [submit(world, files, number) for number in range(2)]
    bad = files.place(runs[0].content_hash)
    opened = type(bad).open

    def broken(path, *arguments, **more):
        if path == bad:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return opened(path, *arguments, **more)

    monkeypatch.setattr(type(bad), "open", broken)
    result = save_backup(world.database, files, tmp_path / "backup", now=NOW)
    assert "Input/output error" in result.not_copied[runs[0].content_hash]
    assert result.files == 1


def test_without_room_there_is_no_backup(world, files, tmp_path, monkeypatch):
    submit(world, files, 1)

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("runoff.server.store.files.os.write", full)
    with pytest.raises(NoRoomError):
        save_backup(world.database, files, tmp_path / "backup", now=NOW)
    assert not (tmp_path / "backup" / "backup.json").exists()


@pytest.mark.parametrize("backend", ["sqlite"])
def test_a_damaged_database_is_an_error_in_words(world, files, tmp_path):
    world.database.close()
    file = Path(str(world.database.url.database))
    content = bytearray(file.read_bytes())
    content[8192:40960] = b"x" * 32768
    file.write_bytes(content)
    with pytest.raises(StoreError, match="the database is damaged"):
        _copy_sqlite(world.database, tmp_path / "copy")


@pytest.mark.postgresql
@pytest.mark.parametrize("backend", ["postgresql"])
def test_without_its_programs_postgresql_cannot_be_backed_up(world, files, tmp_path, monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(StoreError, match="pg_dump is not installed; it comes with PostgreSQL"):
        save_backup(world.database, files, tmp_path / "backup", now=NOW)
    assert not (tmp_path / "backup" / "backup.json").exists()
