"""Streaming parser of multipart forms: each file is passed on as it arrives, and never held whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from runoff.errors import InputError

MOST_FIELDS: Final = 20


class FormStream:
    """The parts of a form; `feed` gives the bytes of the files, and the other fields are kept as text.

    file_fields  the fields of the files; there is one file at most in each
    file_names   what the sender calls the files that came, by field
    longest      bytes of all other fields together
    """

    def __init__(self, content_type: str, *, file_fields: Sequence[str], longest: int) -> None:
        self.fields: dict[str, str] = {}
        self.file_names: dict[str, str] = {}
        self.is_complete = False
        self._file_fields = tuple(file_fields)
        self._longest = longest
        self._header = self._value = self._disposition = b""
        self._name = ""
        self._text: bytearray | None = None
        self._parts = self._kept = 0
        self._blocks: list[tuple[str, bytes]] = []
        kind, options = parse_options_header(content_type)
        if kind != b"multipart/form-data":
            raise InputError([f"request: not a form; expected multipart/form-data with a field {file_fields[0]!r}"])
        if not options.get(b"boundary"):
            raise _unreadable("no boundary")
        try:
            self._parser = MultipartParser(
                options[b"boundary"],
                {
                    "on_part_begin": self._begin,
                    "on_header_field": self._on_header,
                    "on_header_value": self._on_value,
                    "on_header_end": self._end_header,
                    "on_headers_finished": self._end_headers,
                    "on_part_data": self._on_data,
                    "on_part_end": self._end,
                    "on_end": self._finish,
                },
            )
        except FormParserError as error:
            raise _unreadable(str(error)) from None

    def feed(self, chunk: bytes) -> list[tuple[str, bytes]]:
        """Take what has arrived, and return what of it belongs to files: field and bytes."""
        try:
            self._parser.write(chunk)
        except FormParserError as error:
            raise _unreadable(str(error)) from None
        found = self._blocks
        self._blocks = []
        return found

    def close(self) -> None:
        """Raise unless the form came to its end and held every file."""
        if not self.is_complete:
            raise InputError(["request: the form ends too early; nothing of it was kept; send it again"])
        missing = [name for name in self._file_fields if name not in self.file_names]
        if missing:
            raise InputError([f"request: no file; expected one in the field {name!r}" for name in missing])

    def _begin(self) -> None:
        self._parts += 1
        if self._parts > MOST_FIELDS:
            raise _unreadable(f"more than {MOST_FIELDS} fields")
        self._header = self._value = self._disposition = b""

    def _on_header(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end]

    def _on_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _end_header(self) -> None:
        if self._header.lower() == b"content-disposition":
            self._disposition = self._value
        self._header = self._value = b""

    def _end_headers(self) -> None:
        _, options = parse_options_header(self._disposition)
        if b"name" not in options:
            raise _unreadable("a field without a name")
        self._name = _decoded(options[b"name"])
        is_file = b"filename" in options
        self._text = None if is_file else bytearray()
        if not is_file:
            return
        if self._name not in self._file_fields:
            raise _unreadable(f"a file in the field {self._name[:40]!r}; expected one in {self._file_fields[0]!r}")
        if self._name in self.file_names:
            raise _unreadable("more than one file")
        self.file_names[self._name] = _decoded(options[b"filename"])

    def _on_data(self, data: bytes, start: int, end: int) -> None:
        if self._text is None:
            self._blocks.append((self._name, data[start:end]))
            return
        self._kept += end - start
        if self._kept > self._longest:
            raise _unreadable(f"fields of more than {self._longest:,} bytes")
        self._text += data[start:end]

    def _end(self) -> None:
        if self._text is not None:
            self.fields[self._name] = _decoded(bytes(self._text))

    def _finish(self) -> None:
        self.is_complete = True


def _decoded(text: bytes) -> str:
    """Text as it was meant; bytes that are not UTF-8 become a replacement mark, and are refused where they matter."""
    return text.decode("utf-8", "replace")


def _unreadable(reason: str) -> InputError:
    return InputError([f"request: the form cannot be read: {reason}; send it again"])
