"""What takes long to make is made once in a test run, by the first test process that asks, and read by the others."""

from __future__ import annotations

import fcntl
import os
import pickle
import shutil
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

Made = TypeVar("Made")


class BaseFolder(Protocol):
    """pytest's `tmp_path_factory`."""

    def getbasetemp(self) -> Path:
        """The folder of this test process."""


def made_once(factory: BaseFolder, name: str, make: Callable[[Path], Made]) -> Made:
    """What `make` returns, with the files that it writes into the folder it is given.

    The files are shared by all tests of the run: whoever changes them copies them first. The object is the caller's.

    name  unique in the test run; who asks for the same name has the same `make`
    """
    place = shared_folder(factory) / f"once-{name}"
    place.mkdir(exist_ok=True)
    result = place / "result.pickle"
    with (place / "lock").open("a", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not result.exists():
            files = place / "files"
            shutil.rmtree(files, ignore_errors=True)  # left by a `make` that failed
            files.mkdir()
            content = _pickled(make(files))
            unfinished = result.with_suffix(".new")
            unfinished.write_bytes(content)
            unfinished.replace(result)
    made: Made = pickle.loads(result.read_bytes())  # noqa: S301
    return made


def shared_folder(factory: BaseFolder) -> Path:
    """A folder that all processes of this test run have in common, and no other run."""
    base = factory.getbasetemp()
    return base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base


class _Pickler(pickle.Pickler):
    """Also for read-only dictionaries, of which results have some."""

    def reducer_override(self, value: Any) -> Any:
        return (_read_only, (dict(value),)) if isinstance(value, MappingProxyType) else NotImplemented


def _read_only(content: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(content)


def _pickled(value: object) -> bytes:
    stream = BytesIO()
    _Pickler(stream, pickle.HIGHEST_PROTOCOL).dump(value)
    return stream.getvalue()
