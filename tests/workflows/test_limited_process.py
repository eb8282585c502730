"""Work in a process with limits."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Timer

import pytest

from runoff.errors import BusyError, InputError, LimitError
from runoff.workflows.limited_process import LEAST_MEMORY, answer_asker, ask_process

HERE = "tests.workflows.test_limited_process"


def work(what: str, **more: str) -> object:
    """What the process does when a test asks for it."""
    if what == "memory":
        return len(bytes(LEAST_MEMORY))
    if what == "threads":
        raise RuntimeError("can't start new thread")
    if what == "sleep":
        Path(more["sign"]).write_text(str(os.getpid()), encoding="utf-8")
        time.sleep(60)
    if what == "stop":
        os.kill(os.getpid(), signal.SIGTERM)
    if what == "interrupt":
        os.kill(os.getpid(), signal.SIGINT)
    if what == "die":
        os.abort()
    if what == "limit":
        raise LimitError(["a.run: too large"], total=3)
    if what == "input":
        raise InputError(["a.run:1: bad"], total=7)
    return {"said": what, "folder": os.environ["TMPDIR"]}


def ask(what: str, **more: object) -> object:
    """Ask this module."""
    return ask_process(HERE, {"what": what}, called="a.run", **more)  # type: ignore[arg-type]


def test_the_result_comes_back_and_the_folder_is_gone():
    answer = ask("hello")
    assert isinstance(answer, dict)
    assert answer["said"] == "hello"
    assert not Path(answer["folder"]).exists()


@pytest.mark.parametrize("what, kind, words", [
    ("limit", LimitError, "too large"),
    ("input", InputError, "a.run:1: bad"),
    ("memory", InputError, "a.run: needs more memory than 400,000,000 bytes to be read"),
    ("threads", InputError, "a.run: needs more memory"),
    ("die", InputError, "a.run: reading it ended early: it is damaged, or needs more memory than 400,000,000 bytes"),
])  # fmt: skip
def test_whatever_happens_is_a_fault_of_the_file(what, kind, words):
    with pytest.raises(InputError, match=words) as found:
        ask(what, memory=LEAST_MEMORY)
    assert type(found.value) is kind
    assert found.value.total == {"limit": 3, "input": 7}.get(what, 1)


def test_a_server_that_stops_does_not_blame_the_file():
    with pytest.raises(BusyError, match="send the file again"):
        ask("stop")
    answer = ask("interrupt")
    assert isinstance(answer, dict), "Ctrl-C is for the server"


def test_what_takes_too_long_is_ended(tmp_path, monkeypatch):
    sign = tmp_path / "sign"

    class Early(Timer):
        """A clock that has come to its end when the process has begun."""

        def run(self) -> None:
            while not (sign.exists() and sign.read_text()) and not self.finished.wait(0.01):
                pass
            assert (self.interval, _is_alive(int(sign.read_text()))) == (3, True)
            self.function()

    monkeypatch.setattr("runoff.workflows.limited_process.Timer", Early)
    with pytest.raises(InputError, match=r"a\.run: reading takes more than 3 s"):
        ask_process(HERE, {"what": "sleep", "sign": str(sign)}, called="a.run", seconds=3)
    assert not _is_alive(int(sign.read_text()))


def test_without_a_limit_memory_is_not_counted():
    assert ask("memory", memory=None) == LEAST_MEMORY


def test_it_ends_with_who_asked_for_it(tmp_path):
    sign = tmp_path / "sign"
    code = (
        "from runoff.workflows.limited_process import ask_process\n"
        f"ask_process({HERE!r}, {{'what': 'sleep', 'sign': {str(sign)!r}}}, called='a.run')\n"
    )
    with subprocess.Popen([sys.executable, "-c", code]) as asker:
        while not (sign.exists() and sign.read_text()):
            assert asker.poll() is None
            time.sleep(0.05)
        number = int(sign.read_text())
        assert _is_alive(number)
        asker.send_signal(signal.SIGKILL)
    for _ in range(200):
        if not _is_alive(number):
            return
        time.sleep(0.05)
    os.kill(number, signal.SIGKILL)
    pytest.fail("it lives on")


def _is_alive(number: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{number}/status").read_text(encoding="utf-8")
    except OSError:
        return False


if __name__ == "__main__":
    answer_asker(work)
