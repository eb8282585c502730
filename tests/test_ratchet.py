"""What may only become less: switched-off formatting, silenced warnings, and names that say nothing."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LIMITS = Path(__file__).with_name("ratchet.json")

VAGUE = frozenset({"asked", "found", "given", "kept", "known", "made", "one", "said", "shown", "there", "told", "what"})
"""Words that are no names: a variable says what it is."""


def unformatted(text: str) -> int:
    return len(re.findall(r"# fmt: (?:skip|off)", text))


def silenced(text: str) -> int:
    return len(re.findall(r"# noqa", text))


def vague_names(text: str) -> int:
    """How often a vague name is bound, as a variable or an argument."""
    nodes = list(ast.walk(ast.parse(text)))
    names = [node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    names += [node.arg for node in nodes if isinstance(node, ast.arg)]
    return sum(name in VAGUE for name in names)


COUNTERS: dict[str, Callable[[str], int]] = {
    "unformatted": unformatted,
    "silenced": silenced,
    "vague_names": vague_names,
}


def count(kind: str, folder: Path) -> int:
    return sum(COUNTERS[kind](file.read_text(encoding="utf-8")) for file in sorted(folder.rglob("*.py")))


@pytest.mark.parametrize("kind", COUNTERS)
def test_there_are_no_more_than_before(kind):
    limit = json.loads(LIMITS.read_text(encoding="utf-8"))[kind]
    counted = count(kind, ROOT / "src")
    assert counted <= limit, f"{counted} {kind} in src, {limit} allowed; write the new ones without"
    assert counted == limit, f"only {counted} {kind} are left in src; write that into {LIMITS.name}"


@pytest.mark.parametrize(
    "kind, planted",
    [
        ("unformatted", "table = [1,  2]  # fmt: skip\n"),
        ("silenced", "import os  # noqa: F401\n"),
        ("vague_names", "def first(found):\n    return found[0]\n"),
    ],
)
def test_a_planted_one_is_counted(tmp_path, kind, planted):
    file = tmp_path / "planted.py"
    file.write_text("rows = 1\n", encoding="utf-8")
    assert count(kind, tmp_path) == 0
    file.write_text(planted, encoding="utf-8")
    assert count(kind, tmp_path) == 1
