"""JSON with a row in every object: JSON Lines, or a list of objects; umbrela's judgments among them."""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterator
from typing import Any, Final

from runoff.errors import InputError
from runoff.files.column_names import DOC_NAMES, QUERY_NAMES, Kind, NumberColumn, number_column_of, picked
from runoff.files.peers._base import BLOCK_ROWS, PeerFormat
from runoff.files.peers.json_text import JsonText, Members
from runoff.files.problems import Problems, quoted
from runoff.files.streams import Source
from runoff.files.tabular import Block, shown

_ROWS: Final = re.compile(rb"\s*(?:\[\s*[\]{]|\{\s*\")")
_STATUS: Final = "result_status"
"""In umbrela's records 0 where the answer could not be understood, and the judgment is a 0 that nobody gave."""
_UMBRELA: Final = {"query", "passage", "judgment"}
"""What all of its records have; without a trace they have no status."""


def _fits(head: bytes) -> bool:
    return _ROWS.match(head) is not None


def _objects(text: JsonText, problems: Problems) -> Iterator[tuple[int, Any]]:
    """The values of the file, each with its line."""
    if text.skip_space() != "[":
        yield from _line_objects(text, problems)
        return
    text.take("[")
    while text.skip_space() not in ("]", ""):
        yield text.line(text.place), text.value()
        if text.skip_space() != "]":
            text.take(",")
    text.take("]")
    if text.skip_space():
        raise text.fault("more behind the list")


def _line_objects(text: JsonText, problems: Problems) -> Iterator[tuple[int, Any]]:
    decoder = json.JSONDecoder(object_pairs_hook=Members)
    for number, line in enumerate(text.text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            yield number, decoder.decode(line)
        except (ValueError, RecursionError) as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)[:100]
            problems.add(number, f"not JSON ({reason}); expected an object on every line; fix or remove this line")


class _Columns:
    """Which fields of a record are query, document and number, found once for every set of fields."""

    def __init__(self, kind: Kind, where: str) -> None:
        self.kind, self.where = kind, where
        self._found: dict[tuple[str, ...], tuple[str, str, NumberColumn]] = {}

    def of(self, record: dict[str, Any], line: int) -> tuple[str, str, NumberColumn]:
        names = tuple(record)
        if names not in self._found:
            where = f"{self.where}:{line}"
            if names and all(type(field) is list for field in record.values()):
                raise InputError([_lists(names[0], where)])
            if set(names) >= _UMBRELA and not {"docid", "doc_id"} & set(names):
                problem = (
                    f"{where}: a record of umbrela with the texts of a query and a passage and no ids; expected 'qid' "
                    "and 'docid' in every record; add them, the records are in the order of the requests"
                )
                raise InputError([problem])
            query, doc = (picked(names, some, where) for some in (QUERY_NAMES, DOC_NAMES))
            self._found[names] = query, doc, number_column_of(names, self.kind, where)
        return self._found[names]


def _blocks(source: Source, kind: Kind, max_bytes: int, problems: Problems) -> Iterator[Block]:
    text = JsonText.of(source, max_bytes)
    columns = _Columns(kind, problems.source)
    queries: list[Any] = []
    docs: list[Any] = []
    numbers: list[Any] = []
    lines = array("q")
    column: NumberColumn | None = None
    for line, value in _objects(text, problems):
        if not isinstance(value, Members):
            problems.add(
                line, f"a {_kind(value)} {quoted(shown(value))}; expected an object with named fields; fix this line"
            )
            continue
        record = dict(value)
        if len(record) < len(value):
            problems.add(line, "a field is named twice; expected every field once; fix this line")
            continue
        if kind == "qrels" and _STATUS in record and record[_STATUS] != 1:
            status = quoted(shown(record[_STATUS]))
            problems.add(
                line,
                f"{_STATUS} is {status}: umbrela did not understand the answer, and put in a judgment of 0; expected "
                "judgments that were made; judge again or remove this line",
            )
            continue
        try:
            query, doc, number = columns.of(record, line)
        except InputError as error:
            if column is None:
                raise  # not a fault of this line alone
            problems.add(line, error.problems[0].removeprefix(f"{problems.source}:{line}: "))
            continue
        if column is not None and number.holds != column.holds:
            problems.add(
                line, f"holds a {number.holds}, rows before a {column.holds}; expected one kind; fix this line"
            )
            continue
        column = column or number
        queries.append(_id(record[query]))
        docs.append(_id(record[doc]))
        numbers.append(record[number.name])
        lines.append(line)
        if len(docs) == BLOCK_ROWS:
            yield Block(queries=queries, docs=docs, numbers=numbers, column=column, line_of=lines.__getitem__)
            queries, docs, numbers, lines = [], [], [], array("q")
    if column is not None and docs:
        yield Block(queries=queries, docs=docs, numbers=numbers, column=column, line_of=lines.__getitem__)


def _lists(name: str, where: str) -> str:
    return (
        f"{where}: {quoted(name)} has a list; expected a number for every document of a query, "
        '{"q1": {"d1": 1.5}}, or an object for every row; write it again'
    )


def _id(value: Any) -> Any:
    """The id of a query that is an object with text and id, as rank_llm and umbrela write requests."""
    if not isinstance(value, Members):
        return value
    return next((text_id for name in ("qid", "id") if (text_id := value.get(name)) is not None), value)


def _kind(value: Any) -> str:
    return "list" if isinstance(value, list) else "value"


JSON_ROWS: Final = PeerFormat(name="JSON Lines or a list of JSON objects", fits=_fits, blocks=_blocks)
