"""Whatever a caller has, file or table, into runs and qrels."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from runoff.errors import UsageError
from runoff.files.parquet.cut_qrels import CutQrels, cut_qrels
from runoff.files.parquet.parts import PART_ROWS
from runoff.files.parquet.sharded_runs import check_qrels_size
from runoff.files.parquet.shards import find_shards, is_sharded
from runoff.files.qrels import read_qrels
from runoff.files.runs import read_run, run_name
from runoff.files.streams import DEFAULT_MAX_BYTES
from runoff.files.tabular import columns_of, qrels_of_table, run_of_table
from runoff.measures import ExternalMeasure, Measure
from runoff.reading.engines import Engine
from runoff.tables.memory import Scratch
from runoff.tables.qrels import Qrels
from runoff.tables.ranked_lists import ListRequest, checked_duplicate_rule, checked_tie_rule
from runoff.tables.run import Run

AT_ONCE: Final = 4 << 30
"""Bytes; see `ReadOptions`."""
Kind = TypeVar("Kind")
Progress = Callable[[int, int], object]
"""Called with how many runs, or parts of them, are done, and of how many."""


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """How runs and qrels are read.

    tie_rule   how equal scores are ordered: `trec_eval`, `float32`, `file` or `doc_ascending`
    duplicates what becomes of a document that a run lists twice for a query: `error`, `first` or `best`
    max_bytes  the largest decompressed size of a file
    engine     what scores the runs, such as a cluster; None for this process
    part_rows  how many rows of a run in Parquet are one piece of work; the numbers do not depend on it, memory does
    at_once    bytes that the scores and SERPs of a board may take in memory; those of a larger one lie in files, and
               all numbers are the same
    scratch    the folder of these files; that of temporary files if None
    """

    tie_rule: str = "trec_eval"
    duplicates: str = "error"
    max_bytes: int = DEFAULT_MAX_BYTES
    engine: Engine | None = None
    part_rows: int = PART_ROWS
    at_once: int = AT_ONCE
    scratch: Path | None = None

    def request(self, *labels: Qrels, depth: int | None, top: int = 0) -> ListRequest:
        """What is wanted of the lists of a run; an unknown rule is a UsageError."""
        tie_rule, duplicates = checked_tie_rule(self.tie_rule), checked_duplicate_rule(self.duplicates)
        return ListRequest(labels=labels, depth=depth, top=top, tie_rule=tie_rule, duplicates=duplicates)

    def scratch_for(self, size: int, *, beside: int = 0) -> Scratch | None:
        """Where arrays of so many bytes lie, if so many more are held beside them; None for memory."""
        return Scratch(self.scratch, needed=size) if size + beside > self.at_once else None


def counted(found: Iterable[Kind], total: int, progress: Progress | None) -> Iterator[Kind]:
    """The same things, each of which counts as one that is done."""
    for done, one in enumerate(found, start=1):
        if progress is not None:
            progress(done, total)
        yield one


def is_file(source: Any) -> bool:
    """Whether something names a file or is one, and not a table in memory."""
    return isinstance(source, (str, os.PathLike, bytes)) or hasattr(source, "read")


def as_run(source: Any, *, name: str | None = None, reading: ReadOptions | None = None) -> Run:
    """A run from a file, a frame, a {query: {document: score}} dict, (query, document, score) tuples, or a Run."""
    if isinstance(source, Run):
        if reading is not None and reading.tie_rule != source.tie_rule:
            raise UsageError(
                f"run '{source.name}' is ranked by the tie rule {source.tie_rule}; expected {reading.tie_rule}; "
                "read it again with that rule"
            )
        if reading is not None and source.dropped and reading.duplicates not in ("error", source.duplicates):
            raise UsageError(
                f"run '{source.name}' was read with duplicates='{source.duplicates}', by which rows were dropped; "
                f"expected '{reading.duplicates}'; read it again with that rule"
            )
        return source
    reading = reading or ReadOptions()
    if is_file(source):
        return read_run(
            source, name=name, tie_rule=reading.tie_rule, duplicates=reading.duplicates, max_bytes=reading.max_bytes
        )
    called = name or "run"
    asked = reading.request(depth=None)
    columns = columns_of(source, ("query_id", "doc_id", "score"), called)
    return run_of_table(columns, called, asked.tie_rule, duplicates=asked.duplicates)


def as_qrels(
    source: Any, *, name: str | None = None, queries: Sequence[str] | None = None, reading: ReadOptions | None = None
) -> Qrels:
    """Qrels from a file, a frame, a {query: {document: grade}} dict, (query, document, grade) tuples, or Qrels.

    queries  keep the judgments of these queries alone
    """
    qrels = _as_qrels(source, name, reading or ReadOptions())
    return qrels if queries is None else qrels.only(queries)


def as_labels(
    source: Any,
    runs: Sequence[Any],
    *,
    queries: Sequence[str] | None = None,
    measures: Sequence[Measure] = (),
    reading: ReadOptions | None = None,
) -> Qrels | CutQrels:
    """Qrels, or an index of them, by which `map_runs` reads them part by part along with the runs.

    They are cut where they and all runs are Parquet, they have more rows than a part and their queries are in an order;
    and not for some of their queries, nor for measures of ir_measures.
    """
    cut = None if queries is not None else cut_labels(source, runs, measures, reading or ReadOptions())
    return as_qrels(source, queries=queries, reading=reading) if cut is None else cut


def cut_labels(source: Any, runs: Sequence[Any], measures: Sequence[Measure], reading: ReadOptions) -> CutQrels | None:
    """The index of qrels that can be read part by part; None for others, which are refused if they are too many."""
    if any(isinstance(one, ExternalMeasure) for one in measures) or not all(map(_is_in_shards, [*runs, source])):
        return None
    cut = cut_qrels(source, name=run_name(source), max_bytes=reading.max_bytes, part_rows=reading.part_rows)
    if cut is None:
        rows = sum(shard.rows for shard in find_shards(source, max_bytes=reading.max_bytes))
        check_qrels_size(source, rows)
    return cut


def _is_in_shards(source: Any) -> bool:
    return isinstance(source, (str, os.PathLike)) and is_sharded(source)


def _as_qrels(source: Any, name: str | None, reading: ReadOptions) -> Qrels:
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
