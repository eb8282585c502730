"""Text files in parallel: chunks of lines go through a function on several threads, in order, with bounded memory."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, TypeVar

from runoff.errors import InputError
from runoff.tables.ids import Text
from runoff.tables.memory import keep_freed_memory

Item = TypeVar("Item")
Result = TypeVar("Result")

LONGEST_BEGINNING: Final = 64 << 20
"""Bytes of blank lines and comments that may come before the first line that counts."""
_CONTENT = re.compile(rb"(?:^|\n)[^\S\n]*([^\s#][^\n]*)")
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
    with ThreadPoolExecutor(threads) as pool:
        try:
            for chunk in chunks:
                waiting.append(pool.submit(function, chunk))
                if len(waiting) > threads + 1:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def first_fields(text: Text) -> list[bytes] | None:
    """The fields of the first line that is neither blank nor a comment; None if there is none."""
    line = _CONTENT.search(text.bytes)  # type: ignore[call-overload]
    return line[1].split() if line else None


def skip_to_content(chunks: Iterator[Text], name: str, what: str) -> tuple[list[bytes], list[Text]]:
    """The first line's fields and the chunks read so far; an InputError if no line has any, or the first is far down.

    The chunks are held in memory, and a small compressed file can have any number of blank lines.
    """
    seen = []
    size = 0
    for chunk in chunks:
        seen.append(chunk)
        fields = first_fields(chunk)
        if fields is not None:
            return fields, seen
        size += len(chunk.bytes)
        if size > LONGEST_BEGINNING:
            problem = (
                f"{name}: the first {size:,} bytes are blank lines and comments; expected {what}; "
                "check the file, or remove these lines"
            )
            raise InputError([problem])
    raise InputError([f"{name}: the file is empty; expected {what}; check that it was written to the end"])
