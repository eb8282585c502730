"""The other side of `limited_process`: the process that does what one server asks for, once, within limits."""

from __future__ import annotations

import errno
import os
import signal
import sys
import traceback
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import Any, Final

from runoff.errors import InputError, LimitError, MeasureError, MissingExtraError, NoRoomError, UsageError
from runoff.server.cases.uploads.plain_data import pack, unpack

MOST_WRITTEN: Final = 5_000_000_000
"""Bytes of each file that the process may write, such as the text of a Parquet file."""
NICE: Final = 10
BLOCK: Final = 1 << 20
HEAD: Final = 8
"""Bytes of the length that comes before what is asked."""
_GRACE_SECONDS: Final = 5
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
_NO_THREAD: Final = "can't start new thread"


def answer_asker() -> None:
    """The whole life of the process: do the one thing that standard input asks for, within limits."""
    # What it writes is for the server alone.
    os.umask(0o077)
    answer = os.dup(1)
    # A library that prints must not spoil the answer.
    with Path(os.devnull).open("wb") as nothing:
        os.dup2(nothing.fileno(), 1)
    asked = unpack(_exactly(int.from_bytes(_exactly(HEAD), "little")))
    _limit(asked["memory"], asked["seconds"])
    Thread(target=_end_with_asker, daemon=True).start()
    result = _done(asked["work"], asked["request"])
    with os.fdopen(answer, "wb", closefd=False) as pipe:
        pipe.write(result)
    # Threads that still read would hold it up.
    os._exit(0)


def _done(name: str, request: dict[str, Any]) -> bytes:
    """The result of a function, or what went wrong, packed."""
    module, _, function = name.partition(":")
    try:
        return pack({"kind": "result", "result": getattr(import_module(module), function)(**request)})
    except BaseException as error:  # noqa: BLE001  # also Polars' panics, which are no Exception
        failure = _described(error)
    return pack(failure)


def _described(error: BaseException) -> dict[str, Any]:
    """What an error says; of one that nobody raised on purpose its kind and place, since its words may be private."""
    for kind in (LimitError, InputError, MeasureError, UsageError, NoRoomError):
        if isinstance(error, kind):
            problems = error.problems if isinstance(error, InputError) else [str(error)]
            return {"kind": kind.__name__, "problems": problems, "total": getattr(error, "total", 1)}
    if isinstance(error, MissingExtraError):
        return {"kind": "MissingExtraError", "problems": error.__reduce__()[1]}
    number = error.errno if isinstance(error, OSError) else None
    if isinstance(error, MemoryError) or _NO_THREAD in str(error) or number == errno.ENOMEM:
        return {"kind": "memory", "problems": []}
    if number in _FULL:
        return {"kind": "NoRoomError", "problems": ["no room for temporary files; free some, then try again"]}
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{type(error).__name__} in {Path(last.filename).name}:{last.lineno}"
    return {"kind": "written" if number == errno.EFBIG else "fault", "problems": [place]}


def _limit(memory: int, seconds: float) -> None:
    """Take limits upon this process where the system knows them; whoever asked looks at the clock, too."""
    # Ctrl-C is for the server, which finishes what it has begun.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        import resource
    except ImportError:  # pragma: no cover
        return
    # Ended by the system also if whoever asked is gone and Python is stuck in one call.
    signal.setitimer(signal.ITIMER_REAL, seconds + _GRACE_SECONDS)
    if os.getpriority(os.PRIO_PROCESS, 0) < NICE:
        os.setpriority(os.PRIO_PROCESS, 0, NICE)
    with suppress(OSError):
        # Where the system is short of memory, this process goes first and not the server.
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    # On Linux what can be written counts, with or without the heap; addresses that are only reserved do not.
    kind = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
    limits = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_CPU: int(seconds * (os.cpu_count() or 1)) + _GRACE_SECONDS,
        resource.RLIMIT_FSIZE: MOST_WRITTEN,
        kind: memory + _taken(),
    }
    for which, most in limits.items():
        hard = resource.getrlimit(which)[1]
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(which, (least, least))


def _taken() -> int:
    """The bytes that this process has at its start and that count for the limit; 0 where that cannot be known."""
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmData:"):
                return int(line.split()[1]) * 1024
    return 0


def _exactly(count: int) -> bytes:
    """A number of bytes of standard input; nothing is read in advance."""
    parts: list[bytes] = []
    while count:
        part = os.read(0, min(count, BLOCK))
        if not part:
            os._exit(1)
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def _end_with_asker() -> None:
    os.read(0, 1)
    os._exit(1)
