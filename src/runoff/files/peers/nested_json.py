"""JSON by query: `{query: {document: number}}`, as ranx and pytrec_eval have it, and MTEB's prediction files.

MTEB puts runs under the names of subset and split, `{"default": {"test": {query: {document: score}}}}`, with facts
about the model beside them; older files have no such names. Of several such parts one is chosen by its names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate
from typing import Any, Final

import numpy as np

from runoff.errors import InputError
from runoff.files.column_names import (
    DOC_NAMES,
    GRADE_NAMES,
    QUERY_NAMES,
    RANK_NAMES,
    SCORE_NAMES,
    Kind,
    NumberColumn,
    find_column,
)
from runoff.files.peers._base import BLOCK_ROWS, PeerFormat
from runoff.files.peers.json_text import JsonText, Members
from runoff.files.problems import Problems, quoted
from runoff.files.streams import Source, split_part
from runoff.files.tabular import LIKE_QRELS, Block, are_small_and_whole, shown

_ABOUT: Final = "mteb_model_meta"
_STRING: Final = r'"(?:[^"\\]|\\.)*+"'
_OPENED: Final = re.compile(rf"\s*\{{\s*{_STRING}\s*:(?=\s*\{{)")
_REQUEST: Final = r'"query"\s*:\s*\{\s*"(?:qid|id|text)"'
"""A row with a query and its text; no query of its own."""
_NESTED: Final = re.compile(rf"\s*\{{\s*(?:\}}|(?!{_REQUEST}){_STRING}\s*:\s*\{{)".encode())
_MOST_LEVELS: Final = 4
_FIELDS: Final = (*SCORE_NAMES, *RANK_NAMES, *GRADE_NAMES)
_EXPECTED: Final = 'expected a number for every document, {"q1": {"d1": 1.5}}; write it again'


def _fits(head: bytes) -> bool:
    return _NESTED.match(head) is not None


def _levels(text: str, place: int) -> int:
    """How many objects are inside each other at a place, by the first member of each."""
    levels = 1
    while levels <= _MOST_LEVELS and (match := _OPENED.match(text, place)):
        levels, place = levels + 1, match.end()
    return levels


class _Rows:
    """The rows of one run, query by query."""

    def __init__(self, text: JsonText, kind: Kind, problems: Problems) -> None:
        self.text, self.problems = text, problems
        self.column = NumberColumn("", "score" if kind == "run" else "grade")
        self.queries: list[str] = []
        self.starts: list[int] = []
        self.docs: list[list[str]] = []
        self.numbers: list[list[Any]] = []
        self.count = 0
        self.may_be_grades = kind == "run"
        self.are_shared = False

    def take(self, query: str, start: int, *, is_inside: bool) -> None:
        """The documents of a query; `start` is where its name is, `is_inside` whether it has a name above it."""
        value = self.text.value()
        if is_inside and isinstance(value, Members) and any(name in _FIELDS for name, _ in value):
            names = ", ".join(quoted(name) for name, _ in value[:9])
            self.problems.add(self.text.line(start), f"{quoted(query)} has the fields {names}; {_EXPECTED}")
            return
        if not isinstance(value, Members):
            kind = "list" if isinstance(value, list) else "value"
            self.problems.add(
                self.text.line(start),
                f"query {quoted(query)} has a {kind} {quoted(shown(value))}; {_EXPECTED}",
            )
            return
        if self.may_be_grades:
            self._look_for_grades([number for _, number in value])
        self.queries.append(query)
        self.starts.append(start)
        self.docs.append([doc for doc, _ in value])
        self.numbers.append([number for _, number in value])
        self.count += len(value)

    def _look_for_grades(self, numbers: Sequence[Any]) -> None:
        """Whether numbers are whole, small and partly equal, as grades are, and scores hardly ever."""
        self.may_be_grades = are_small_and_whole(numbers)
        if self.may_be_grades:
            self.are_shared = self.are_shared or len(set(numbers)) < len(numbers)

    def check_scores(self) -> None:
        """An InputError if what was read as a run looks like qrels."""
        if self.may_be_grades and self.are_shared:
            raise InputError([f"{self.text.where}: {LIKE_QRELS}"])

    def block(self) -> Block:
        """The rows so far; they are forgotten here."""
        queries, starts, docs, text = self.queries, self.starts, self.docs, self.text
        ends = list(accumulate(map(len, docs)))
        flat_docs = [doc for query_docs in docs for doc in query_docs]

        def line_of(row: int) -> int:
            number = int(np.searchsorted(ends, row, side="right"))
            before = ends[number] - len(docs[number])
            place = text.text.find("{", starts[number] + len(json.dumps(queries[number])))
            for doc in flat_docs[before : row + 1]:
                doc_place = max(
                    text.text.find(json.dumps(doc, ensure_ascii=escaped), place) for escaped in (True, False)
                )
                place = max(place, doc_place + 1)
            return text.line(place)

        block = Block(
            queries=[query for query, query_docs in zip(queries, docs, strict=True) for _ in query_docs],
            docs=flat_docs,
            numbers=[number for query_numbers in self.numbers for number in query_numbers],
            column=self.column,
            line_of=line_of,
        )
        self.queries, self.starts, self.docs, self.numbers, self.count = [], [], [], [], 0
        return block


def _blocks(source: Source, kind: Kind, max_bytes: int, problems: Problems, part: str = "") -> Iterator[Block]:
    """The rows of the part of this name, such as `default/test`; of all the file if it has no name."""
    text = JsonText.of(source, max_bytes)
    rows = _Rows(text, kind, problems)
    parts: dict[str, None] = {}
    while text.skip_space():
        for _ in _queries(text, rows, parts, (), part):
            if rows.count >= BLOCK_ROWS:
                yield rows.block()
    if len(parts) > 1 if not part else part not in parts:
        names = list(parts)
        file = problems.source if not problems.source.startswith("<") else "FILE"
        noun = "runs" if kind == "run" else "qrels"
        problem = (
            f"{problems.source}: holds {len(names)} {noun}, {', '.join(map(quoted, names[:9]))}; expected one of them; "
            f"append its name to the path, such as {split_part(file)[0]}#{names[0]}"
        )
        raise InputError([problem])
    rows.check_scores()
    if rows.count:
        yield rows.block()


def _queries(text: JsonText, rows: _Rows, parts: dict[str, None], path: tuple[str, ...], part: str) -> Iterator[None]:
    """Take the queries of the object that is next, or of the objects in it; given a part, of that alone."""
    here = "/".join(path)
    text.skip_space()
    names = []
    for name, start in text.members():
        names.append(name)
        if not path and name == _ABOUT:
            text.value()
            continue
        levels = _levels(text.text, text.place)
        if len(path) + 1 + levels > _MOST_LEVELS:
            raise InputError(
                [f"{text.where}:{text.line(start)}: more than {_MOST_LEVELS} levels of names; {_EXPECTED}"]
            )
        if levels > 1:
            yield from _queries(text, rows, parts, (*path, name), part)
            continue
        parts[here] = None
        if part not in ("", here):
            text.value()
            continue
        rows.take(name, start, is_inside=bool(path))
        yield
    if not path and find_column(names, QUERY_NAMES) and find_column(names, DOC_NAMES):
        problem = (
            f"{text.where}: a table by columns, {', '.join(map(quoted, names[:9]))}; expected a row in every object; "
            "write it with pandas as to_json(orient='records', lines=True)"
        )
        raise InputError([problem])


NESTED_JSON: Final = PeerFormat(name="JSON by query", fits=_fits, blocks=_blocks)


def part_of(part: str) -> PeerFormat:
    """The format for one part of a file, such as `default/test`."""
    return replace(NESTED_JSON, blocks=partial(_blocks, part=part))
