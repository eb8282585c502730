"""Backup of a running store into a folder, and its restoration.

The database is copied first and the files after it. A file is in the store before the database refers to it, and is
never altered, nor removed while the database refers to it, so every file that the copied database knows is there to be
copied. Files that no row refers to are not removed while a backup is made.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final

from runoff.errors import StoreError
from runoff.server.store.database import Database
from runoff.server.store.files import FileStore, load_known_hashes
from runoff.server.store.migrations import current_revision
from runoff.server.store.private_files import make_private_file, make_private_folder, open_private_file

_NAMES: Final = {"sqlite": "database.sqlite", "postgresql": "database.pgdump"}
_MANIFEST: Final = "backup.json"
_BLOCK: Final = 1 << 20


@dataclass(frozen=True, kw_only=True)
class BackupResult:
    """What a backup holds: the kind of database, the version of its tables, and the number of files.

    not_copied  why a file is not in it, by hash: it is damaged, or the database refers to it and the store lacks it
    """

    kind: str
    revision: str | None
    files: int
    made_at: str
    not_copied: Mapping[str, str] = field(default_factory=dict)


def save_backup(database: Database, files: FileStore, folder: Path, *, now: datetime) -> BackupResult:
    """Copy database and files into a new folder, while the server runs; only a finished backup has a backup.json.

    A file that is damaged or lost does not stop it: it is listed in the result.
    """
    if folder.exists() and any(folder.iterdir()):
        raise StoreError(f"{folder}: this folder is not empty; expected a new or empty one; name another")
    make_private_folder(folder)
    kind = database.url.get_backend_name()
    with database.read() as connection:
        revision = current_revision(connection)
        referred = load_known_hashes(connection)
    make_private_file(folder / _NAMES[kind])
    (_copy_sqlite if kind == "sqlite" else _dump_postgresql)(database, folder / _NAMES[kind])
    copies = FileStore(folder / "files")
    with files.holding():
        outcomes = {
            content_hash: _copy_unless_damaged(files, copies, content_hash)
            for content_hash in sorted({*files.hashes(), *referred})
        }
    hashes = [content_hash for content_hash, reason in outcomes.items() if reason is None]
    not_copied = {content_hash: reason for content_hash, reason in outcomes.items() if reason is not None}
    result = BackupResult(
        kind=kind, revision=revision, files=len(hashes), made_at=now.isoformat(), not_copied=not_copied
    )
    text = json.dumps(asdict(result) | {"hashes": hashes}, indent=1)
    with open_private_file(folder / _MANIFEST) as manifest:
        manifest.write(text.encode())
    return result


def restore_backup(folder: Path, database: Database, files: FileStore) -> BackupResult:
    """Put a backup into an empty database of the same kind and a file store; every file is checked on the way."""
    try:
        manifest = json.loads((folder / _MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise StoreError(f"{folder / _MANIFEST}: cannot be read ({error}); this is not a complete backup") from error
    hashes = manifest.pop("hashes")
    result = BackupResult(**manifest)
    kind = database.url.get_backend_name()
    if kind != result.kind:
        raise StoreError(f"{folder}: a backup of {result.kind} cannot be restored into {kind}; use the same kind")
    with database.read() as connection:
        if current_revision(connection) is not None:
            raise StoreError("the database to restore into has tables already; expected an empty one; name another")
    copies = FileStore(folder / "files")
    for content_hash in hashes:
        _copy_content(copies.path(content_hash), files)
    (_restore_sqlite if kind == "sqlite" else _restore_postgresql)(folder / _NAMES[kind], database)
    return result


def load_missing_files(database: Database, files: FileStore) -> tuple[str, ...]:
    """Hashes that the database refers to and the file store lacks; there should be none."""
    with database.read() as connection:
        hashes = load_known_hashes(connection)
    return tuple(sorted(content_hash for content_hash in hashes if not files.has(content_hash)))


def _copy_content(path: Path, target: FileStore) -> None:
    with path.open("rb") as stream:
        target.save(iter(lambda: stream.read(_BLOCK), b""), limit=path.stat().st_size)


def _copy_unless_damaged(source: FileStore, target: FileStore, content_hash: str) -> str | None:
    """Copy a file; if it cannot be read or is not what it was, return why, and leave it out."""
    try:
        path = source.path(content_hash)
    except (StoreError, OSError) as error:
        return str(error)
    try:
        _copy_content(path, target)
    except OSError as error:
        # Of reading: an error of the target is a StoreError, and ends the backup.
        return f"{path}: {error}"
    return None


def _copy_sqlite(database: Database, target: Path) -> None:
    # SQLite's own backup: one moment of the database, while others write.
    file = str(database.url.database)
    try:
        with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(target)) as copy:
            source.backup(copy)
            # SQLite copies damaged pages as they are.
            (found,) = copy.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        found = str(error)
    if found != "ok":
        raise StoreError(f"{file}: the database is damaged ({found}), so there is no backup; restore an earlier one")


def _restore_sqlite(source: Path, database: Database) -> None:
    database.close()
    with closing(sqlite3.connect(source)) as copy, closing(sqlite3.connect(str(database.url.database))) as target:
        copy.backup(target)


def _dump_postgresql(database: Database, target: Path) -> None:
    _run("pg_dump", database, ["--format=custom", "--no-owner", f"--file={target}"])


def _restore_postgresql(source: Path, database: Database) -> None:
    database.close()
    _run("pg_restore", database, ["--no-owner", "--single-transaction", "--exit-on-error", str(source)])


def _run(program: str, database: Database, options: list[str]) -> None:
    path = shutil.which(program)
    if path is None:
        raise StoreError(
            f"{program} is not installed; it comes with PostgreSQL: sudo apt-get install postgresql-client"
        )
    # The password goes by the environment: a command line can be read by everybody on the machine.
    url = database.url.set(drivername="postgresql", password=None)
    environment = dict(os.environ) | ({"PGPASSWORD": str(database.url.password)} if database.url.password else {})
    command = [path, *options, f"--dbname={url.render_as_string()}"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode != 0:
        raise StoreError(f"{program} failed: {done.stderr.strip()[:500]}; see its message and the versions of both")
