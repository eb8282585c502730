"""Lines of a collection: which of them have an id that is wanted, and their texts."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from runoff.files.problems import Problems, quoted
from runoff.tables.ids import Ids, Text, Words, hash_tokens

ID_NAMES: Final = ("id", "_id", "doc_id", "docid", "docno", "pid", "query_id", "qid")
TEXT_NAMES: Final = ("text", "contents", "body", "passage", "segment", "query")
ABOVE_NAMES: Final = ("url", "title")
_LF, _TAB, _CR = 10, 9, 13
_FIRST_KEY: Final = re.compile(rb'\s*\{\s*"(\w+)"\s*:\s*(?:"((?:[^"\\]|\\.)*)"|(-?\d+))')
"""The first key of a JSON object and its value, if that is text or a whole number."""


@dataclass(frozen=True, eq=False)
class WantedIds:
    """Ids to look for; hashes find lines that may have one, the id itself decides."""

    ids: frozenset[bytes]
    hashes: Words

    @classmethod
    def of(cls, ids: Sequence[str]) -> WantedIds:
        """The ids, ready to be looked for."""
        return cls(frozenset(one.encode() for one in ids), np.unique(Ids.of(ids).hashes()))


@dataclass
class TextPart:
    """What a chunk of lines has: line in the chunk, id and text of what is wanted."""

    line_count: int
    rows: list[tuple[int, str, str]] = field(default_factory=list)
    problems: Problems = field(default_factory=Problems)

    def add(self, line: int, one: bytes, text: bytes) -> None:
        """Take a text that is wanted."""
        try:
            self.rows.append((line, one.decode(), text.decode()))
        except UnicodeDecodeError:
            self.problems.add(line, "bytes that are not UTF-8; expected text in UTF-8; convert the file")


def tsv_part(text: Text, wanted: WantedIds) -> TextPart:
    """The wanted texts of some lines `id TAB text`."""
    data = text.bytes
    ends = np.flatnonzero(data == _LF)
    starts = np.concatenate([[0], ends[:-1] + 1])
    tabs = np.flatnonzero(data == _TAB)
    tab = tabs[np.minimum(np.searchsorted(tabs, starts), len(tabs) - 1)] if len(tabs) else np.full(len(starts), -1)
    has_tab = (tab > starts) & (tab < ends)
    part = TextPart(line_count=len(ends))
    for row in np.flatnonzero(~has_tab).tolist():
        line = data[starts[row] : ends[row]].tobytes()
        if line.strip():
            part.problems.add(row + 1, f"{quoted(line)} has no tab behind an id; expected id, tab, text; fix the line")
    rows = np.flatnonzero(has_tab)
    if not len(rows):
        return part
    hashes = hash_tokens(text, starts[rows], tab[rows] - starts[rows])
    for row in rows[np.isin(hashes, wanted.hashes)].tolist():
        one = data[starts[row] : tab[row]].tobytes()
        if one in wanted.ids:
            part.add(row + 1, one, data[tab[row] + 1 : ends[row]].tobytes().rstrip(b"\r").replace(b"\t", b"\n"))
    return part


def json_part(text: Text, wanted: WantedIds) -> TextPart:
    """The wanted texts of some lines that hold a JSON object each; most others are not parsed."""
    lines = text.bytes.tobytes().split(b"\n")[:-1]
    part = TextPart(line_count=len(lines))
    names = frozenset(name.encode() for name in ID_NAMES)
    for number, line in enumerate(lines, start=1):
        head = _FIRST_KEY.match(line)
        if head and head[1] in names and b"\\" not in (head[2] or b""):
            if (head[2] or head[3]) not in wanted.ids:
                continue
        elif not line.strip():
            continue
        _add_json(part, number, line, wanted)
    return part


def _add_json(part: TextPart, number: int, line: bytes, wanted: WantedIds) -> None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        part.problems.add(number, f"not JSON ({error}); expected an object on every line; fix or remove this line")
        return
    if not isinstance(record, dict):
        part.problems.add(number, f"a {type(record).__name__}; expected an object on every line; fix the line")
        return
    one = first_of(record, ID_NAMES)
    if one is None:
        part.problems.add(number, f"no id; expected a key such as {', '.join(ID_NAMES)}; fix the line")
        return
    key = str(one).encode(errors="replace")
    if key in wanted.ids:
        text = text_of(record)
        if text is None:
            part.problems.add(number, f"no text; expected a key such as {', '.join(TEXT_NAMES)}; fix the line")
        else:
            part.rows.append((number, key.decode(), text))


def first_of(record: Mapping[str, Any], names: Sequence[str]) -> Any:
    """The value under the first name that is there."""
    return next((record[name] for name in names if record.get(name) is not None), None)


def text_of(record: Mapping[str, Any]) -> str | None:
    """The text of a record with its title above; None if it has no text."""
    text = first_of(record, TEXT_NAMES)
    if text is None:
        return None
    return "\n".join(str(one) for one in (*(record.get(name) for name in ABOVE_NAMES), text) if one)
