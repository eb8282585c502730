"""A Protocol whose only implementation is ours is a sign that something is in the wrong layer."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def class_nodes(folder: Path) -> dict[str, list[ast.ClassDef]]:
    """The classes of a folder by name."""
    nodes: dict[str, list[ast.ClassDef]] = {}
    for file in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                nodes.setdefault(node.name, []).append(node)
    return nodes


def base_names(node: ast.ClassDef) -> list[str]:
    bases = [base.value if isinstance(base, ast.Subscript) else base for base in node.bases]
    return [base.id for base in bases if isinstance(base, ast.Name)]


def members(node: ast.ClassDef, nodes: dict[str, list[ast.ClassDef]]) -> set[str]:
    """Names of the methods and attributes of a class, its bases' included."""
    names = set()
    for part in ast.walk(node):
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(part.name)
        elif isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            names.add(part.target.id)
        elif isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store):
            names.add(part.attr)
    for base in base_names(node):
        for parent in nodes.get(base, []):
            names |= members(parent, nodes) if parent is not node else set()
    return names


def single_implementations(folder: Path) -> dict[str, str]:
    """The Protocols that one class of the folder alone implements, with that class."""
    nodes = class_nodes(folder)
    everything = [node for group in nodes.values() for node in group]
    protocols = [node for node in everything if "Protocol" in base_names(node)]
    known = [(node.name, members(node, nodes)) for node in everything if node not in protocols]
    implementing = {
        protocol.name: [name for name, names in known if members(protocol, nodes) <= names] for protocol in protocols
    }
    return {name: classes[0] for name, classes in implementing.items() if len(classes) == 1}


def test_every_protocol_has_several_implementations_or_none_of_ours():
    assert single_implementations(ROOT / "src") == {}, "use the class itself"


def test_a_protocol_with_one_implementation_is_noticed(tmp_path):
    (tmp_path / "planted.py").write_text(
        "class Ranked(Protocol):\n    title: str\n    def rows(self): ...\n\n"
        "class Charted(Protocol):\n    def chart(self): ...\n\n"
        "class Board:\n    def __init__(self):\n        self.title = ''\n"
        "    def rows(self): ...\n    def chart(self): ...\n\n"
        "class Plot:\n    def chart(self): ...\n",
        encoding="utf-8",
    )
    assert single_implementations(tmp_path) == {"Ranked": "Board"}
