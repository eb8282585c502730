"""Measure what the package and each extra add to an environment: `python -m scripts.measure_install [EXTRA ...]`.

Every row is a new folder with the pins of constraints.txt, without bytecode. Seconds include the download, unless
pip has the files in its cache.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOT_FOR_USERS = ("all", "dev", "peers")


def extras() -> list[str]:
    """The extras that users choose from."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [name for name in project["optional-dependencies"] if name not in NOT_FOR_USERS]


def size_of(folder: Path) -> int:
    """Bytes of all files."""
    return sum(file.lstat().st_size for file in folder.rglob("*") if file.is_file() and not file.is_symlink())


def packages_in(folder: Path) -> int:
    """How many packages are installed."""
    return len(list(folder.rglob("*.dist-info")))


def measured(wanted: str) -> tuple[float, int, int]:
    """Seconds, bytes and packages of an installation."""
    with tempfile.TemporaryDirectory(prefix="runoff-install-") as place:
        target = Path(place)
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-compile"]
        begin = time.perf_counter()
        subprocess.run(
            [*pip, "--target", str(target), "-c", str(ROOT / "constraints.txt"), f"{ROOT}{wanted}"], check=True
        )
        return time.perf_counter() - begin, size_of(target), packages_in(target)


def main(arguments: Sequence[str]) -> None:
    """Print a row for the base and one for each extra."""
    print("| installation | MB | packages | seconds |\n|---|---|---|---|")
    for name in ("", *(arguments or extras())):
        seconds, size, packages = measured(f"[{name}]" if name else "")
        words = f"`runoff[{name}]`" if name else "`runoff`"
        print(f"| {words} | {size / 1e6:.0f} | {packages} | {seconds:.0f} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
