"""The requirements with hashes in deploy/: the pins of constraints.txt, all of them, and no address."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts.write_requirements import EXTRA, read_build_requirements, read_requirements

ROOT = Path(__file__).resolve().parent.parent.parent
FILES = {"requirements.txt": read_requirements(EXTRA), "requirements-build.txt": read_build_requirements()}


def pins_of(text: str) -> dict[str, str]:
    pins = re.findall(r"^([A-Za-z0-9._-]+)==([^\s\\]+)", text, re.MULTILINE)
    return {canonicalize_name(name): version for name, version in pins}


def requirements_of(name: str) -> list[str]:
    """What a package needs; nothing for one that only builds others, and is not installed."""
    try:
        return requires(name) or []
    except PackageNotFoundError:
        return []


def needed(requirements: list[str]) -> set[str]:
    """All packages that pip installs for these here."""
    names: set[str] = set()
    waiting = [Requirement(text) for text in requirements]
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        extras = requirement.extras or {""}
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": ""}):
            continue
        names.add(name)
        for text in requirements_of(name):
            further = Requirement(text)
            wanted = further.marker is None or any(further.marker.evaluate({"extra": extra}) for extra in extras)
            if wanted and canonicalize_name(further.name) not in names:
                further.marker = None
                waiting.append(further)
    return names


@pytest.mark.parametrize("name", FILES)
def test_requirements_are_the_pins_of_the_constraints_with_hashes(name):
    text = (ROOT / "deploy" / name).read_text(encoding="utf-8")
    pins, constraints = pins_of(text), pins_of((ROOT / "constraints.txt").read_text(encoding="utf-8"))
    assert pins == {package: constraints[package] for package in pins}, "run `make requirements`"
    assert needed(FILES[name]) <= set(pins), "run `make requirements`"
    for entry in re.split(r"\n(?=\S)", text.partition("\n#")[2].partition("\n# Wheels")[2].partition("\n")[2].strip()):
        assert re.fullmatch(r"[\w.-]+==\S+( \\\n    --hash=sha256:[0-9a-f]{64})+", entry), entry
    assert "//" not in text
    assert "index" not in text


def test_the_image_and_the_unit_install_by_hash():
    for name in ("Dockerfile", "runoff.service"):
        text = (ROOT / "deploy" / name).read_text(encoding="utf-8")
        for line in re.findall(r"pip install .*", text):
            assert "--require-hashes" in line or "--no-deps" in line, line
