"""A PostgreSQL of Debian's programs for a benchmark: on the disk, with all that makes it durable."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MOST_CONNECTIONS = 100


def programs() -> Path | None:
    """The folder of PostgreSQL's programs, the newest; None if there are none."""
    homes = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda home: int(home.parent.name))
    found = [home for home in homes if (home / "initdb").is_file() and (home / "postgres").is_file()]
    return found[-1] if found else None


@contextmanager
def postgresql() -> Iterator[str]:
    """The address of a new database; empty where PostgreSQL is not installed."""
    home = programs()
    if home is None:
        yield ""
        return
    # A short path, as a socket needs.
    folder = Path(tempfile.mkdtemp(prefix="runoff-pg-", dir="/tmp"))
    owner = _owner()
    # PostgreSQL refuses to run as root.
    run: list[str | Path] = []
    if os.geteuid() == 0:
        shutil.chown(folder, owner)
        run = ["setpriv", f"--reuid={owner}", f"--regid={pwd.getpwnam(owner).pw_gid}", "--clear-groups", "--"]
    folder.chmod(0o755)
    make: list[str | Path] = [
        home / "initdb",
        "-D",
        folder / "data",
        "-U",
        "runoff",
        "-A",
        "trust",
        "-E",
        "UTF8",
        "--locale=C",
    ]
    options = f"-c listen_addresses='' -c max_connections={MOST_CONNECTIONS} -c fsync=on -k {folder}"
    control: list[str | Path] = [*run, home / "pg_ctl", "-D", folder / "data", "-w"]
    try:
        _do([*run, *make], folder)
        _do([*control, "-l", folder / "log", "-o", options, "start"], folder)
        try:
            yield f"postgresql://runoff@/postgres?host={folder}"
        finally:
            _do([*control, "-m", "fast", "stop"], folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _do(command: list[str | Path], folder: Path) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder)


def _owner() -> str:
    return pwd.getpwuid(os.geteuid()).pw_name if os.geteuid() else "postgres"
