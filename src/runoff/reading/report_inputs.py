"""Reading for a report: every run file once, for all label sets, all measures and its top documents."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from runoff.errors import InputError
from runoff.files.parquet.shards import shard_files
from runoff.files.runs import read_serps_and_top
from runoff.files.streams import usable_cores
from runoff.measures import ExternalMeasure, Measure
from runoff.reading.conditions import BoardLabels
from runoff.reading.scored_runs import ScoredRun, scored_run
from runoff.reading.sources import Progress, ReadOptions, as_run
from runoff.reports.sections import InputFile
from runoff.tables.board import BoardRun
from runoff.tables.run import Run


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadRun:
    """What is kept of a run: its scores and SERPs under each label set, by name, and its top documents."""

    scored: Mapping[str, ScoredRun]
    top: Run


def read_runs_once(
    runs: Sequence[BoardRun],
    sets: Sequence[BoardLabels],
    measures: Sequence[Measure],
    *,
    depth: int | None,
    top: int,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> tuple[ReadRun, ...]:
    """Read the runs of a board, each file once and some at a time, and keep of each what a report needs.

    depth  ranks of the SERPs; None for whole lists. SERPs are kept for the first label set alone
    top    how many documents of each query are kept
    """
    files = reading or ReadOptions()
    needs_documents = any(isinstance(measure, ExternalMeasure) for measure in measures)  # as ir_measures does
    at_once = min(usable_cores(), len(runs))

    request = files.request(*(labels.qrels for labels in sets), depth=depth, top=top)

    def one(run: BoardRun) -> ReadRun:
        whole: Run | None = None
        if needs_documents:
            whole = as_run(run.path, name=run.name, reading=reading)
            serps, best = tuple(whole.serps(labels.qrels, depth=depth) for labels in sets), whole.top(top)
        else:
            serps, best = read_serps_and_top(
                str(run.path),
                request,
                name=run.name,
                max_bytes=files.max_bytes,
                threads=max(1, usable_cores() // at_once),
            )
        scored = {
            labels.name: scored_run(
                labels.at_own_level(measures), labels.qrels, earned, whole, keep_serps=labels is sets[0]
            )
            for labels, earned in zip(sets, serps, strict=True)
        }
        return ReadRun(scored=scored, top=best)

    found = []
    with ThreadPoolExecutor(at_once) as pool:
        for done, read in enumerate(pool.map(one, runs), start=1):
            found.append(read)
            if progress is not None:
                progress(done, len(runs))
    return tuple(found)


def input_files(named: Iterable[tuple[str, str | os.PathLike[str]]], folder: Path | None) -> tuple[InputFile, ...]:
    """The size and the sha256 of some files, given with what each is for; paths are shown relative to the folder."""
    listed = list(dict.fromkeys((role, Path(path)) for role, path in named))
    with ThreadPoolExecutor(usable_cores()) as pool:
        return tuple(pool.map(lambda one: _input_file(one[0], one[1], folder), listed))


def _input_file(role: str, path: Path, folder: Path | None) -> InputFile:
    try:
        digest, size = _digest(path)
    except OSError as error:
        raise InputError([f"{path}: cannot be read ({error.strerror}); expected a file; check the path"]) from None
    shown = path.relative_to(folder) if folder is not None and path.is_relative_to(folder) else path
    return InputFile(role=role, path=os.fspath(shown), size=size, sha256=digest)


def _digest(path: Path) -> tuple[str, int]:
    """The sha256 and the size of a file; of a folder of shards, the sha256 of its files' sha256s, in their order."""
    if not path.is_dir():
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest(), file.tell()
    parts = [_digest(shard) for shard in shard_files(path)]
    together = hashlib.sha256("".join(digest for digest, _ in parts).encode()).hexdigest()
    return together, sum(size for _, size in parts)
