"""The layers hold, and each contract is able to fail."""

from __future__ import annotations

import os
import re
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
LAYERS = [name.strip("()") for layer in CONTRACTS["layers"]["layers"] for name in layer.split(" : ")]


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


PLANTED = [
    ("layers", {"tables/upward.py": "from runoff.cli import main\n"}, "runoff.tables.upward -> runoff.cli"),
    ("layers", {"errors.py": "from runoff.tables import scores\n"}, "runoff.errors -> runoff.tables"),
    (
        "layers",
        {"tables/late.py": "def f():\n    from runoff.cli import main\n"},
        "runoff.tables.late -> runoff.cli",
    ),
    ("layers", {"unlisted/__init__.py": ""}, "unlisted"),
    (
        "acyclic",
        {
            "measures/one_way.py": "from runoff.measures import and_back\n",
            "measures/and_back.py": "from runoff.measures import one_way\n",
        },
        "and_back",
    ),
    (
        "server",
        {"server/store/page.py": "from runoff.server.web import app\n"},
        "runoff.server.store.page -> runoff.server.web.app",
    ),
    (
        "web-store",
        {"server/web/shortcut.py": "from runoff.server.store.boards import save_board\n"},
        "runoff.server.web.shortcut -> runoff.server.store.boards",
    ),
    ("numeric", {"measures/screen.py": "import rich\n"}, "runoff.measures is not allowed to import rich"),
    (
        "numeric",
        {
            "tables/option.py": "import click\n",
            "measures/through.py": "from runoff.tables import option\n",
        },
        "runoff.measures is not allowed to import click",
    ),
    ("hidden-inputs", {"display/clock.py": "import time\n"}, "runoff.display is not allowed to import time"),
    (
        "hidden-inputs",
        {"server/store/secret.py": "import secrets\n"},
        "runoff.server.store is not allowed to import secrets",
    ),
    (
        "public",
        {"server/web/leak.py": "from runoff.results.comparison import Comparison\n"},
        "runoff.server.web.leak -> runoff.results.comparison",
    ),
    ("sealed", {"verbs/opened.py": "from runoff.server.store import sealed\n"}, "runoff.verbs.opened"),
    (
        "sealed",
        {"server/store/opened.py": "from runoff.server.store.sealed import load_sealed_labels\n"},
        "runoff.server.store.opened",
    ),
    (
        "sealed-tables",
        {"verbs/known.py": "from runoff.server.store.models.sealed import SEALED_LABELS\n"},
        "runoff.verbs.known",
    ),
]


@pytest.fixture(scope="module")
def broken(tmp_path_factory) -> dict[str, str]:
    """For each broken contract what lint-imports says of it, in a copy of src/ with all bad imports planted.

    `make imports` sees that the contracts are kept without them.
    """
    source = tmp_path_factory.mktemp("planted") / "src"
    shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__"))
    for _, files, _ in PLANTED:
        for name, text in files.items():
            file = source / "runoff" / name
            file.parent.mkdir(exist_ok=True)
            assert name == "errors.py" or not file.exists()
            file.write_text(text, encoding="utf-8")
    result = lint_imports(source)
    assert result.returncode == 1, result.stdout + result.stderr
    _, _, report = result.stdout.partition("Broken contracts")
    parts = re.split(r"^(.+)\n-+\n", report, flags=re.MULTILINE)
    by_name = dict(zip(parts[1::2], parts[2::2], strict=True))
    return {key: by_name[contract["name"]] for key, contract in CONTRACTS.items() if contract["name"] in by_name}


@pytest.mark.parametrize("contract, files, message", PLANTED)
def test_a_planted_bad_import_is_caught(broken, contract, files, message):
    assert message in broken[contract]


def test_every_contract_has_a_planted_import():
    assert {contract for contract, _, _ in PLANTED} == set(CONTRACTS)


@pytest.mark.parametrize(
    "contract, highest, lowest, more",
    [("numeric", "simulation", "rows", set()), ("hidden-inputs", "reports", "choices", {"runoff.server.store"})],
)
def test_a_contract_names_every_layer_it_is_about(contract, highest, lowest, more):
    meant = LAYERS[LAYERS.index(highest) : LAYERS.index(lowest) + 1]
    package = ROOT / "src" / "runoff"
    there = {f"runoff.{name}" for name in meant if (package / name).is_dir() or (package / f"{name}.py").is_file()}
    assert set(CONTRACTS[contract]["source_modules"]) == there | more
