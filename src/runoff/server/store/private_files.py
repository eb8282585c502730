"""Files and folders that the server's own account alone can open, whatever the umask is."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

FILE_MODE: Final = 0o600
FOLDER_MODE: Final = 0o700


def make_private_folder(folder: Path) -> None:
    """Make a folder and those above it that are missing, all of them private; one that exists stays as it is."""
    if not folder.is_dir():
        if folder.parent != folder:
            make_private_folder(folder.parent)
        folder.mkdir(mode=FOLDER_MODE, exist_ok=True)


def open_private_file(path: Path) -> IO[bytes]:
    """A new private file, open for writing; FileExistsError if there is one."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE), "wb")


def make_private_file(path: Path) -> None:
    """Make an empty private file for a program that would make one by the umask; one that exists is not touched."""
    # Not opened if it exists: closing a file that SQLite has open would drop SQLite's locks.
    with suppress(FileExistsError):
        open_private_file(path).close()


def close_to_others(path: Path) -> None:
    """Take the rights of others from a file or folder of our own account, such as one that an earlier version made."""
    with suppress(FileNotFoundError):
        status = path.stat()
        if stat.S_IMODE(status.st_mode) & 0o077 and status.st_uid == os.geteuid():
            path.chmod(stat.S_IMODE(status.st_mode) & 0o700)
