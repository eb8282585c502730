"""Results and display compute nothing: they import types of the numeric layers, and no function."""

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import runoff

ROOT = Path(runoff.__file__).parent
NUMERIC = ("boards", "comparisons", "significance", "measures", "preferences", "verdicts")
WORDS = {"about_queries", "at_level", "corrected_over", "rank_verdict", "spoken", "spoken_correction", "tau_sentence"}
"""Functions that compute nothing: they write a value in words, or look up what is decided."""


def functions(text: str) -> Iterator[str]:
    """The functions of numeric layers that a module imports, by name; also of whole modules, by what is called."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.ImportFrom) or node.module is None or node.module.split(".")[:1] != ["runoff"]:
            continue
        if len(parts := node.module.split(".")) > 1 and parts[1] in NUMERIC:
            module = import_module(node.module)
            names = [alias.name for alias in node.names]
            yield from (name for name in names if inspect.isroutine(getattr(module, name)) and name not in WORDS)
            yield from (name for name in names if inspect.ismodule(getattr(module, name)))


def modules() -> list[Path]:
    return sorted(path for folder in ("results", "display") for path in (ROOT / folder).rglob("*.py"))


def test_results_and_display_import_no_function_of_a_numeric_layer():
    found = {
        f"{path.relative_to(ROOT).as_posix()}: {name}"
        for path in modules()
        for name in functions(path.read_text("utf-8"))
    }
    assert not found, f"computes: {sorted(found)}"


@pytest.mark.parametrize(
    "planted, name",
    [
        ("from runoff.boards.stability import StabilityResult, stability", "stability"),
        ("def grid():\n    from runoff.significance import correct\n    return correct", "correct"),
        ("from runoff.boards import stability as numbers", "stability"),
        ("from runoff.comparisons import ipso", "ipso"),
    ],
)
def test_a_function_is_noticed(planted, name):
    assert list(functions(planted)) == [name]


def test_types_and_words_are_allowed():
    allowed = "from runoff.boards.stability import StabilityResult\nfrom runoff.verdicts.power import at_level"
    assert list(functions(allowed)) == []
