"""JSON read member by member, so that every fault has its line, and no name that comes twice is lost.

An object's members are kept as pairs: Python's own reader keeps the last of two members with the same name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from runoff.errors import InputError
from runoff.files.streams import Source, read_whole, source_name

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_KEY: Final = re.compile(r'"((?:[^"\\\x00-\x1f]|\\.)*+)"[ \t\r\n]*:[ \t\r\n]*')


class Members(list[tuple[str, Any]]):
    """The members of a JSON object, in order."""

    def get(self, name: str) -> Any:
        """The first value of that name; None if there is none."""
        return next((value for key, value in self if key == name), None)


class JsonText:
    """A JSON text and a place in it."""

    def __init__(self, text: str, where: str) -> None:
        self.text = text
        self.where = where
        self.place = 0
        self._counted = (0, 1)
        self._decoder = json.JSONDecoder(object_pairs_hook=Members)

    @classmethod
    def of(cls, source: Source, max_bytes: int) -> JsonText:
        """The text of a file, in UTF-8."""
        where, data = source_name(source), read_whole(source, max_bytes=max_bytes)
        try:
            return cls(data.decode(), where)
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise InputError(
                [f"{where}:{line}: bytes that are not UTF-8; expected text in UTF-8; convert the file"]
            ) from None

    def line(self, place: int) -> int:
        """The line of a place, from 1."""
        before, line = self._counted if place >= self._counted[0] else (0, 1)
        self._counted = place, line + self.text.count("\n", before, place)
        return self._counted[1]

    def skip_space(self) -> str:
        """Go on to the next character that is no space, and return it; empty at the end."""
        match = _SPACE.match(self.text, self.place)
        self.place = match.end() if match else self.place
        return self.text[self.place : self.place + 1]

    def take(self, character: str) -> None:
        """Go behind a character, which must be next."""
        if self.skip_space() != character:
            raise self.fault(f"expected '{character}'")
        self.place += 1

    def value(self) -> Any:
        """The value that is next; objects as `Members`."""
        self.skip_space()
        try:
            value, self.place = self._decoder.raw_decode(self.text, self.place)
        except RecursionError:
            raise self.fault("too many levels of brackets") from None
        except json.JSONDecodeError as error:
            self.place = error.pos
            raise self.fault(error.msg) from None
        except ValueError:  # Python reads whole numbers of up to 4,300 digits
            raise self.fault("a whole number with too many digits") from None
        return value

    def members(self) -> Iterator[tuple[str, int]]:
        """The names in the object that is next, each with its place; its value must be taken before the next one."""
        self.take("{")
        if self.skip_space() == "}":
            self.place += 1
            return
        while True:
            self.skip_space()
            start = self.place
            match = _KEY.match(self.text, start)
            if match is None:
                raise self.fault("expected a name in double quotes and ':'")
            name = match[1] if "\\" not in match[1] else json.loads(f'"{match[1]}"')
            self.place = match.end()
            yield name, start
            if self.skip_space() == "}":
                self.place += 1
                return
            self.take(",")

    def fault(self, reason: str) -> InputError:
        """The error that says that the text is no JSON here."""
        return InputError(
            [f"{self.where}:{self.line(self.place)}: not JSON here ({reason}); expected JSON; write the file again"]
        )
