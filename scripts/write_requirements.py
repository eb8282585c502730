"""Write deploy/requirements.txt and deploy/requirements-build.txt: the pins of constraints.txt with hashes.

The first has what a server needs (`runoff[postgresql]`), the second what builds the package. pip refuses any file whose
hash is not listed, wherever it takes packages from; the files name no address. Wheels alone, for the Pythons and
processors below.
Run by `make requirements` after `make constraints`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXTRA = "postgresql"
PYTHONS = ("3.11", "3.12", "3.13")
PROCESSORS = ("x86_64", "aarch64")
SYSTEMS = ("manylinux_2_28", "manylinux_2_27", "manylinux_2_26", "manylinux_2_17", "manylinux2014", "manylinux_2_5")
HEADER = """# {title} Written by `make requirements` from constraints.txt.
# pip install --require-hashes --only-binary=:all: -r {path}
# Wheels for Python {pythons} on Linux ({processors}).
"""


def read_requirements(extra: str) -> list[str]:
    """Requirements of the package with an extra, and with the extras that this one names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    requirements, extras = list(project["dependencies"]), [extra]
    while extras:
        for requirement in project["optional-dependencies"][extras.pop()]:
            if requirement.startswith("runoff["):
                extras += requirement.removeprefix("runoff[").removesuffix("]").split(",")
            else:
                requirements.append(requirement)
    return requirements


def read_build_requirements() -> list[str]:
    """Requirements of building the package."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return list(project["build-system"]["requires"])


def resolve(requirements: Sequence[str], python: str, processor: str) -> dict[str, str]:
    """The hash of each pin that pip would install; nothing is installed."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        platforms = [f"--platform={system}_{processor}" for system in SYSTEMS]
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--dry-run"]
        command += ["--ignore-installed", "--only-binary=:all:", f"--python-version={python}", *platforms]
        command += ["--target", folder, "--constraint", str(ROOT / "constraints.txt"), "--report", str(report)]
        subprocess.run([*command, *requirements], check=True)
        packages = json.loads(report.read_text(encoding="utf-8"))["install"]
    return {
        f"{package['metadata']['name']}=={package['metadata']['version']}": package["download_info"]["archive_info"][
            "hashes"
        ]["sha256"]
        for package in packages
    }


def write(path: str, title: str, requirements: Sequence[str]) -> None:
    """Write a file of pins, each with the hashes of its wheels."""
    hashes: dict[str, set[str]] = {}
    for python in PYTHONS:
        for processor in PROCESSORS:
            for pin, digest in resolve(requirements, python, processor).items():
                hashes.setdefault(pin, set()).add(digest)
    header = HEADER.format(title=title, path=path, pythons=", ".join(PYTHONS), processors=", ".join(PROCESSORS))
    lines = [
        " \\\n".join([pin, *(f"    --hash=sha256:{digest}" for digest in sorted(hashes[pin]))])
        for pin in sorted(hashes, key=str.casefold)
    ]
    (ROOT / path).write_text(header + "\n".join(lines) + "\n", encoding="utf-8")
    print(f"{path}: {len(hashes)} packages")


def main() -> None:
    """Write both files."""
    write("deploy/requirements.txt", "What a server needs, with hashes.", read_requirements(EXTRA))
    write("deploy/requirements-build.txt", "What builds the package, with hashes.", read_build_requirements())


if __name__ == "__main__":
    main()
