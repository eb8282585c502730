"""A run file that a stranger sent: scored, with faults told under the name that the sender gave it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, cast

from runoff.errors import InputError
from runoff.files.parquet.columns import is_parquet
from runoff.measures import ExternalMeasure
from runoff.reading.runs import ScoredRun, Scoring, read_runs
from runoff.reading.sources import ReadOptions
from runoff.server.cases.uploads.parquet_text import write_text
from runoff.server.cases.views.serp_arrays import measure_of, needed_depth

if TYPE_CHECKING:
    from runoff.reading.units import Engine
    from runoff.tables.qrels import Qrels
    from runoff.tables.settings import BoardSettings

LONGEST_NAME: Final = 100
SHOWN_PROBLEMS: Final = 50
RATIO: Final = 20
SMALL: Final = 50_000_000
_SETTINGS: Final = ("slug", "measure", "depth", "relevance_level", "gains")
_ADVICE: Final = "raise the limit with --max-bytes"


def clean_file_name(name: str | None) -> str:
    r"""The last part of a file name that came from outside, as it may be shown; it is never opened.

    >>> clean_file_name("../../etc/pass\x00wd"), clean_file_name("C:\\runs\\bm25.run"), clean_file_name("")
    ('pass?wd', 'bm25.run', 'run')
    """
    last = (name or "").replace("\\", "/").rstrip("/").rpartition("/")[2]
    shown = "".join(letter if letter.isprintable() else "?" for letter in last)[:LONGEST_NAME].strip()
    return shown or "run"


def readable_bytes(size: int, max_bytes: int) -> int:
    """How far a file of this size may be decompressed: runs shrink to a third or a fifth, bombs to a thousandth.

    >>> readable_bytes(500_000_000, 3_000_000_000), readable_bytes(10_000, 3_000_000_000)
    (3000000000, 50000000)
    """
    return min(max_bytes, max(SMALL, RATIO * size))


@contextmanager
def readable_run(path: Path, *, called: str, max_bytes: int) -> Iterator[Path]:
    """The file, or its text if it is Parquet; every `InputError` inside speaks of `called` instead of the path.

    For a process that a file may end (`limited_process`).
    """
    with tempfile.TemporaryDirectory(prefix="runoff-") as folder:
        text = Path(folder) / "run.txt"
        with renamed(called, path, text):
            if is_parquet(path):
                write_text(str(path), str(text), readable_bytes(path.stat().st_size, max_bytes))
                yield text
            else:
                yield path


@contextmanager
def renamed(called: str, *places: str | os.PathLike[str]) -> Iterator[None]:
    """Every `InputError` inside speaks of `called` instead of these files."""
    try:
        yield
    except InputError as error:
        told = [_renamed(one, [os.fspath(place) for place in places], called) for one in error.problems]
        raise type(error)(told, total=error.total) from None


def score_upload(
    path: Path, qrels: Qrels, board: BoardSettings, *, name: str, max_bytes: int, engine: Engine | None = None
) -> ScoredRun:
    """Score a file that `readable_run` gave, by an engine if there is one."""
    measure = measure_of(board)
    read = read_runs(
        [path],
        Scoring(labels=qrels, measures=[measure], keep_serps=not isinstance(measure, ExternalMeasure)),
        depth=needed_depth(board),
        names=[name],
        reading=ReadOptions(max_bytes=readable_bytes(path.stat().st_size, max_bytes), engine=engine),
    )
    return read.scored[0][0]


def settings_for_scoring(board: BoardSettings) -> dict[str, Any]:
    """What `score_upload` asks of a board, as plain data."""
    return {name: getattr(board, name) for name in _SETTINGS}


def board_of_settings(settings: Mapping[str, Any]) -> BoardSettings:
    """What `settings_for_scoring` took out of a board."""
    # Not the class itself: the process would load the whole database library for it.
    return cast("BoardSettings", SimpleNamespace(**settings))


def _renamed(problem: str, places: Sequence[str], called: str) -> str:
    for place in places:
        problem = problem.replace(place, called)
    return problem.replace(_ADVICE, "send it uncompressed")
