"""The SERPs of runs, whatever they are: from files, part by part, by an engine, or from what is in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Any, TypeVar

from runoff.files.parquet.cut_qrels import CutQrels, OutOfOrderError
from runoff.files.parquet.sharded_runs import read_cut_qrels
from runoff.files.parquet.shards import is_sharded
from runoff.files.runs import read_serps
from runoff.files.streams import usable_cores
from runoff.reading.engines import HereEngine
from runoff.reading.score_units import labelled_units, serps_of_units, units_of
from runoff.reading.sources import Progress, ReadOptions, as_run, counted, is_file, names_of
from runoff.tables.memory import Scratch
from runoff.tables.qrels import Qrels
from runoff.tables.serp_parts import SerpAssembly, serps_of_labelled_parts
from runoff.tables.serps import Serps

Result = TypeVar("Result")


def map_runs(
    function: Callable[[Serps, Any], Result],
    runs: Sequence[Any],
    qrels: Qrels | CutQrels,
    *,
    depth: int | None,
    names: Sequence[str] | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
    scratch: Scratch | None = None,
) -> tuple[Result, ...]:
    """What a function makes of every run's SERPs (and of the run as it was given), several runs at a time.

    qrels    see `as_labels`; if they are cut and a run is in another order, they are read whole
    names    what the runs are called; else each by its file or its place
    scratch  where SERPs of cut labels are put as they come, if a run's are too large for memory

    A run is dropped from memory once the function is done with it, so memory does not grow with the runs.
    """
    files = reading or ReadOptions()
    names = names_of(runs) if names is None else names
    if isinstance(qrels, CutQrels):
        try:
            return _map_labelled(function, runs, names, qrels, depth, files, progress, scratch)
        except OutOfOrderError:
            qrels = read_cut_qrels(qrels)
    if files.engine is not None or any(is_file(run) and is_sharded(run) for run in runs):
        return _map_units(function, runs, names, qrels, depth, reading, progress)
    cores = usable_cores()
    at_once = min(cores, len(runs))
    done = 0

    def one(run: Any, name: str) -> Result:
        if is_file(run):
            serps = read_serps(
                run, qrels, depth=depth, name=name, tie_rule=files.tie_rule, duplicates=files.duplicates,
                max_bytes=files.max_bytes, threads=max(1, cores // at_once),
            )  # fmt: skip
        else:
            serps = as_run(run, name=name, reading=reading).serps(qrels, depth=depth)
        return function(serps, run)

    qrels.table  # noqa: B018  # made once, here, and not by every thread
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
    reading: ReadOptions | None,
    progress: Progress | None,
) -> tuple[Result, ...]:
    """The same, unit by unit, by an engine; what only this process has is scored here."""
    files = reading or ReadOptions()
    request = files.request(depth=depth)
    planned = [
        units_of(run, request, name=name, max_bytes=files.max_bytes, part_rows=files.part_rows)
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


def _map_labelled(
    function: Callable[[Serps, Any], Result],
    runs: Sequence[Any],
    names: Sequence[str],
    labels: CutQrels,
    depth: int | None,
    files: ReadOptions,
    progress: Progress | None,
    scratch: Scratch | None,
) -> tuple[Result, ...]:
    """The same, unit by unit, each with the labels of its own queries."""
    request = files.request(depth=depth)
    planned = [
        labelled_units(run, labels, request, name=name, max_bytes=files.max_bytes, part_rows=files.part_rows)
        for run, name in zip(runs, names, strict=True)
    ]
    scored = (files.engine or HereEngine()).scored([unit for units in planned for unit in units], None)
    parts = counted(scored, sum(map(len, planned)), progress)
    assembly = None if depth is None else SerpAssembly(request, queries=labels.queries, scratch=scratch)
    results: list[Result] = []
    first: Serps | None = None
    for run, name, units in zip(runs, names, planned, strict=True):
        found = islice(parts, len(units))
        if assembly is not None:
            serps = assembly.serps(name, found)
        else:
            serps = serps_of_labelled_parts(list(found), run=name, request=request, like=first)
            first = first or serps
        results.append(function(serps, run))
    return tuple(results)
