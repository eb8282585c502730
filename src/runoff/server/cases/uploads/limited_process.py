"""Files from strangers are read in a process of their own: limited in memory and time, with no effect on the server.

`LimitedReader.read` starts a process (`limited_work`), sends it the name of a function and its arguments, and returns
its result as plain data (`plain_data`). The process has no connection of the server's and few of its environment
variables. It ends with whoever asked, also if that one is killed: its standard input is then closed.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from threading import Timer
from typing import IO, Any, Final, NamedTuple, TypeVar

from runoff.errors import (
    BusyError,
    InputError,
    LimitError,
    MeasureError,
    MissingExtraError,
    NoRoomError,
    ReadingEndedError,
    RunoffError,
    UsageError,
)
from runoff.server.cases.uploads.limited_work import BLOCK, HEAD, MOST_WRITTEN
from runoff.server.cases.uploads.plain_data import pack, unpack

Result = TypeVar("Result")
SECONDS: Final = 300
MEMORY: Final = 2_000_000_000
"""What reading a file may take: seconds, and bytes of memory."""
MAX_BYTES: Final = 2**31 - 1
LEAST_MEMORY: Final = 400_000_000
"""With less, not even a good run can be read."""
ENVIRONMENT: Final = (
    "DYLD_", "HOME", "LANG", "LC_", "LD_LIBRARY_PATH", "MKL_", "NPY_", "OMP_", "OPENBLAS_", "PATH", "POLARS_", "PYTHON",
    "RAYON_", "SYSTEMROOT", "TZ", "WINDIR",
)  # fmt: skip
"""How the names of the variables begin that the process gets. Those of databases and mail servers hold passwords."""
_CODE: Final = "from runoff.server.cases.uploads.limited_work import answer_asker; answer_asker()"
_PASSED_ON: Final = {"InputError": InputError, "LimitError": LimitError}
_SAID: Final = {"UsageError": UsageError, "MeasureError": MeasureError, "NoRoomError": NoRoomError}
"""Errors of the function that are raised again here, with their words."""


@dataclass(frozen=True, kw_only=True)
class LimitedReader:
    """Runs functions that read files from strangers, each in a new process.

    memory     bytes that it may take beyond those with which it starts; not limited on Windows
    seconds    until it is killed
    max_bytes  of a file when it is decompressed
    """

    memory: int = MEMORY
    seconds: float = SECONDS
    max_bytes: int = MAX_BYTES

    def read(
        self, work: Callable[..., Any], request: Mapping[str, Any], *, called: str, into: Callable[[Any], Result]
    ) -> Result:
        """The result of a function for these keyword arguments; whatever a file does to it becomes an `InputError`.

        work     a function of a module; arguments and result have to be plain data (`plain_data.pack`)
        called   what the file is called in errors
        into     makes of the plain data what is returned, and raises if that cannot be: a file that has taken over the
                 process could answer anything

        `ReadingEndedError`, a kind of `InputError`, says that the fault may be ours. `BusyError` and `NoRoomError` say
        nothing about the file.
        """
        name = f"{work.__module__}:{work.__qualname__}"
        request_bytes = pack({"work": name, "request": dict(request), "memory": self.memory, "seconds": self.seconds})
        with tempfile.TemporaryDirectory(prefix="runoff-") as folder:
            # What it leaves behind when it is killed goes with the folder.
            ended = self._ended(request_bytes, folder)
        return self._result(ended, called, into)

    def _ended(self, asked: bytes, folder: str) -> _Ended:
        why: list[str] = []
        with subprocess.Popen(  # noqa: S603
            [sys.executable, "-c", _CODE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(folder),
            start_new_session=True,
        ) as process:

            def end() -> None:
                why.append("late")
                _kill(process)

            clock = Timer(self.seconds, end)
            clock.daemon = True
            clock.start()
            try:
                answer = _talk(process, asked, self.memory)
                if answer is None:
                    why.append("large")
                    _kill(process)
                _await_end(process)
            finally:
                clock.cancel()
                clock.join()
                _kill(process)
        return _Ended(answer or b"", process.returncode, why[0] if why else "")

    def _result(self, ended: _Ended, called: str, into: Callable[[Any], Result]) -> Result:
        status = ended.status
        if ended.why == "large":
            raise InputError([f"{called}: its content takes more than {self.memory:,} bytes; send a smaller file"])
        if ended.why == "late" or _is(status, "SIGXCPU", "SIGALRM"):
            limit = f"{self.seconds:,.0f} s, the limit of this server"
            raise InputError([f"{called}: reading takes more than {limit}; expected less; send a smaller file"])
        if _is(status, "SIGTERM"):
            raise BusyError("the server is being stopped; send the file again in a minute")
        if _is(status, "SIGKILL"):
            # Not by us: the system does it when it is short of memory, and so do people.
            raise ReadingEndedError(
                [f"{called}: the process that read it was killed, perhaps for lack of memory; send it again later"]
            )
        try:
            found = unpack(ended.answer) if status == 0 else {}
            if found["kind"] == "result":
                return into(found["result"])
            error = self._error(found["kind"], found, called)
        except (ValueError, LookupError, TypeError, AttributeError):
            how = f" ({signal.strsignal(-status)})" if status < 0 else ""
            limit = f"needs more memory than {self.memory:,} bytes"
            problem = f"{called}: reading it ended early{how}: it is damaged, or {limit}; write it again"
            raise InputError([problem]) from None
        raise error

    def _error(self, kind: str, found: Mapping[str, Any], called: str) -> RunoffError:
        """What went wrong in the process, as an error of this one."""
        problems = [str(one) for one in found["problems"]]
        if kind in _PASSED_ON:
            passed: RunoffError = _PASSED_ON[kind](problems, total=int(found["total"]))
        elif kind in _SAID:
            passed = _SAID[kind]("\n".join(problems))
        elif kind == "MissingExtraError":
            passed = MissingExtraError(*problems[:2])
        elif kind == "memory":
            text = f"{called}: needs more memory than {self.memory:,} bytes to be read; expected less"
            more = "fix its faults, put its lines into the order of their ranks, or send a smaller file"
            passed = InputError([f"{text}; {more}"])
        elif kind == "written":
            text = f"{called}: holds more than {MOST_WRITTEN:,} bytes; expected less; send a smaller file"
            passed = InputError([text])
        else:
            text = f"{called}: reading it ended early ({problems[0]}); expected a file that can be read; write it again"
            passed = ReadingEndedError([text])
        return passed


USUAL_READER: Final = LimitedReader()
"""For whoever has no settings."""


class _Ended(NamedTuple):
    """What came of a process: its answer, its status as `subprocess` tells it, and why it was killed, if it was.

    why  "late", "large" if it answered more than it may, or empty
    """

    answer: bytes
    status: int
    why: str


def _environment(folder: str) -> dict[str, str]:
    """What the process may know: no passwords, and where to import from as this process does."""
    known = {name: value for name, value in os.environ.items() if name.startswith(ENVIRONMENT)}
    path = os.pathsep.join(place for place in sys.path if place)
    folders = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), folder)
    return {**known, **folders, "PYTHONPATH": path, "PYTHONSAFEPATH": "1"}


def _talk(process: subprocess.Popen[bytes], asked: bytes, most: int) -> bytes | None:
    """Send what is asked, and return the answer; standard input stays open as long as somebody waits for it.

    None if the answer is longer than `most`.
    """
    if process.stdin is None or process.stdout is None:  # pragma: no cover
        raise RuntimeError("the process has no pipes")
    try:
        process.stdin.write(len(asked).to_bytes(HEAD, "little") + asked)
        process.stdin.flush()
    except BrokenPipeError:
        with suppress(BrokenPipeError):  # it would try once more to send what is left
            process.stdin.close()
        return b""
    return _read(process.stdout, most)


def _read(pipe: IO[bytes], most: int) -> bytes | None:
    parts: list[bytes] = []
    left = most
    while part := pipe.read(BLOCK):
        parts.append(part)
        left -= len(part)
        if left < 0:
            return None
    return b"".join(parts)


def _await_end(process: subprocess.Popen[bytes]) -> None:
    """Wait for the end; the number of the process stays taken until all of its group are killed."""
    if hasattr(os, "waitid"):
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    else:  # pragma: no cover
        process.wait()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the process, and what it has started."""
    if hasattr(os, "killpg") and process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _is(status: int, *names: str) -> bool:
    """Whether a process was ended by one of these signals, of which some systems lack some."""
    return status < 0 and status in {-getattr(signal, name) for name in names if hasattr(signal, name)}
