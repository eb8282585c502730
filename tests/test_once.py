"""What is made once in a test run: by one of many processes, whole or not at all."""

import subprocess
import sys
from pathlib import Path
from types import MappingProxyType

import pytest

from tests.once import made_once

ASK = """
import sys, time
from pathlib import Path
from tests.once import made_once

class Factory:
    def getbasetemp(self):
        return Path(sys.argv[1]) / sys.argv[2]

def make(folder):
    with (Path(sys.argv[1]) / "calls").open("a") as calls:
        calls.write("made\\n")
    (folder / "file").write_text("content")
    return folder / "file"

print(made_once(Factory(), "thing", make).read_text())
"""


class Factory:
    """As pytest's in a test process of its own or in one of several, which have folders side by side."""

    def __init__(self, folder):
        self.folder = folder / "process"
        self.folder.mkdir(exist_ok=True)

    def getbasetemp(self):
        return self.folder


def test_one_of_several_processes_makes_it(tmp_path, monkeypatch, repository):
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw0")
    monkeypatch.setenv("PYTHONPATH", str(repository))
    command = [sys.executable, "-c", ASK, str(tmp_path)]
    processes = [
        subprocess.Popen([*command, f"popen-gw{number}"], stdout=subprocess.PIPE, text=True) for number in range(3)
    ]
    assert [process.communicate()[0] for process in processes] == ["content\n"] * 3
    assert (tmp_path / "calls").read_text() == "made\n"


def test_every_caller_has_an_object_of_its_own(tmp_path):
    first, second = (made_once(Factory(tmp_path), "thing", lambda _: {"a": [1]}) for _ in range(2))
    first["a"].append(2)
    assert second == {"a": [1]}
    kept = made_once(Factory(tmp_path), "other", lambda _: MappingProxyType({"a": 1}))
    assert isinstance(kept, MappingProxyType)
    assert kept == {"a": 1}


def test_what_failed_is_made_again_in_an_empty_folder(tmp_path):
    def broken(folder: Path) -> None:
        (folder / "half").write_text("")
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        made_once(Factory(tmp_path), "thing", broken)
    assert made_once(Factory(tmp_path), "thing", lambda folder: list(folder.iterdir())) == []
