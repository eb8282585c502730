"""Whatever a caller has, file or table, into runs, qrels and SERPs."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from runoff.errors import UsageError
from runoff.files import read_qrels, read_run, read_serps, run_name
from runoff.files.lines import usable_cores
from runoff.files.shard_parts import PART_ROWS
from runoff.files.shards import is_sharded
from runoff.files.streams import DEFAULT_MAX_BYTES
from runoff.files.tabular import columns_of, qrels_of_table, run_of_table
from runoff.tables.qrels import Qrels
from runoff.tables.ranking import checked_tie_rule
from runoff.tables.run import Run
from runoff.tables.serps import Serps
from runoff.workflows.engines import Engine, HereEngine
from runoff.workflows.score_units import serps_of_units, units_of

Result = TypeVar("Result")
Progress = Callable[[int, int], object]
"""Called with how many runs, or parts of them, are done, and of how many."""


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How runs and qrels are read.

    tie_rule   how equal scores are ordered: `trec_eval`, `float32` or `file`
    max_bytes  the largest decompressed size of a file
    engine     what scores the runs, such as a cluster; None for this process
    part_rows  how many rows of a run in Parquet are one piece of work; the numbers do not depend on it, memory does
    """

    tie_rule: str = "trec_eval"
    max_bytes: int = DEFAULT_MAX_BYTES
    engine: Engine | None = None
    part_rows: int = PART_ROWS


def is_file(source: Any) -> bool:
    """Whether something names a file or is one, and not a table in memory."""
    return isinstance(source, (str, os.PathLike, bytes)) or hasattr(source, "read")


def as_run(source: Any, *, name: str | None = None, reading: Reading | None = None) -> Run:
    """A run from a file, a frame, a {query: {document: score}} dict, (query, document, score) tuples, or a Run."""
    if isinstance(source, Run):
        if reading is not None and reading.tie_rule != source.tie_rule:
            raise UsageError(
                f"run '{source.name}' is ranked by the tie rule {source.tie_rule}; expected {reading.tie_rule}; "
                "read it again with that rule"
            )
        return source
    reading = reading or Reading()
    if is_file(source):
        return read_run(source, name=name, tie_rule=reading.tie_rule, max_bytes=reading.max_bytes)
    called = name or "run"
    tie_rule = checked_tie_rule(reading.tie_rule)
    return run_of_table(columns_of(source, ("query_id", "doc_id", "score"), called), called, tie_rule)


def as_qrels(
    source: Any, *, name: str | None = None, queries: Sequence[str] | None = None, reading: Reading | None = None
) -> Qrels:
    """Qrels from a file, a frame, a {query: {document: grade}} dict, (query, document, grade) tuples, or Qrels.

    queries  keep the judgments of these queries alone
    """
    qrels = _as_qrels(source, name, reading or Reading())
    return qrels if queries is None else qrels.only(queries)


def _as_qrels(source: Any, name: str | None, reading: Reading) -> Qrels:
    if isinstance(source, Qrels):
        return source
    if is_file(source):
        return read_qrels(source, name=name, max_bytes=reading.max_bytes)
    called = name or "qrels"
    return qrels_of_table(columns_of(source, ("query_id", "doc_id", "relevance"), called), called)


def names_of(runs: Sequence[Any]) -> list[str]:
    """A name for each run: its own, its file's, or its place; files of the same name are told apart by their paths."""
    names = []
    for place, run in enumerate(runs, start=1):
        if isinstance(run, Run):
            names.append(run.name)
        else:
            names.append(run_name(run) if is_file(run) else f"run {place}")
    count = Counter(names)
    names = [
        os.fspath(run) if count[name] > 1 and isinstance(run, (str, os.PathLike)) else name
        for name, run in zip(names, runs, strict=True)
    ]
    if sum(isinstance(run, str) and run == "-" for run in runs) > 1:
        raise UsageError("standard input is named twice; expected it once, it can be read only once; name a file")
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise UsageError(f"two runs are called '{twice[0]}'; expected a different name for each; rename one or drop it")
    return names


def one_tie_rule(rules: Iterable[str]) -> str:
    """The tie rule that all runs share; runs that were ranked by different ones are refused."""
    different = sorted(set(rules))
    if len(different) > 1:
        raise UsageError(
            f"the runs have the tie rules {' and '.join(different)}; expected one for all; read them again with it"
        )
    return different[0]


def map_runs(
    function: Callable[[Serps, Any], Result],
    runs: Sequence[Any],
    qrels: Qrels,
    *,
    depth: int | None,
    names: Sequence[str] | None = None,
    reading: Reading | None = None,
    progress: Progress | None = None,
) -> tuple[Result, ...]:
    """What a function makes of every run's SERPs (and of the run as it was given), several runs at a time.

    names  what the runs are called; else each by its file or its place

    A run is dropped from memory once the function is done with it, so memory does not grow with the runs.
    """
    files = reading or Reading()
    names = names_of(runs) if names is None else names
    if files.engine is not None or any(is_file(run) and is_sharded(run) for run in runs):
        return _map_units(function, runs, names, qrels, depth, reading, progress)
    cores = usable_cores()
    at_once = min(cores, len(runs))
    done = 0

    def one(run: Any, name: str) -> Result:
        if is_file(run):
            serps = read_serps(
                run, qrels, depth=depth, name=name, tie_rule=files.tie_rule, max_bytes=files.max_bytes,
                threads=max(1, cores // at_once),
            )  # fmt: skip
        else:
            serps = as_run(run, name=name, reading=reading).serps(qrels, depth=depth)
        return function(serps, run)

    qrels.sieve  # noqa: B018  # made once, here, and not by every thread
    results = []
    with ThreadPoolExecutor(at_once) as pool:
        for result in pool.map(one, runs, names):
            results.append(result)
            done += 1
            if progress is not None:
                progress(done, len(runs))
    return tuple(results)


def _map_units(
    function: Callable[[Serps, Any], Result],
    runs: Sequence[Any],
    names: Sequence[str],
    qrels: Qrels,
    depth: int | None,
    reading: Reading | None,
    progress: Progress | None,
) -> tuple[Result, ...]:
    """The same, unit by unit, by an engine; what only this process has is scored here."""
    files = reading or Reading()
    rule = checked_tie_rule(files.tie_rule)
    planned = [
        units_of(run, name=name, tie_rule=rule, depth=depth, max_bytes=files.max_bytes, part_rows=files.part_rows)
        for run, name in zip(runs, names, strict=True)
    ]
    total = sum(max(1, len(units)) for units in planned)
    engine = files.engine or HereEngine()
    scored = engine.scored([unit for units in planned for unit in units], qrels)
    results, done = [], 0
    for run, name, units in zip(runs, names, planned, strict=True):
        found = []
        for part in islice(scored, len(units)):
            found.append(part)
            done += 1
            if progress is not None:
                progress(done, total)
        if units:
            serps = serps_of_units(found, units, qrels)
        else:
            serps = as_run(run, name=name, reading=reading).serps(qrels, depth=depth)
            done += 1
        results.append(function(serps, run))
    if progress is not None:
        progress(done, total)
    return tuple(results)
