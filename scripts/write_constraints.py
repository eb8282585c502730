"""Write constraints.txt: install everything in a fresh environment and record the versions.

Names and versions only, no address and no hash, so that pip takes packages from wherever the user has set it to.
Run by `make constraints`, with the oldest Python that is supported.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PIN = re.compile(r"[A-Za-z0-9._-]+==[A-Za-z0-9.!+_-]+")
HEADER = "# Every dependency of runoff and of all its extras. Written by `make constraints` with Python {version}.\n"


def read_requirements() -> list[str]:
    """Requirements of the package, of its extras and of its build, without the package itself."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"].values()
    requirements = project["build-system"]["requires"] + project["project"]["dependencies"]
    requirements += [requirement for extra in extras for requirement in extra]
    return [requirement for requirement in requirements if not requirement.startswith("runoff[")]


def read_versions(requirements: list[str]) -> list[str]:
    """Install the requirements in a temporary environment; return its pins, sorted by name."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        pip = [str(Path(folder) / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "--quiet", *requirements], check=True)
        # Without --all, setuptools is left out, which builds the package.
        freeze = [*pip, "freeze", "--local", "--all", "--exclude", "pip"]
        frozen = subprocess.run(freeze, check=True, capture_output=True, text=True).stdout
    pins = frozen.split("\n")[:-1]
    strange = [pin for pin in pins if not PIN.fullmatch(pin)]
    if strange:
        sys.exit(f"expected name==version, got: {', '.join(strange)}")
    return sorted(pins, key=str.casefold)


def main() -> None:
    """Write the file."""
    pins = read_versions(read_requirements())
    header = HEADER.format(version=f"{sys.version_info.major}.{sys.version_info.minor}")
    (ROOT / "constraints.txt").write_text(header + "\n".join(pins) + "\n", encoding="utf-8")
    print(f"constraints.txt: {len(pins)} packages")


if __name__ == "__main__":
    main()
