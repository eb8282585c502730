"""A command that reads the folders it may, writes its temporary files, and reaches nothing else.

`python -m runoff.cli._guarded compare ...` is `runoff compare ...` for a caller who is not trusted with this machine.
What Python opens is looked at just before: a path inside a board.toml, or behind a symbolic link, is no way out.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from runoff.errors import UsageError

ROOTS: Final = "RUNOFF_ROOTS"
"""The variable with the folders that may be read, as in PATH."""
_REFUSED: Final = ("socket.", "subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.system", "pty.")
_FOLDERS: Final = ("os.listdir", "os.scandir")
_CHANGES: Final = ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate", "os.chmod")
_MACHINE: Final = frozenset({"/dev/null", "/dev/urandom", "/proc/cpuinfo", "/proc/meminfo"})


def check_path(path: str, roots: Sequence[Path]) -> None:
    """Refuse a path that is not in one of some folders, where its symbolic links lead."""
    place = Path(os.path.realpath(path))
    if not any(place.is_relative_to(root) for root in roots):
        allowed = ", ".join(map(str, roots))
        raise UsageError(f"{path}: not in a folder that may be read; expected a path in {allowed}; name another")


def guard(roots: Sequence[Path], scratch: Path) -> None:
    """Refuse from now on what is not reading in these folders; temporary files are in `scratch`."""
    code = {Path(os.path.realpath(place)) for place in (*sysconfig.get_paths().values(), *sys.path) if place}
    readable = [*roots, scratch, *sorted(code)]

    def look(event: str, arguments: tuple[Any, ...]) -> None:
        if event.startswith(_REFUSED):
            raise UsageError(
                f"{event} is not allowed here; expected files in {', '.join(map(str, roots))}; leave it out"
            )
        if event == "open":
            path, mode, flags = arguments
            if isinstance(path, int) or _name(path) in _MACHINE:
                return
            is_written = flags & (os.O_WRONLY | os.O_RDWR) or any(sign in (mode or "") for sign in "wax+")
            _check(path, [scratch] if is_written else readable, roots)
        elif event in _FOLDERS and arguments[0] is not None and not isinstance(arguments[0], int):
            _check(arguments[0], readable, roots)
        elif event in _CHANGES:
            _check(arguments[0], [scratch], roots)

    sys.addaudithook(look)


def _name(path: str | bytes | os.PathLike[str]) -> str:
    return os.fsdecode(path)


def _check(path: str | bytes | os.PathLike[str], allowed: Sequence[Path], roots: Sequence[Path]) -> None:
    place = Path(os.path.realpath(_name(path)))
    if not any(place.is_relative_to(folder) for folder in allowed):
        check_path(_name(path), roots)
        raise UsageError(f"{_name(path)}: nothing is written here; expected a path to read; name another")


def main() -> None:
    """Run a command behind the guard."""
    import runoff.cli.main
    import runoff.display

    sys.dont_write_bytecode = True
    roots = [Path(root) for root in os.environ[ROOTS].split(os.pathsep)]
    guard(roots, Path(os.path.realpath(os.environ["TMPDIR"])))
    runoff.cli.main.main()


if __name__ == "__main__":
    main()
