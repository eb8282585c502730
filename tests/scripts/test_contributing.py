"""CONTRIBUTING.md names files, lists and layers that exist."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PATHS = sorted(set(re.findall(r"`((?:[\w.-]+/)+[\w.-]*)`", TEXT)))
LISTS = sorted(set(re.findall(r"`([A-Z_]{4,})` in `([\w./]+)`", TEXT)))
ELSEWHERE = {"site/", "../shared/data"}
"""Folders that a command makes, or that are beside the project."""


@pytest.mark.parametrize("path", [path for path in PATHS if path not in ELSEWHERE])
def test_every_path_exists(path):
    assert any((root / path).exists() for root in (ROOT, ROOT / "src" / "runoff", ROOT / "src"))


@pytest.mark.parametrize("name, file", LISTS)
def test_every_list_is_where_it_says(name, file):
    folder = next(folder for folder in (ROOT, ROOT / "src" / "runoff") if (folder / file).is_file())
    assert re.search(rf"^{name}\b", (folder / file).read_text(encoding="utf-8"), re.MULTILINE)


def test_the_layers_are_those_of_the_contract():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(contract["layers"] for contract in contracts if contract["id"] == "layers")
    declared = [name.strip("() ") for layer in layers for name in layer.split(":") if "__main__" not in layer]
    written = re.search(r"## Layers.*?```text\n(.*?)```", TEXT, re.DOTALL)
    assert written is not None
    assert re.findall(r"\w+", written[1]) == declared
