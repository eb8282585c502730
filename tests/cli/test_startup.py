"""What a short command loads: each library costs milliseconds that a user waits for."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

PROGRAM = """
import json, sys
before = set(sys.modules)
from runoff.cli.main import main
try:
    main()
finally:
    print(json.dumps(sorted(set(sys.modules) - before)), file=sys.stderr)
"""

MOST_MODULES = 97
"""Of runoff, for `runoff evaluate` on text files; half a millisecond each."""

# Slow to load, and loaded by a module at its top more easily than one thinks.
SLOW = {"asyncio", "email", "importlib.metadata", "multiprocessing", "numpy.random", "rich.console", "zipfile"}


@pytest.fixture
def loaded(board) -> set[str]:
    words = ["evaluate", "good.run", "--qrels", "qrels.txt", "-m", "RR@10"]
    result = subprocess.run([sys.executable, "-c", PROGRAM, *words], capture_output=True, encoding="utf-8", check=False)
    assert result.returncode == 0, result.stderr
    assert "RR@10" in result.stdout
    return set(json.loads(result.stderr))


def test_evaluate_loads_three_libraries_and_nothing_slow(loaded):
    tops = {name.partition(".")[0] for name in loaded}
    assert {top for top in tops - sys.stdlib_module_names if not top.startswith("_")} == {
        "click",
        "numpy",
        "rich",  # its table of wide characters alone
        "runoff",
    }
    assert loaded & SLOW == set(), "import these where they are used"


def test_evaluate_loads_few_of_our_modules(loaded):
    ours = [name for name in loaded if name.partition(".")[0] == "runoff"]
    assert len(ours) <= MOST_MODULES, "import what other commands need where they need it"
