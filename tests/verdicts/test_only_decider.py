"""Nothing outside verdicts/ decides: no p-value is compared with a level, and no verdict is picked by hand."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import runoff

PACKAGE = Path(runoff.__file__).parent

ALLOWED = {
    "boards/rank_sets.py": "a set of possible ranks is a confidence set, made for a level",
    "boards/reliability.py": "counts how often a decision is the same on other queries",
    "phrases.py": "digits that keep a p-value on its side of the level",
    "simulation/calibration/": "counts false decisions where the truth is known",
}
"""Modules that compare a p-value with a level without telling anybody what is so, and why."""

LEVELS = {0.001, 0.01, 0.05, 0.1}


def name_of(node: ast.expr) -> str:
    """The last name of a value: `p` of `result.p[row, column]`."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Subscript):
        return name_of(node.value)
    return name_of(node.func) if isinstance(node, ast.Call) else ""


def is_p(node: ast.expr) -> bool:
    name = name_of(node)
    return name in {"p", "p_value", "p_values", "p_corrected"} or name.endswith("_p")


def is_level(node: ast.expr) -> bool:
    name = name_of(node)
    return name in {"alpha", "level"} or name.endswith(("_alpha", "_level")) or getattr(node, "value", None) in LEVELS


def decisions(text: str) -> Iterator[str]:
    """Comparisons of a p-value with a level, and conditions that pick a verdict, with their lines."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(map(is_p, sides)) and any(map(is_level, sides)):
                yield f"{node.lineno}: {ast.unparse(node)}"
        elif isinstance(node, ast.IfExp):
            words = [side.value for side in (node.body, node.orelse) if isinstance(side, ast.Constant)]
            if "inconclusive" in words:
                yield f"{node.lineno}: {ast.unparse(node)}"


def test_only_verdicts_decide():
    found = []
    for file in sorted(PACKAGE.rglob("*.py")):
        path = file.relative_to(PACKAGE).as_posix()
        if not path.startswith(("verdicts/", *ALLOWED)):
            found += [f"{path}:{decision}" for decision in decisions(file.read_text(encoding="utf-8"))]
    assert found == [], "let verdicts/ decide these"


@pytest.mark.parametrize(
    "planted",
    [
        "shown = test.p < policy.alpha",
        "marked = [p_value <= 0.05 for p_value in table]",
        "frames = found.sign_p[row, column] < self.level",
        "verdict = 'worse' if above[run, leader] else 'inconclusive'",
    ],
)
def test_a_planted_decision_is_noticed(planted):
    assert len(list(decisions(planted))) == 1


@pytest.mark.parametrize("harmless", ["is_relevant = grade >= level", "text = '<' if p < 0.0001 else '='"])
def test_other_comparisons_are_free(harmless):
    assert list(decisions(harmless)) == []


def test_the_list_is_no_longer_than_needed():
    for path in ALLOWED:
        files = [PACKAGE / path] if path.endswith(".py") else sorted((PACKAGE / path).rglob("*.py"))
        assert any(list(decisions(file.read_text(encoding="utf-8"))) for file in files), path
