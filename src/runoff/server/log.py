"""The log of the server's processes: a line per event on standard error that nobody can forge or repeat without end."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

WARNINGS: Final = 30
"""How often a warning or an error is written in `PERIOD` seconds: clients must not be able to fill the disk."""
PERIOD: Final = 60.0
FORM: Final = "%(asctime)s %(name)s %(levelname)s %(message)s"
INDENT: Final = "\n    "


class PlainFormatter(logging.Formatter):
    r"""Writes ASCII alone: other characters as escapes, and every line of an event but the first indented.

    So a name or an address with line ends, terminal codes or look-alike letters is seen as what it is.

    >>> record = logging.LogRecord("web", logging.ERROR, "", 0, "GET /a\r\nb \x1b[2J \u0430", None, None)
    >>> print(PlainFormatter("%(message)s").format(record))
    GET /a\x0d
        b \x1b[2J \u0430
    """

    def format(self, record: logging.LogRecord) -> str:
        """The text of an event."""
        return INDENT.join(_plain(line) for line in super().format(record).split("\n"))


def start_log() -> None:
    """Write what runoff does, and warnings of others, to standard error; a log that is set up already stays."""
    stream = logging.StreamHandler()
    stream.setFormatter(PlainFormatter(FORM))
    logging.basicConfig(level=logging.WARNING, handlers=[stream])
    for handler in logging.getLogger().handlers:
        if not any(isinstance(item, Throttle) for item in handler.filters):
            handler.addFilter(Throttle())
    logging.getLogger("runoff").setLevel(logging.INFO)


class Throttle(logging.Filter):
    """Leaves out warnings and errors that one line of code writes again and again, and says how many.

    By the line of code, not by the text: a text can hold what a client sent, and would be another one each time.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._since: dict[tuple[str, int], float] = {}
        self._count: dict[tuple[str, int], int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is written; the last one and the first one after a pause say what is left out."""
        if record.levelno < logging.WARNING:
            return True
        place, now = (record.pathname, record.lineno), self._clock()
        if now - self._since.get(place, -PERIOD) >= PERIOD:
            left_out = self._count.get(place, 0) - WARNINGS
            self._since[place], self._count[place] = now, 0
            if left_out > 0:
                _add(record, f"{left_out:,} lines like this were left out before it")
        self._count[place] = self._count.get(place, 0) + 1
        if self._count[place] == WARNINGS:
            _add(record, f"more lines like this are left out for up to {PERIOD:.0f} s")
        return self._count[place] <= WARNINGS


def _add(record: logging.LogRecord, remark: str) -> None:
    record.msg, record.args = f"{record.getMessage()} ({remark})", ()


def _plain(line: str) -> str:
    text = line.encode("ascii", "backslashreplace").decode("ascii")
    return text if text.isprintable() else "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)
