"""Runs that ranx saved as `.lz4`: CBOR (RFC 8949) by query, `{query: {document: score}}`, compressed twice.

Of CBOR only what such a file has is read: maps of known length, text and numbers.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, Final

from runoff.errors import InputError
from runoff.files.column_names import Kind, NumberColumn
from runoff.files.peers._base import BLOCK_ROWS, PeerFormat
from runoff.files.problems import Problems
from runoff.files.streams import Source, read_whole
from runoff.files.tabular import Block

_UNSIGNED, _NEGATIVE, _TEXT, _MAP, _FLOAT = 0, 1, 3, 5, 7
_LENGTHS: Final = {24: 1, 25: 2, 26: 4, 27: 8}
_FLOATS: Final = {25: ">e", 26: ">f", 27: ">d"}


def _fits(head: bytes) -> bool:
    """A map whose first key is text; no text in UTF-8 begins so."""
    if len(head) < 2 or head[0] >> 5 != _MAP or head[0] & 31 > 27:
        return False
    first_key = 1 + _LENGTHS.get(head[0] & 31, 0)
    return head[0] == _MAP << 5 or (len(head) > first_key and head[first_key] >> 5 == _TEXT)


class _Items:
    """The items of some CBOR, one after the other."""

    def __init__(self, data: bytes, where: str) -> None:
        self.data, self.where, self.place = data, where, 0

    def _next(self, length: int) -> bytes:
        piece = self.data[self.place : self.place + length]
        if len(piece) < length:
            raise self._fault("ends too early")
        self.place += length
        return piece

    def _fault(self, reason: str) -> InputError:
        problem = (
            f"{self.where}: not a run as ranx saves it (byte {self.place:,}: {reason}); expected CBOR with a number "
            "for every document of every query; save it again, as JSON for example"
        )
        return InputError([problem])

    def _begin(self) -> tuple[int, int, int]:
        """The kind of the next item, the form of its length, and its length or value."""
        (first,) = self._next(1)
        kind, form = first >> 5, first & 31
        if form < 24:
            return kind, form, form
        if form not in _LENGTHS:
            raise self._fault("an item of unknown length")
        if kind == _FLOAT:
            return kind, form, 0
        return kind, form, int.from_bytes(self._next(_LENGTHS[form]))

    def map_length(self) -> int:
        """How many pairs the map that is next has."""
        kind, _, length = self._begin()
        if kind != _MAP:
            raise self._fault("no map")
        return length

    def text(self) -> str:
        """The text that is next."""
        kind, _, length = self._begin()
        if kind != _TEXT:
            raise self._fault("no text")
        try:
            return self._next(length).decode()
        except UnicodeDecodeError:
            raise self._fault("bytes that are not UTF-8") from None

    def number(self) -> float:
        """The number that is next."""
        kind, form, value = self._begin()
        if kind == _FLOAT and form in _FLOATS:
            (number,) = struct.unpack(_FLOATS[form], self._next(_LENGTHS[form]))
            return float(number)
        if kind not in (_UNSIGNED, _NEGATIVE):
            raise self._fault("no number")
        return float(value if kind == _UNSIGNED else -1 - value)


def _blocks(source: Source, kind: Kind, max_bytes: int, problems: Problems) -> Iterator[Block]:
    items = _Items(read_whole(source, max_bytes=max_bytes), problems.source)
    column = NumberColumn("", "score" if kind == "run" else "grade")
    queries: list[str] = []
    docs: list[str] = []
    numbers: list[Any] = []
    for _ in range(items.map_length()):
        query = items.text()
        for _ in range(items.map_length()):
            queries.append(query)
            docs.append(items.text())
            numbers.append(items.number())
        if len(docs) >= BLOCK_ROWS:
            yield Block(queries=queries, docs=docs, numbers=numbers, column=column, line_of=lambda _: 0)
            queries, docs, numbers = [], [], []
    if docs:
        yield Block(queries=queries, docs=docs, numbers=numbers, column=column, line_of=lambda _: 0)


RANX_CBOR: Final = PeerFormat(name="CBOR of ranx", fits=_fits, blocks=_blocks)
