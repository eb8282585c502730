"""A run file that a stranger sent: checked, scored or cut at a rank, in a process with limits.

Faults name the file as its sender does.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from runoff.errors import InputError
from runoff.files.parquet.columns import is_parquet
from runoff.files.problems import CHOICE
from runoff.files.qrels import read_qrels
from runoff.files.runs import read_run, read_serps
from runoff.measures import ExternalMeasure
from runoff.reading.runs import Scoring, read_runs
from runoff.reading.sources import ReadOptions, as_run
from runoff.server.cases.uploads.limited_process import LimitedReader
from runoff.server.cases.views.serp_arrays import SERP_ARRAYS, measure_of, needed_depth
from runoff.tables.ids import Ids
from runoff.tables.run import Run
from runoff.tables.serps import Serps

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
    printable = "".join(letter if letter.isprintable() else "?" for letter in last)[:LONGEST_NAME].strip()
    return printable or "run"


def readable_bytes(size: int, max_bytes: int) -> int:
    """How far a file of this size may be decompressed: runs shrink to a third or a fifth, bombs to a thousandth.

    >>> readable_bytes(500_000_000, 3_000_000_000), readable_bytes(10_000, 3_000_000_000)
    (3000000000, 50000000)
    """
    return min(max_bytes, max(SMALL, RATIO * size))


@contextmanager
def readable_run(path: Path, *, called: str, max_bytes: int) -> Iterator[Path]:
    """The file, or its text if it is Parquet; every `InputError` inside names `called` instead of the path.

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
    """Every `InputError` inside names `called` instead of these files."""
    try:
        yield
    except InputError as error:
        problems = [_renamed(problem, [os.fspath(place) for place in places], called) for problem in error.problems]
        raise type(error)(problems, total=error.total) from None


def score_upload(
    path: Path, qrels: Qrels, board: BoardSettings, *, name: str, max_bytes: int, engine: Engine | None = None
) -> UploadScores:
    """Score a file that `readable_run` gave, by an engine if there is one."""
    measure, most = measure_of(board), readable_bytes(path.stat().st_size, max_bytes)
    if engine is None and not isinstance(measure, ExternalMeasure):
        serps = read_serps(path, qrels, depth=needed_depth(board), name=name, max_bytes=most)
        missing = serps.missing_queries
        return UploadScores(
            query_ids=serps.query_ids, values=measure.values(serps), serps=serps, missing_queries=missing
        )
    read = read_runs(
        [path],
        Scoring(labels=qrels, measures=[measure], keep_serps=not isinstance(measure, ExternalMeasure)),
        depth=needed_depth(board),
        names=[name],
        reading=ReadOptions(max_bytes=most, engine=engine),
    )
    scored = read.scored[0][0]
    missing = scored.facts.missing_queries
    return UploadScores(
        query_ids=scored.query_ids, values=scored.values[0], serps=scored.serps, missing_queries=missing
    )


def _renamed(problem: str, places: Sequence[str], called: str) -> str:
    for place in places:
        problem = problem.replace(place, called)
    return problem.replace(_ADVICE, "send it uncompressed").replace(CHOICE, "")


def write_text(source: str, target: str, max_bytes: int) -> None:
    """Write the run in a Parquet file as text. The file can end the process that reads it: see `limited_process`."""
    run = read_run(source, max_bytes=max_bytes)
    with Path(target).open("w", encoding="utf-8") as file:
        file.writelines(f"{query_id} Q0 {doc_id} 0 {score!r} run\n" for query_id, doc_id, score in run)


_ARRAYS: Final = {
    "values": ("float64", 1),
    "grades": ("int8", 2),
    "retrieved": ("int64", 1),
    "judged": ("int64", 2),
    "depth_tied": ("bool", 1),
}
"""Arrays of a scored run, a row per query: their type and dimensions."""


@dataclass(frozen=True, kw_only=True, eq=False)
class UploadScores:
    """A run on one label set: the queries of the labels, a value for each, and SERPs where the measure has any."""

    query_ids: Sequence[str]
    values: NDArray[np.float64]
    serps: Serps | None
    missing_queries: int


@dataclass(frozen=True, kw_only=True)
class ScoringLabels:
    """Labels to score on: their name, a file or its content, and the board as it is under them."""

    name: str
    source: Path | bytes
    board: BoardSettings


def score_apart(
    path: Path, labels: Sequence[ScoringLabels], *, name: str, called: str, reader: LimitedReader
) -> list[UploadScores]:
    """Score a run on some label sets; one process reads the file once for each."""
    request = {
        "path": str(path),
        "labels": [
            {
                "name": label_set.name,
                "source": label_set.source if isinstance(label_set.source, bytes) else str(label_set.source),
                "settings": {setting: getattr(label_set.board, setting) for setting in _SETTINGS},
            }
            for label_set in labels
        ],
        "name": name,
        "called": called,
        "max_bytes": reader.max_bytes,
    }
    return reader.read(scores_in, request, called=called, into=lambda plain: _scores(plain, name, len(labels)))


def scores_in(
    path: str, labels: Sequence[Mapping[str, Any]], name: str, called: str, max_bytes: int
) -> list[dict[str, Any]]:
    """What `score_apart` returns as plain data, found in this process."""
    answers = []
    with readable_run(Path(path), called=called, max_bytes=max_bytes) as readable:
        for label_set in labels:
            source = label_set["source"]
            try:
                qrels = read_qrels(source if isinstance(source, bytes) else Path(source), name=label_set["name"])
            except InputError:
                # Not the sender's fault, and its words would show private labels.
                raise RuntimeError("labels of the board cannot be read") from None
            # Not the class itself: the process would load the whole database library for it.
            board = cast("BoardSettings", SimpleNamespace(**label_set["settings"]))
            scored = score_upload(readable, qrels, board, name=name, max_bytes=max_bytes)
            serps, arrays = scored.serps, {"values": np.asarray(scored.values, dtype=np.float64)}
            facts: dict[str, Any] | None = None
            if serps is not None:
                arrays |= {array: getattr(serps, array) for array in SERP_ARRAYS}
                facts = {"tie_rule": serps.tie_rule, "extra_queries": serps.extra_queries}
                facts["values"] = None if serps.values is None else list(serps.values)
            plain = {"query_ids": list(scored.query_ids), "missing_queries": scored.missing_queries}
            answers.append({**plain, "arrays": arrays, "serps": facts})
    return answers


def _scores(plain: Sequence[Mapping[str, Any]], name: str, count: int) -> list[UploadScores]:
    """What a process found, after its form was checked."""
    if len(plain) != count:
        raise ValueError("scores of other labels")
    scores = []
    for scored in plain:
        query_ids, arrays, facts = tuple(map(str, scored["query_ids"])), scored["arrays"], scored["serps"]
        if any(
            (array.dtype.name, array.ndim, len(array)) != (*_ARRAYS[key], len(query_ids))
            for key, array in arrays.items()
        ):
            raise ValueError("an array of another form")
        serps = None
        if facts is not None:
            fractions = None if facts["values"] is None else tuple(map(float, facts["values"]))
            serps = Serps(
                run=name,
                query_ids=query_ids,
                tie_rule=str(facts["tie_rule"]),
                extra_queries=int(facts["extra_queries"]),
                values=fractions,
                **{key: arrays[key] for key in SERP_ARRAYS},
            )
        missing = int(scored["missing_queries"])
        scores.append(UploadScores(query_ids=query_ids, values=arrays["values"], serps=serps, missing_queries=missing))
    return scores


def read_top(path: Path, depth: int, *, name: str, called: str, reader: LimitedReader) -> Run:
    """A run cut at a depth."""
    request = {"path": str(path), "depth": depth, "called": called, "max_bytes": reader.max_bytes}
    return reader.read(top_in, request, called=called, into=lambda plain: _run(plain, name))


def top_in(path: str, depth: int, called: str, max_bytes: int) -> dict[str, Any]:
    """What `read_top` returns as plain data, found in this process."""
    with readable_run(Path(path), called=called, max_bytes=max_bytes) as readable:
        most = readable_bytes(readable.stat().st_size, max_bytes)
        top = as_run(readable, reading=ReadOptions(max_bytes=most)).top(depth)
    return {
        "query_ids": list(top.query_ids),
        "bounds": top.bounds,
        "docs": list(top.docs),
        "run_scores": top.run_scores,
        "tie_rule": top.tie_rule,
    }


def _run(plain: Mapping[str, Any], name: str) -> Run:
    query_ids, docs = [tuple(str(text) for text in plain[key]) for key in ("query_ids", "docs")]
    bounds, scores = plain["bounds"], plain["run_scores"]
    ends = (int(bounds[0]), int(bounds[-1]), len(scores), len(bounds))
    if ends != (0, len(docs), len(docs), len(query_ids) + 1) or (np.diff(bounds) < 0).any():
        raise ValueError("rows that do not belong together")
    if (bounds.dtype, scores.dtype, scores.ndim, bounds.ndim) != (np.int64, np.float64, 1, 1):
        raise ValueError("arrays of another form")
    return Run(
        name=name, query_ids=query_ids, bounds=bounds, docs=Ids.of(docs), run_scores=scores, tie_rule=plain["tie_rule"]
    )
