import json
import threading

import pytest

from runoff.errors import StoreError
from runoff.server.store.audit import load_audit
from runoff.server.store.backup import load_missing_files, restore_backup, save_backup
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


@pytest.mark.postgresql
@pytest.mark.parametrize("backend", ["postgresql"])
def test_without_its_programs_postgresql_cannot_be_backed_up(world, files, tmp_path, monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(StoreError, match="pg_dump is not installed; it comes with PostgreSQL"):
        save_backup(world.database, files, tmp_path / "backup", now=NOW)
    assert not (tmp_path / "backup" / "backup.json").exists()
