"""The layers hold, and each contract is able to fail."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CONFIGURATION = ROOT / "pyproject.toml"
CONTRACTS = {
    contract["id"]: contract
    for contract in tomllib.loads(CONFIGURATION.read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
}
LAYERS = [layer.strip("()") for layer in CONTRACTS["layers"]["layers"]]


def lint_imports(source: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Check the package in folder `source` against the contracts of the project."""
    program = "import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())"
    return subprocess.run(
        [sys.executable, "-c", program, "--config", str(CONFIGURATION), "--no-cache", "--no-logo", *options],
        cwd=source,
        env={**os.environ, "PYTHONPATH": str(source), "COLUMNS": "200", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def source(tmp_path) -> Path:
    """A copy of src/ in which a test may plant what it likes."""
    return Path(shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__")))


def plant(source: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        file = source / "runoff" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")


def test_the_contracts_are_kept():
    result = lint_imports(ROOT / "src")
    assert result.returncode == 0, result.stdout + result.stderr


PLANTED = [
    ("layers", {"tables/planted.py": "from runoff.cli import main\n"}, "runoff.tables.planted -> runoff.cli"),
    ("layers", {"errors.py": "from runoff.tables import scores\n"}, "runoff.errors -> runoff.tables"),
    ("layers", {"tables/planted.py": "def late():\n    from runoff.cli import main\n"}, "runoff.tables.planted"),
    ("layers", {"planted/__init__.py": ""}, "planted"),
    (
        "acyclic",
        {
            "measures/planted.py": "from runoff.measures import planted_too\n",
            "measures/planted_too.py": "from runoff.measures import planted\n",
        },
        "planted_too",
    ),
    ("numeric", {"measures/planted.py": "import rich\n"}, "runoff.measures is not allowed to import rich"),
    (
        "numeric",
        {
            "tables/planted.py": "import click\n",
            "measures/planted.py": "from runoff.tables import planted\n",
        },
        "runoff.measures is not allowed to import click",
    ),
    ("hidden-inputs", {"reports/planted.py": "import time\n"}, "runoff.reports is not allowed to import time"),
    ("hidden-inputs", {"store/planted.py": "import secrets\n"}, "runoff.store is not allowed to import secrets"),
    ("sealed", {"workflows/planted.py": "from runoff.store import sealed\n"}, "runoff.workflows.planted"),
    ("sealed", {"store/planted.py": "from runoff.store.sealed import load_sealed_labels\n"}, "runoff.store.planted"),
    (
        "sealed-tables",
        {"workflows/planted.py": "from runoff.store.models.sealed import SEALED_LABELS\n"},
        "runoff.workflows.planted",
    ),
]


@pytest.mark.parametrize("contract, files, message", PLANTED)
def test_a_planted_bad_import_is_caught(source, contract, files, message):
    before = lint_imports(source, "--contract", contract)
    assert before.returncode == 0, before.stdout + before.stderr
    plant(source, files)
    after = lint_imports(source, "--contract", contract)
    assert after.returncode == 1
    assert "0 kept, 1 broken" in after.stdout
    assert message in after.stdout


def test_every_contract_has_a_planted_import():
    assert {contract for contract, _, _ in PLANTED} == set(CONTRACTS)


@pytest.mark.parametrize(
    "contract, highest, lowest", [("numeric", "simulation", "tables"), ("hidden-inputs", "store", "errors")]
)
def test_a_contract_names_every_layer_it_is_about(contract, highest, lowest):
    meant = LAYERS[LAYERS.index(highest) : LAYERS.index(lowest) + 1]
    package = ROOT / "src" / "runoff"
    there = {f"runoff.{name}" for name in meant if (package / name).is_dir() or (package / f"{name}.py").is_file()}
    assert set(CONTRACTS[contract]["source_modules"]) == there
