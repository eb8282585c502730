"""A real PostgreSQL for the tests: one for all test processes, not run by root, stopped at the end."""

from __future__ import annotations

import fcntl
import getpass
import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

SETTINGS = {
    "listen_addresses": "''",  # a socket in our own folder, no port
    "max_connections": "200",
    # A test kills programs, never the machine.
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
}

_tickets = itertools.count(1)


def programs() -> Path:
    """The folder of PostgreSQL's programs; without them the test fails."""
    homes = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda home: int(home.parent.name))
    homes += [Path(found).resolve().parent for found in [shutil.which("postgres")] if found]
    for home in reversed(homes):
        if (home / "initdb").is_file() and (home / "postgres").is_file():
            return home
    return pytest.fail("PostgreSQL is missing; install it with scripts/system-packages (as root)")


def unprivileged() -> list[str]:
    """How a command is started as somebody else, if we are root: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return []
    return ["setpriv", f"--reuid={owner()}", f"--regid={pwd.getpwnam(owner()).pw_gid}", "--clear-groups", "--"]


def owner() -> str:
    """Who owns the server."""
    if os.geteuid() != 0:
        return getpass.getuser()
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def roomiest() -> str:
    """Memory if there is enough of it, else the disk; both have short paths, as a socket needs."""
    memory = "/dev/shm"  # noqa: S108
    enough = os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 1 << 30
    return memory if enough else "/tmp"  # noqa: S108


def start(home: Path) -> Path:
    """Make a cluster in a new folder, start its server and return the folder."""
    folder = Path(tempfile.mkdtemp(prefix="runoff-pg-", dir=roomiest()))
    shutil.chown(folder, owner())
    folder.chmod(0o755)
    run = unprivileged()
    data = folder / "data"
    subprocess.run(
        [*run, home / "initdb", "-D", data, "-U", "runoff", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
        check=True,
        stdout=subprocess.DEVNULL,
        cwd=folder,
    )
    options = " ".join(f"-c {name}={value}" for name, value in SETTINGS.items())
    subprocess.run(
        [*run, home / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", f"{options} -k {folder}", "start"],
        check=True,
        stdout=subprocess.DEVNULL,
        cwd=folder,
    )
    return folder


def stop(home: Path, folder: Path) -> None:
    """Stop the server and remove its folder."""
    command: list[str | Path] = [
        *unprivileged(),
        home / "pg_ctl",
        "-D",
        folder / "data",
        "-m",
        "immediate",
        "-w",
        "stop",
    ]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder)
    shutil.rmtree(folder)


@contextmanager
def shared_server(place: Path) -> Iterator[Path]:
    """The socket folder of a server that all test processes with the same `place` share.

    The first starts it and the last stops it: a file in `place` holds the server's folder and who uses it, and is
    only looked at under a lock.
    """
    home = programs()
    user = f"{os.getpid()}.{next(_tickets)}"  # a process may use it from several folders of tests
    with _locked(place / "postgresql") as state:
        lines = (
            state.read_text(encoding="utf-8").split("\n") if state.read_text(encoding="utf-8") else [str(start(home))]
        )
        state.write_text("\n".join([*lines, user]), encoding="utf-8")
    folder = Path(lines[0])
    try:
        yield folder
    finally:
        with _locked(place / "postgresql") as state:
            users = [one for one in state.read_text(encoding="utf-8").split("\n")[1:] if one != user]
            state.write_text("\n".join([str(folder), *users]) if users else "", encoding="utf-8")
            if not users:
                stop(home, folder)


@contextmanager
def _locked(file: Path) -> Iterator[Path]:
    with file.open("a", encoding="utf-8") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield file
