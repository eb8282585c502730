"""Files from strangers are read in a process of their own: with a limit of memory and time, and no effect on who asks.

`ask_process` starts `python -m MODULE`, sends it one line of JSON, and returns what its `answer_asker` answers. The
process ends with whoever asked, also if that one is killed: its standard input is then closed.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Thread, Timer
from typing import Any, Final

from runoff.errors import BusyError, InputError, LimitError

SECONDS: Final = 300
MEMORY: Final = 2_000_000_000
"""What reading a file may take: seconds, and bytes of memory."""
LEAST_MEMORY: Final = 400_000_000
"""With less, not even a good run can be read."""
NICE: Final = 10
_END_SECONDS: Final = 5
_NO_THREAD: Final = "can't start new thread"


def ask_process(
    module: str, request: Mapping[str, Any], *, called: str, memory: int | None = MEMORY, seconds: float = SECONDS
) -> Any:
    """Let a module answer a request in a process of its own; whatever a file does to it becomes an `InputError`.

    module   whose `__main__` calls `answer_asker`
    request  keyword arguments, as JSON can hold them
    called   what the file is called in errors
    memory   bytes that the process may take; None for no limit
    """
    line = json.dumps({"memory": memory, "request": dict(request)})
    with tempfile.TemporaryDirectory(prefix="runoff-") as folder:
        # What it leaves behind when it is killed goes with the folder.
        environment = {**os.environ, "TMPDIR": folder}
        late: list[bool] = []
        with subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        ) as process:

            def end() -> None:
                late.append(True)
                process.kill()

            clock = Timer(seconds, end)
            clock.daemon = True
            clock.start()
            try:
                answer = _talk(process, line)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(_END_SECONDS)
            finally:
                clock.cancel()
                process.kill()
    if late:
        raise InputError([f"{called}: reading takes more than {seconds:,.0f} s; expected less; send a smaller file"])
    if process.returncode == -signal.SIGTERM:
        raise BusyError("the server is being stopped; send the file again in a minute")
    return _told(answer, called, memory)


def answer_asker(work: Callable[..., Any]) -> None:
    """Do the work of the one request that standard input holds, within its limits, and end the process."""
    asked = json.loads(sys.stdin.readline())
    _limit(asked["memory"])
    Thread(target=_end_with_asker, daemon=True).start()
    try:
        answer: dict[str, Any] = {"result": work(**asked["request"])}
    except InputError as error:
        kind = "limit" if isinstance(error, LimitError) else "input"
        answer = {"problems": error.problems, "total": error.total, "kind": kind}
    except MemoryError:
        answer = {"kind": "memory"}
    except RuntimeError as error:
        if _NO_THREAD not in str(error):
            raise
        answer = {"kind": "memory"}
    sys.stdout.write(json.dumps(answer))
    sys.stdout.flush()
    # Threads that still read would hold it up.
    os._exit(0)


def _talk(process: subprocess.Popen[bytes], line: str) -> bytes:
    if process.stdin is None or process.stdout is None:  # pragma: no cover
        raise RuntimeError("the process has no pipes")
    try:
        process.stdin.write(line.encode() + b"\n")
        process.stdin.flush()
    except BrokenPipeError:
        with suppress(BrokenPipeError):  # it would try once more to send what is left
            process.stdin.close()
        return b""
    # Standard input stays open as long as somebody waits for the answer.
    return process.stdout.read()


def _told(answer: bytes, called: str, memory: int | None) -> Any:
    try:
        found: dict[str, Any] = json.loads(answer)
    except ValueError:
        limit = "" if memory is None else f", or needs more memory than {memory:,} bytes"
        raise InputError([f"{called}: reading it ended early: it is damaged{limit}; write it again"]) from None
    if "result" in found:
        return found["result"]
    if found["kind"] == "memory":
        text = f"{called}: needs more memory than {memory or 0:,} bytes to be read; expected less"
        raise InputError(
            [f"{text}; mend its faults, put its lines into the order of their ranks, or send a smaller file"]
        )
    kind = LimitError if found["kind"] == "limit" else InputError
    raise kind(found["problems"], total=found["total"])


def _limit(memory: int | None) -> None:
    """Take a limit upon this process where the system knows one; time is limited by who asks."""
    # Ctrl-C is for the server, which finishes what it has begun.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        import resource
    except ImportError:  # pragma: no cover
        return
    os.setpriority(os.PRIO_PROCESS, 0, NICE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory is not None:
        # On Linux what can be written counts, with or without the heap; addresses that are only reserved do not.
        which = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
        resource.setrlimit(which, (memory, memory))


def _end_with_asker() -> None:
    os.read(0, 1)
    os._exit(1)
