"""How an output is stored as a golden file: whole if it is small, else as an outline with a digest of every part.

An outline fails on any changed byte, as the whole file would, and it says where: JSON keeps each top-level key with its
value if that is short, and else a digest of every item; a page keeps each section with a digest and its visible text.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from tests.golden.differences import difference

EXPECTED = Path(__file__).resolve().parent / "expected"
REAL = "real.json"
"""The golden file of outputs on real data; see `real_data.py`."""
WHOLE = 70_000
"""The most bytes of an output that is stored as it is."""
SHORT = 400
"""The most characters of a value that an outline keeps."""
MOST_ITEMS = 100
"""A longer list is one digest."""

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_SKIPPED = {"script", "style", "svg"}
_ENDS_LINE = {"article", "caption", "dd", "div", "dt", "figcaption", "h1", "h2", "h3", "h4", "li", "p", "section"}
_ENDS_LINE |= {"pre", "summary", "tr"}
_ENDS_CELL = {"td", "th"}


def stored_form(name: str, content: bytes) -> tuple[str, bytes]:
    """Name and content of the golden file of an output."""
    if len(content) <= WHOLE:
        return name, content
    stem, _, suffix = name.rpartition(".")
    if suffix == "json":
        return f"{stem}.outline.json", _json_outline(content)
    if suffix == "html":
        return f"{stem}.outline.txt", _page_outline(content)
    raise ValueError(f"{name}: {len(content):,} bytes; expected at most {WHOLE:,} of such a file; ask for less")


def changes_of(name: str, outputs: dict[str, bytes]) -> dict[str, str]:
    """By golden file, what changed in an output: nothing, if all files are as they are stored."""
    actual = dict(stored_form(file, content) for file, content in outputs.items())
    changes = {
        file: difference(file, (EXPECTED / file).read_bytes(), content)
        if (EXPECTED / file).exists()
        else f"there is no such golden file yet (size of the output: {len(content):,})"
        for file, content in actual.items()
    }
    changes |= {file.name: "no output has this name now" for file in files_of(name) if file.name not in actual}
    return {file: change for file, change in changes.items() if change}


def renew(name: str, outputs: dict[str, bytes]) -> dict[str, str]:
    """Write the golden files of an output, remove those that it has no more, and return what changed."""
    changes = changes_of(name, outputs)
    actual = dict(stored_form(file, content) for file, content in outputs.items())
    for file in changes:
        if file in actual:
            (EXPECTED / file).write_bytes(actual[file])
        else:
            (EXPECTED / file).unlink()
    return changes


def files_of(name: str) -> list[Path]:
    """The golden files of an output; names have no dot, and the file names begin with the name and a dot."""
    return sorted(EXPECTED.glob(f"{name}.*"))


def stale_files(names: Collection[str]) -> list[Path]:
    """Golden files of no output, but for the one of real data."""
    return [
        file for file in sorted(EXPECTED.iterdir()) if file.name.partition(".")[0] not in names and file.name != REAL
    ]


def digest(content: bytes) -> str:
    """The SHA-256 of some bytes."""
    return hashlib.sha256(content).hexdigest()


def key_paths(value: Any, path: str = "") -> set[str]:
    """Every path to a key in JSON, with the items of lists taken together.

    Where keys are data, such as ids of queries or names of runs and measures, they are taken together as `*`.

    >>> sorted(key_paths({"runs": [{"mean": 1}, {"mean": 2, "team": "A"}], "best": {"Q7": "d1", "Q9": "d5"}}))
    ['best', 'best.*', 'runs', 'runs[].mean', 'runs[].team']
    """
    paths: set[str] = set()
    if isinstance(value, dict):
        are_names = all(_NAME.fullmatch(key) for key in value)
        for key, item in value.items():
            last = key if are_names else "*"
            here = f"{path}.{last}" if path else last
            paths |= {here} | key_paths(item, here)
    elif isinstance(value, list):
        for item in value:
            paths |= key_paths(item, f"{path}[]")
    return paths


def _json_outline(content: bytes) -> bytes:
    found = json.loads(content)
    keys = {key: _outlined(value, nested=True) for key, value in found.items()}
    outline = {"sha256": digest(content), "bytes": len(content), "keys": keys}
    return (json.dumps(outline, indent=1, ensure_ascii=False) + "\n").encode()


def _outlined(value: Any, *, nested: bool) -> Any:
    text = json.dumps(value, ensure_ascii=False)
    if len(text) <= (SHORT if nested else SHORT // 4):
        return value
    if nested and isinstance(value, dict) and len(value) <= MOST_ITEMS:
        return {key: _outlined(item, nested=False) for key, item in value.items()}
    if nested and isinstance(value, list) and len(value) <= MOST_ITEMS:
        return [_outlined(item, nested=False) for item in value]
    return f"sha256 {digest(text.encode())[:16]}, {len(text)} characters"


def _page_outline(content: bytes) -> bytes:
    lines = [f"sha256 {digest(content)}, {len(content)} bytes"]
    for part in re.split(r'(?=<section id="|</main>)', content.decode("utf-8")):
        section = re.match(r'<section id="([^"]+)"', part)
        title = section[1] if section else "after the sections" if part.startswith("</main>") else "before the sections"
        lines += ["", f"== {title}: sha256 {digest(part.encode())[:16]}, {len(part)} characters", *visible_text(part)]
    return ("\n".join(lines) + "\n").encode()


def visible_text(page: str) -> list[str]:
    r"""The lines of text that a reader of a page sees; the cells of a table row are on one line.

    >>> visible_text("<h2>Runs</h2><table><tr><td>a</td><td>0.5</td></tr></table><svg><text>x</text></svg>")
    ['Runs', 'a | 0.5 |']
    >>> visible_text("<p>on\none</p><pre>on\ntwo</pre>")
    ['on one', 'on', 'two']
    """
    reader = _TextReader()
    reader.feed(page)
    reader.close()
    return [line for line in (" ".join(line.split()) for line in "".join(reader.pieces).split("\n")) if line]


class _TextReader(HTMLParser):
    """Collects the text of a page without scripts, styles and drawings."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self._skipped = 0
        self._is_laid_out = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._skipped += tag in _SKIPPED
        self._is_laid_out |= tag == "pre"

    def handle_endtag(self, tag: str) -> None:
        self._skipped -= tag in _SKIPPED
        self._is_laid_out &= tag != "pre"
        if tag in _ENDS_LINE:
            self.pieces.append("\n")
        elif tag in _ENDS_CELL:
            self.pieces.append(" | ")

    def handle_data(self, data: str) -> None:
        if not self._skipped:
            self.pieces.append(data if self._is_laid_out else re.sub(r"\s+", " ", data))
