"""Work in a process with limits: whatever happens to it is told, and nothing of it is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Timer

import numpy as np
import pytest

from runoff.errors import BusyError, InputError, ReadingEndedError
from runoff.server.cases.uploads.limited_process import LEAST_MEMORY, LimitedReader

READER = LimitedReader(memory=LEAST_MEMORY, seconds=60)


def work(what: str, **more: str) -> object:
    """What the process does when a test asks for it."""
    if what == "memory":
        return len(bytes(LEAST_MEMORY + 50_000_000))
    if what == "loop":
        child = os.fork()
        if child:
            Path(more["sign"]).write_text(f"{os.getpid()} {child} ", encoding="utf-8")
        while True:
            pass
    if what.startswith("SIG"):
        os.kill(os.getpid(), getattr(signal, what))
    if what == "exit":
        os._exit(3)
    if what == "large":
        return "x" * LEAST_MEMORY
    if what == "not plain":
        return {1, 2}
    if what == "input":
        raise InputError(["a.run:1: bad"], total=7)
    return {"said": what, "numbers": np.arange(3), "more": more}


def ask(what: str, reader: LimitedReader = READER, **more: str) -> object:
    """Ask for this module's work."""
    return reader.read(work, {"what": what, **more}, called="a.run", into=lambda plain: plain)


def test_the_result_comes_back_as_plain_data():
    answer = ask("hello", text="é\ud800")
    assert isinstance(answer, dict)
    assert (answer["said"], answer["more"]) == ("hello", {"text": "é\ud800"})
    assert answer["numbers"].tolist() == [0, 1, 2]


@pytest.mark.parametrize("what, kind, words", [
    ("input", InputError, "a.run:1: bad"),
    ("memory", InputError, "a.run: needs more memory than 400,000,000 bytes to be read; expected less; fix its faults"),
    ("SIGSEGV", InputError, r"a.run: reading it ended early \(Segmentation fault\): it is damaged, or .*; write"),
    ("exit", InputError, "a.run: reading it ended early: it is damaged, or needs more memory than"),
    ("large", InputError, "a.run: (its content takes|needs) more .*400,000,000 bytes"),
    ("SIGXCPU", InputError, "a.run: reading takes more than 60 s, the limit of this server; expected less; send"),
    ("SIGKILL", ReadingEndedError, "a.run: the process that read it was killed, .*; send it again later"),
    ("not plain", ReadingEndedError, r"a.run: reading it ended early \(ValueError in plain_data.py:\d+\)"),
])  # fmt: skip
def test_whatever_happens_is_told_as_a_fault_of_the_file(what, kind, words):
    with pytest.raises(InputError, match=words) as found:
        ask(what)
    assert type(found.value) is kind
    assert found.value.total == (7 if what == "input" else 1)


def test_a_server_that_stops_does_not_blame_the_file():
    with pytest.raises(BusyError, match="send the file again"):
        ask("SIGTERM")
    assert isinstance(ask("SIGINT"), dict), "Ctrl-C is for the server"


def test_an_answer_that_is_no_such_answer_is_refused():
    for wanted in ("queries", "said"):
        with pytest.raises(InputError, match=r"a\.run: reading it ended early"):
            READER.read(work, {"what": "hello"}, called="a.run", into=lambda plain, key=wanted: int(plain[key]))  # type: ignore[misc]


def test_what_takes_too_long_is_killed_with_all_that_it_has_started(tmp_path, monkeypatch):
    sign = tmp_path / "sign"

    class Early(Timer):
        """A clock that has come to its end when the process has begun."""

        def run(self) -> None:
            while len(started(sign)) < 2 and not self.finished.wait(0.01):
                pass
            assert (self.interval, all(map(is_alive, started(sign)))) == (3, True)
            self.function()

    monkeypatch.setattr("runoff.server.cases.uploads.limited_process.Timer", Early)
    with pytest.raises(InputError, match=r"a\.run: reading takes more than 3 s, the limit of this server"):
        ask("loop", LimitedReader(seconds=3), sign=str(sign))
    assert len(started(sign)) == 2
    assert gone(started(sign))


def test_it_ends_with_who_asked_for_it(tmp_path):
    sign = tmp_path / "sign"
    code = (
        "from tests.server.cases.uploads.test_limited_process import LimitedReader, ask\n"
        f"ask('loop', LimitedReader(seconds=20), sign={str(sign)!r})\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, "-c", code], env=environment) as asker:
        while len(started(sign)) < 2:
            assert asker.poll() is None
            time.sleep(0.05)
        leader, child = started(sign)
        os.kill(child, signal.SIGKILL)  # it holds the pipe open; a parser starts none
        assert is_alive(leader)
        asker.send_signal(signal.SIGKILL)
    assert gone([leader])


def started(sign: Path) -> list[int]:
    """The numbers of the processes that a sign names; none before it is written whole."""
    text = sign.read_text(encoding="utf-8") if sign.exists() else ""
    return [int(number) for number in text.split()] if text.endswith(" ") else []


def is_alive(number: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{number}/status").read_text(encoding="utf-8")
    except OSError:
        return False


def gone(numbers: list[int]) -> bool:
    """Whether these processes end within a while; those that do not are ended here."""
    for _ in range(200):
        if not any(map(is_alive, numbers)):
            return True
        time.sleep(0.05)
    for number in filter(is_alive, numbers):
        os.kill(number, signal.SIGKILL)
    return False
