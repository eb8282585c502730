"""The process that reads: its limits, what it knows, and how errors leave it."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from runoff.errors import (
    LimitError,
    MeasureError,
    MissingExtraError,
    NoRoomError,
    ReadingEndedError,
    UsageError,
)
from runoff.server.cases.uploads.limited_process import LEAST_MEMORY, LimitedReader
from runoff.server.cases.uploads.limited_work import _described


def surroundings() -> dict[str, object]:
    """What the process knows of who asked."""
    import resource

    print("a library that prints")  # noqa: T201
    kinds = ("RLIMIT_CORE", "RLIMIT_CPU", "RLIMIT_DATA", "RLIMIT_FSIZE")
    return {
        "environment": dict(os.environ),
        "open": [os.path.realpath(one) for one in Path("/proc/self/fd").iterdir() if int(one.name) > 2],
        "limits": {kind: resource.getrlimit(getattr(resource, kind)) for kind in kinds},
        "is_leader": os.getsid(0) == os.getpid(),
        "oom": Path("/proc/self/oom_score_adj").read_text(encoding="ascii").strip(),
    }


def test_the_process_has_limits_and_nothing_of_the_server(monkeypatch, tmp_path):
    monkeypatch.setenv("RUNOFF_MAIL", "smtp://me:secret@example.org")
    monkeypatch.setenv("PGPASSWORD", "secret")
    with (tmp_path / "kept-open").open("w") as file:
        os.set_inheritable(file.fileno(), True)
        found = LimitedReader(memory=LEAST_MEMORY, seconds=60).read(surroundings, {}, called="a.run", into=dict)
        assert not any("kept-open" in place or "socket" in place for place in found["open"])
    assert "secret" not in str(found["environment"])
    assert not Path(found["environment"]["TMPDIR"]).exists(), "what it has left behind is removed"
    limits = found["limits"]
    assert limits["RLIMIT_CORE"] == [0, 0]
    assert 60 <= limits["RLIMIT_CPU"][1] <= 60 * (os.cpu_count() or 1) + 10
    assert LEAST_MEMORY < limits["RLIMIT_DATA"][1] < LEAST_MEMORY + 400_000_000
    assert 0 < limits["RLIMIT_FSIZE"][1] < 10**11
    assert (found["is_leader"], found["oom"]) == (True, "1000")


@pytest.mark.parametrize("error, kind, said", [
    (LimitError(["a: large"], total=3), "LimitError", ("a: large",)),
    (ReadingEndedError(["a: b"]), "InputError", ("a: b",)),
    (UsageError("no"), "UsageError", ["no"]),
    (MeasureError("no"), "MeasureError", ["no"]),
    (MissingExtraError("x", "y"), "MissingExtraError", ("x", "y")),
    (NoRoomError("full"), "NoRoomError", ["full"]),
    (OSError(errno.ENOSPC, "full"), "NoRoomError", ["no room for temporary files; free some, then try again"]),
    (OSError(errno.ENOMEM, "no memory"), "memory", []),
    (RuntimeError("can't start new thread"), "memory", []),
])  # fmt: skip
def test_errors_have_kinds(error, kind, said):
    told = _described(error)
    assert (told["kind"], told["problems"]) == (kind, said)
    passed = LimitedReader()._error(told["kind"], told, "a.run")
    assert type(passed).__name__ == ("InputError" if kind == "memory" else kind)
    if type(passed) is type(error):
        assert str(passed) == str(error)


def test_the_place_of_a_fault_is_told_without_its_words():
    try:
        int("zzsealedzz")
    except ValueError as error:
        told = _described(error)
    assert told["kind"] == "fault"
    assert told["problems"][0].startswith("ValueError in test_limited_work.py:")
