"""Bytes of files, compressed or not, of standard input or in memory, in chunks of whole lines, read in parallel.

Compression is recognised by content, never by name. Chunks are read one after the other into memory of fixed size, so a
file is never held whole.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeVar, cast

import numpy as np

from runoff.errors import InputError, LimitError, needs_extra
from runoff.files.problems import quoted
from runoff.rows import PADDING, block_start
from runoff.tables.ids import WORD, Bytes, Text
from runoff.tables.memory import keep_freed_memory

Source = str | os.PathLike[str] | bytes | BinaryIO
"""A path, `-` for standard input, bytes in memory, or an open binary file."""

CHUNK_BYTES: Final = 4 << 20
COMPRESSIONS: Final = (".gz", ".bz2", ".xz", ".zst", ".lz4")
"""How the names of compressed files usually end; compression itself is recognised by content."""
HEAD_BYTES: Final = 1 << 16
"""How much of a file is looked at to tell its format."""
LONGEST_LINE: Final = 1 << 20
LARGEST_BLOCK: Final = 64 << 20
DEFAULT_MAX_BYTES: Final = 64 << 30
_BOM: Final = b"\xef\xbb\xbf"
_LF: Final = 10
_LZ4: Final = b"\x04\x22\x4d\x18"
_LONGEST_MAGIC: Final = 6
_DECOMPRESSION_ERRORS: Final = ("error", "IsalError", "LZMAError", "ZstdError")
_ZSTD: Final = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"


def source_name(source: Source) -> str:
    """How messages call a source."""
    if isinstance(source, bytes):
        return "<bytes>"
    if isinstance(source, (str, os.PathLike)):
        return "<stdin>" if os.fspath(source) == "-" else os.fspath(source)
    return str(getattr(source, "name", "<stream>"))


def is_regular_file(source: Source) -> bool:
    """Whether a source is the path of a file that can be read more than once."""
    try:
        return isinstance(source, (str, os.PathLike)) and os.fspath(source) != "-" and Path(source).is_file()
    except (OSError, ValueError):  # such as a name that is too long; reading it says so
        return False


def split_part(path: str) -> tuple[str, str]:
    """The file that a path names, and the part of it that is meant: `runs.json#default/test`; no part for most paths.

    A part leads nowhere, so that what is inside a folder stays inside it.
    """
    file, sign, part = path.rpartition("#")
    if not sign or ".." in part.split("/") or is_regular_file(path) or not is_regular_file(file):
        return path, ""
    return file, part


def _open_raw(source: Source, stack: ExitStack) -> io.BufferedReader:
    if isinstance(source, bytes):
        return io.BufferedReader(cast("io.RawIOBase", io.BytesIO(source)))
    if isinstance(source, (str, os.PathLike)):
        if not os.fspath(source):
            raise InputError(["'': an empty path; expected that of a file; check the variable that it comes from"])
        if "\n" in os.fspath(source) and not is_regular_file(source):
            path = quoted(os.fspath(source))
            raise InputError([f"{path}: no such file; expected a path; give what a file holds as bytes, text.encode()"])
        if "\0" in os.fspath(source):
            raise FileNotFoundError
        if os.fspath(source) != "-":
            return stack.enter_context(Path(source).open("rb"))
        if sys.stdin is None:
            raise InputError(["<stdin>: is closed; expected a run or qrels; pipe one in or name a file"])
        source = sys.stdin.buffer
    if isinstance(source, io.TextIOBase):
        name = source_name(cast("BinaryIO", source))
        raise InputError([f"{name}: is open as text; expected a file that is open as bytes; open it with mode 'rb'"])
    if isinstance(source, io.BufferedReader):
        return source
    reader: io.BufferedReader = io.BufferedReader(cast("io.RawIOBase", source))
    stack.callback(reader.detach)  # or the caller's file would be closed with the reader
    return reader


class _Rejoined(io.RawIOBase):
    """A stream whose first bytes were read already."""

    def __init__(self, head: bytes, rest: io.BufferedReader) -> None:
        self._head = head
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._head:
            return self._rest.readinto(buffer)
        count = min(len(buffer), len(self._head))
        buffer[:count], self._head = self._head[:count], self._head[count:]
        return count


def _decompressed(raw: io.BufferedReader, stack: ExitStack) -> BinaryIO:
    """The stream behind a compression that its first bytes show; the stream itself if it is not compressed."""
    magic = raw.peek(_LONGEST_MAGIC)[:_LONGEST_MAGIC]
    if len(magic) < _LONGEST_MAGIC:  # a pipe may give a few bytes at first
        magic = raw.read(_LONGEST_MAGIC)
        raw = io.BufferedReader(_Rejoined(magic, raw))
    if magic.startswith(b"\x1f\x8b"):
        igzip = import_module("isal.igzip")  # three times as fast as zlib
        return cast("BinaryIO", stack.enter_context(igzip.IGzipFile(fileobj=raw)))
    if magic.startswith(b"BZh"):
        return cast("BinaryIO", stack.enter_context(import_module("bz2").BZ2File(raw)))
    if magic.startswith(b"\xfd7zXZ\x00"):
        return cast("BinaryIO", stack.enter_context(import_module("lzma").LZMAFile(raw)))
    if magic.startswith(b"\x28\xb5\x2f\xfd"):
        return cast("BinaryIO", stack.enter_context(import_module(_ZSTD).ZstdFile(raw)))
    if magic.startswith(_LZ4):
        with needs_extra("a file compressed with LZ4", "lz4"):
            frames = import_module("lz4.frame")
        opened = stack.enter_context(frames.LZ4FrameFile(raw))
        if opened.peek(len(_LZ4))[: len(_LZ4)] == _LZ4:  # ranx compresses twice
            opened = stack.enter_context(frames.LZ4FrameFile(opened))
        return cast("BinaryIO", opened)
    return raw


def _fill(stream: BinaryIO, view: memoryview) -> int:
    """Read until the view is full or the stream ends; the number of bytes read."""
    filled = 0
    while filled < len(view):
        count = cast("io.BufferedIOBase", stream).readinto(view[filled:])
        if not count:
            break
        filled += count
    return filled


def read_chunks(
    source: Source,
    *,
    max_bytes: int = DEFAULT_MAX_BYTES,
    longest_line: int = LONGEST_LINE,
    block_column: int | None = None,
) -> Iterator[Text]:
    """The content of a source in chunks of whole lines, decompressed, without its BOM.

    The last byte of every chunk is a newline; one is put behind the last line if it has none. More than `max_bytes` of
    content is a LimitError, and a line longer than `longest_line` an InputError. Given a column, chunks are cut where
    that field changes, unless it stays the same for LARGEST_BLOCK bytes.
    """
    name = source_name(source)
    with _explained(name), ExitStack() as stack:
        yield from _cut_chunks(_open_stream(source, stack), name, max_bytes, longest_line, block_column)


def read_whole(source: Source, *, max_bytes: int = DEFAULT_MAX_BYTES) -> bytes:
    """The content of a source at once, decompressed, without its BOM, however long its lines are."""
    name = source_name(source)
    parts, total = [], 0
    with _explained(name), ExitStack() as stack:
        stream = _open_stream(source, stack)
        while part := stream.read(CHUNK_BYTES):
            total += len(part)
            if total > max_bytes:
                raise _too_large(name, max_bytes)
            parts.append(part)
    return b"".join(parts).removeprefix(_BOM)


@contextmanager
def peeked(source: Source) -> Iterator[tuple[bytes, Source]]:
    """The first bytes of a source, decompressed, without its BOM; and a source that still has all its content.

    What can be read only once, such as standard input, can be read inside the `with` alone. The source of a part of a
    file has its name, and the content of all of it.
    """
    name = source_name(source)
    with _explained(name), ExitStack() as stack:
        is_path = isinstance(source, (str, os.PathLike))
        stream = _open_stream(split_part(os.fspath(cast("str", source)))[0] if is_path else source, stack)
        head = bytearray(HEAD_BYTES)
        size = _fill(stream, memoryview(head))
        beginning = bytes(head[:size])
        if isinstance(source, bytes) or is_regular_file(source):
            stack.close()
            rest = source
        else:
            rest = cast(
                "BinaryIO", _Peeked(name, io.BufferedReader(_Rejoined(beginning, cast("io.BufferedReader", stream))))
            )
        yield beginning.removeprefix(_BOM), rest


class _Peeked:
    """A decompressed stream of which the first bytes were read already."""

    def __init__(self, name: str, stream: io.BufferedReader) -> None:
        self.name = name
        self.stream = stream


def _open_stream(source: Source, stack: ExitStack) -> BinaryIO:
    if isinstance(source, _Peeked):
        return source.stream
    return _decompressed(_open_raw(source, stack), stack)


@contextmanager
def _explained(name: str) -> Iterator[None]:
    """Whatever goes wrong while a source is read becomes an InputError that names it."""
    try:
        yield
    except FileNotFoundError:
        if name.startswith("irds:"):
            raise InputError(
                [f"{name}: a dataset of ir_datasets; expected a file here; give it as the qrels"]
            ) from None
        raise InputError([f"{name}: no such file; expected a readable file; check the path"]) from None
    except IsADirectoryError:
        raise InputError([f"{name}: is a folder; expected a file; name the file inside it"]) from None
    except EOFError:
        raise InputError(
            [f"{name}: the compressed file ends too early; expected a complete file; copy or download it again"]
        ) from None
    except Exception as error:
        # the modules of compressions, and so their errors, are imported only where a file needs them
        is_of_lz4 = type(error) is RuntimeError and "LZ4" in str(error)
        if not isinstance(error, OSError) and not is_of_lz4 and type(error).__name__ not in _DECOMPRESSION_ERRORS:
            raise
        raise InputError(
            [f"{name}: cannot be read ({error}); expected a readable file; check or copy it again"]
        ) from None


def _too_large(name: str, max_bytes: int) -> LimitError:
    problem = (
        f"{name}: holds more than {max_bytes:,} bytes when decompressed, the limit that is set; "
        "expected a smaller file; raise the limit with --max-bytes"
    )
    return LimitError([problem])


def read_bytes(source: Source, *, max_bytes: int = DEFAULT_MAX_BYTES) -> bytes:
    """The whole content of a small source, as `read_chunks` gives it."""
    return b"".join(chunk.bytes.tobytes() for chunk in read_chunks(source, max_bytes=max_bytes))


def _cut_chunks(
    stream: BinaryIO, name: str, max_bytes: int, longest_line: int, block_column: int | None
) -> Iterator[Text]:
    rest = np.zeros(0, dtype=np.uint8)
    total = 0
    while True:
        # a word of zeros, the rest of the chunk before, what is read now, room for a newline, zeros
        buffer = np.empty(WORD + len(rest) + CHUNK_BYTES + 1 + PADDING, dtype=np.uint8)
        buffer[:WORD] = 0
        begin, size = WORD, WORD + len(rest)
        buffer[begin:size] = rest
        count = _fill(stream, memoryview(buffer)[size : size + CHUNK_BYTES])  # type: ignore[arg-type]
        if total == 0 and buffer[begin : begin + len(_BOM)].tobytes() == _BOM:
            begin += len(_BOM)
            buffer[:begin] = 0
        total += count
        size += count
        if total > max_bytes:
            raise _too_large(name, max_bytes)
        is_last = count < CHUNK_BYTES
        if is_last and size > begin and buffer[size - 1] != _LF:
            buffer[size] = _LF
            size += 1
        end = size if is_last else _end_of_last_line(buffer, begin, size)
        if (end == begin and size - begin > longest_line) or _has_long_line(buffer, begin, end, longest_line):
            problem = (
                f"{name}: a line is longer than {longest_line:,} bytes; expected one ranked or judged "
                "document per line; check that this is a run or qrels file"
            )
            raise InputError([problem])
        if block_column is not None and not is_last:
            block = block_start(buffer, begin, end, block_column)
            end = block if block > begin or end - begin < LARGEST_BLOCK else end
        rest = buffer[end:size].copy()
        if end > begin:
            buffer[end : end + PADDING] = 0
            yield Text(buffer[begin - WORD : end + PADDING])
        if is_last:
            return


def _has_long_line(buffer: Bytes, begin: int, end: int, longest_line: int) -> bool:
    """Whether some line between two positions is longer than `longest_line`; the last byte is a newline."""
    while begin < end:
        reached = _end_of_last_line(buffer, begin, min(begin + longest_line + 1, end))
        if reached == begin:
            return True
        begin = reached
    return False


def _end_of_last_line(buffer: Bytes, begin: int, end: int) -> int:
    """The position behind the last newline between two positions; `begin` if there is none."""
    reach = 1 << 12
    while True:
        low = max(begin, end - reach)
        line_ends = np.flatnonzero(buffer[low:end] == _LF)
        if line_ends.size:
            return low + int(line_ends[-1]) + 1
        if low == begin:
            return begin
        reach *= 16


Item = TypeVar("Item")
Result = TypeVar("Result")

LONGEST_BEGINNING: Final = 64 << 20
"""Bytes of blank lines and comments that may come before the first line that counts."""
FIRST_LINE: Final = re.compile(rb"(?:^|\n)[^\S\n]*([^\s#][^\n]*)")
"""A line that is neither blank nor a comment, from its first field on."""


def usable_cores() -> int:
    """How many threads can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def map_in_order(
    function: Callable[[Item], Result], chunks: Iterable[Item], *, threads: int | None = None
) -> Iterator[Result]:
    """The function's result for every chunk, in the order of the chunks; few chunks are in memory at a time."""
    threads = threads or usable_cores()
    keep_freed_memory()
    if threads == 1:
        yield from map(function, chunks)
        return
    waiting: deque[Future[Result]] = deque()
    with threads_of_generator(threads) as pool:
        for chunk in chunks:
            waiting.append(pool.submit(function, chunk))
            if len(waiting) > threads + 1:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


@contextmanager
def threads_of_generator(threads: int) -> Iterator[ThreadPoolExecutor]:
    """Threads for a generator: it waits for them at its end, but not where it is dropped half-way.

    It may be dropped by the garbage collector, while this thread holds a lock of `threading`: waiting would never end.
    """
    pool, may_wait = ThreadPoolExecutor(threads), True
    try:
        yield pool
    except GeneratorExit:
        may_wait = False
        raise
    finally:
        pool.shutdown(wait=may_wait, cancel_futures=True)


def skip_to_content(chunks: Iterator[Text], name: str, noun: str) -> tuple[list[bytes], list[Text]]:
    """The first line's fields and the chunks read so far; an InputError if no line has any, or the first is far down.

    The chunks are held in memory, and a small compressed file can have any number of blank lines.
    """
    seen = []
    size = 0
    for chunk in chunks:
        seen.append(chunk)
        line = FIRST_LINE.search(chunk.bytes)  # type: ignore[call-overload]
        if line:
            return line[1].split(), seen
        size += len(chunk.bytes)
        if size > LONGEST_BEGINNING:
            problem = (
                f"{name}: the first {size:,} bytes are blank lines and comments; expected {noun}; "
                "check the file, or remove these lines"
            )
            raise InputError([problem])
    raise InputError([f"{name}: the file is empty; expected {noun}; check that it was written to the end"])
