"""Another account of the machine tries to read what the server keeps: nothing is open to it, whatever the umask."""

from __future__ import annotations

import configparser
import os
import stat
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from runoff.server.cases.uploads.limited_process import LimitedReader
from runoff.server.store.database import open_database, upgrade
from tests.server.cases.served import Served, run_text
from tests.server.web.real import RealServer, token_of

ROOT = Path(__file__).resolve().parents[3]
OPEN = stat.S_IRWXG | stat.S_IRWXO

STORING = """
import os, sqlite3, sys
from datetime import UTC, datetime
from pathlib import Path
os.umask(0)
from runoff.server.site import SiteSettings, open_site
from runoff.server.store.backup import restore_backup, save_backup
from runoff.server.store.database import make_folder_of, open_database
from runoff.server.store.files import FileStore
root, address, empty = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
site = open_site(SiteSettings(database=address, folder=root / "data" / "deep" / "files"))
site.files.save([b"run"], limit=9)
with site.files.holding():
    pass
# The write-ahead log is there as long as the database is open.
site.database.write(lambda connection: connection.exec_driver_sql("CREATE TABLE more (a INTEGER)"))
save_backup(site.database, site.files, root / "backups" / "monday", now=datetime.now(UTC))
make_folder_of(empty)
restored = open_database(empty)
restore_backup(root / "backups" / "monday", restored, FileStore(root / "restored" / "files"))
with site.files.receive(limit=9) as incoming:
    incoming.write(b"half")
    for place in sorted(root.rglob("*")):
        print(oct(place.stat().st_mode), place.relative_to(root))
"""


def modes_of(*arguments: str) -> dict[str, int]:
    """The modes of all files, as a program with umask 000 made them."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", STORING, *arguments], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return {name: int(mode, 8) for mode, name in (line.split(" ", 1) for line in done.stdout.splitlines())}


def assert_private(modes: dict[str, int]) -> None:
    assert {name: oct(mode) for name, mode in modes.items() if mode & OPEN} == {}


def test_database_log_files_backups_and_parents_are_private(tmp_path):
    urls = [f"sqlite:///{tmp_path}/{place}/runoff.db" for place in ("state/of/runoff", "restored/database")]
    modes = modes_of(str(tmp_path), *urls)
    for name in (
        "state", "state/of/runoff/runoff.db", "state/of/runoff/runoff.db-wal", "state/of/runoff/runoff.db-shm",
        "data/deep/files/lock", "backups/monday/database.sqlite", "backups/monday/backup.json", "restored/files",
        "restored/database/runoff.db",
    ):  # fmt: skip
        assert name in modes
    assert_private(modes)


@pytest.mark.postgresql
@pytest.mark.parametrize("backend", ["postgresql"])
def test_a_dump_of_postgresql_is_private_too(database_url, empty_url, tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    modes = modes_of(str(root), database_url, empty_url)
    assert "backups/monday/database.pgdump" in modes
    assert_private(modes)


def test_what_an_earlier_version_left_open_is_closed(tmp_path):
    database = open_database(f"sqlite:///{tmp_path / 'a.db'}")
    upgrade(database)
    for file in tmp_path.iterdir():
        file.chmod(0o666)
    again = open_database(f"sqlite:///{tmp_path / 'a.db'}")
    assert_private({file.name: file.stat().st_mode for file in tmp_path.iterdir()})
    again.close()
    database.close()


def written_mode(folder: str) -> list[int]:
    """Write a file as a reader of uploads does, and look at its mode."""
    inner = Path(folder) / "inner" / "labels"
    inner.parent.mkdir()
    inner.write_text("q 0 d 1\n", encoding="utf-8")
    return [inner.stat().st_mode, inner.parent.stat().st_mode]


def test_what_a_reading_process_writes_is_private(tmp_path):
    before = os.umask(0)
    try:
        modes = LimitedReader().read(written_mode, {"folder": str(tmp_path)}, called="x", into=list)
    finally:
        os.umask(before)
    assert [oct(mode) for mode in modes if mode & OPEN] == []


@pytest.mark.program
def test_a_real_server_with_umask_000_keeps_everything_private(tmp_path):
    url, folder = f"sqlite:///{tmp_path / 'state' / 'a.db'}", tmp_path / "state"
    folder.mkdir(mode=0o700)
    before = os.umask(0)
    try:
        database = open_database(url)
        upgrade(database)
        served = Served.made_in(database, folder, runs=1)
        with RealServer(url, served.files.folder, workers=1) as server:
            answer = httpx.post(
                f"{server.base}/api/v1/boards/trees/runs",
                files={"file": ("a.run", run_text(5))},
                data={"metadata": '{"name": "new"}'},
                headers={"Authorization": f"Bearer {token_of(served)}"},
                timeout=60,
            )
            assert answer.status_code == 202, answer.text
            kept = [place for place in folder.rglob("*") if "described" not in place.parts]
            modes = {str(place.relative_to(folder)): place.stat().st_mode for place in kept}
            # Its log was opened by this test.
            assert_private({name: mode for name, mode in modes.items() if name != "server.log"})
    finally:
        os.umask(before)
    database.close()


def test_the_unit_and_the_image_keep_files_private():
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string((ROOT / "deploy" / "runoff.service").read_text(encoding="utf-8"))
    service = unit["Service"]
    assert (service["UMask"], service["StateDirectoryMode"], service["PrivateTmp"]) == ("0077", "0700", "yes")
    image = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8")
    assert (
        image.index("useradd")
        < image.index("chmod 0700 /data")
        < image.index("USER runoff")
        < image.index("VOLUME /data")
    )
