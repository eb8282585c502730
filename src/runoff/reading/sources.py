"""Sources: whatever a caller has, a file, a frame, a dict or an object, into runs, qrels and measures."""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias, TypeGuard, TypeVar

from runoff.arguments import checks_arguments
from runoff.choices import DuplicateRule, TieRule
from runoff.errors import UsageError
from runoff.files.objects import columns_of, is_table, own_name
from runoff.files.parquet.columns import is_parquet
from runoff.files.parquet.cut_qrels import CutQrels, cut_qrels
from runoff.files.parquet.parts import PART_ROWS
from runoff.files.parquet.sharded_runs import check_qrels_size
from runoff.files.parquet.shards import find_shards, is_address, is_sharded, named_here
from runoff.files.qrels import read_qrels
from runoff.files.run_paths import SkippedFilesWarning, is_beside, run_paths
from runoff.files.runs import read_run, run_name
from runoff.files.streams import DEFAULT_MAX_BYTES, Source, is_regular_file
from runoff.files.tabular import qrels_of_table, run_of_table
from runoff.measures import ExternalMeasure, Measure, NamedMeasure, parse_measures
from runoff.reading.units import Engine
from runoff.tables.qrels import Qrels
from runoff.tables.ranked_lists import ListRequest
from runoff.tables.run import Run

AT_ONCE: Final = 4 << 30
"""Bytes; see `ReadOptions`."""


class Frame(Protocol):
    """A table of Polars, pandas or another library: columns by name."""

    @property
    def columns(self) -> Iterable[Any]: ...  # noqa: D102
    def __getitem__(self, column: Any, /) -> Any: ...


class NamedColumns(Protocol):
    """A table of pyarrow or a dataset of Hugging Face: columns by name."""

    @property
    def column_names(self) -> Sequence[str]:
        """The names of all columns."""

    def __getitem__(self, column: Any, /) -> Any: ...


class Nested(Protocol):
    """A run or qrels of ranx."""

    def to_dict(self) -> Mapping[str, Mapping[str, float]]:
        """{query: {document: number}}."""


class RunDataset(Protocol):
    """A dataset of ir_datasets with scored documents."""

    def scoreddocs_iter(self) -> Iterable[Any]:
        """Its scored documents."""


class QrelsDataset(Protocol):
    """A dataset of ir_datasets with qrels."""

    def qrels_iter(self) -> Iterable[Any]:
        """Its qrels."""


Table: TypeAlias = (
    Frame
    | NamedColumns
    | Nested
    | Mapping[str, Mapping[str, float]]
    | Sequence[tuple[str, str, float]]
    | Sequence[Mapping[str, object]]
)
"""A table in memory: a frame, a table of pyarrow, a dataset of Hugging Face, a run or qrels of ranx, a
{query: {document: number}} dict, (query, document, number) tuples, named tuples or dicts with a row each."""
RunSource: TypeAlias = Run | Source | Table | RunDataset
"""One run: a Run, a file (a path, `-` for standard input, bytes or an open binary file), a table in memory or a dataset
of ir_datasets."""
RunSources: TypeAlias = RunSource | Sequence[RunSource] | Mapping[str, RunSource]
"""One run, a list of runs, or a dict of runs by name."""
QrelsSource: TypeAlias = Qrels | Source | Table | QrelsDataset
"""Qrels, a file, a table in memory or a dataset of ir_datasets; grades may be fractions."""
MeasureSource: TypeAlias = NamedMeasure | Sequence[NamedMeasure]
"""One measure or several, as ir_measures or trec_eval spell them or as objects, also those of ir_measures."""
Kind = TypeVar("Kind")
Progress: TypeAlias = Callable[[int, int], object]
"""Called with how many runs, or parts of them, are done, and of how many."""


@checks_arguments
@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """How runs and qrels are read.

    tie_rule   how equal scores are ordered: `trec_eval`, `float32`, `file` or `doc_ascending`
    duplicates what becomes of a document that a run lists twice for a query: `error`, `first` or `best`
    max_bytes  the largest decompressed size of a file
    engine     what scores the runs, such as a cluster; None for this process
    part_rows  how many rows of a run in Parquet are one piece of work; the numbers do not depend on it, memory does
    at_once    bytes that the scores and SERPs of a board may take in memory; those of a larger one are put into files,
               and all numbers are the same
    scratch    the folder of these files; that of temporary files if None
    """

    tie_rule: TieRule = "trec_eval"
    duplicates: DuplicateRule = "error"
    max_bytes: int = DEFAULT_MAX_BYTES
    engine: Engine | None = None
    part_rows: int = PART_ROWS
    at_once: int = AT_ONCE
    scratch: Path | None = None

    def request(self, *labels: Qrels, depth: int | None, top: int = 0) -> ListRequest:
        """What is wanted of the lists of a run; an unknown rule is a UsageError."""
        return ListRequest(labels=labels, depth=depth, top=top, tie_rule=self.tie_rule, duplicates=self.duplicates)


def counted(items: Iterable[Kind], total: int, progress: Progress | None) -> Iterator[Kind]:
    """The same items, and `progress` is called for each."""
    for done, item in enumerate(items, start=1):
        if progress is not None:
            progress(done, total)
        yield item


def is_file(source: object) -> TypeGuard[Source]:
    """Whether something names a file or is one, and not a table in memory."""
    return isinstance(source, (str, os.PathLike, bytes)) or hasattr(source, "read")


def as_run(source: RunSource, *, name: str | None = None, reading: ReadOptions | None = None) -> Run:
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
        return source if name is None or name == source.name else replace(source, name=name)
    reading = reading or ReadOptions()
    if is_file(source):
        return read_run(
            source, name=name, tie_rule=reading.tie_rule, duplicates=reading.duplicates, max_bytes=reading.max_bytes
        )
    name, request = name or own_name(source) or "run", reading.request(depth=None)
    return run_of_table(columns_of(source, "run", name), name, request.tie_rule, duplicates=request.duplicates)


def as_qrels(
    source: QrelsSource,
    *,
    name: str | None = None,
    queries: Sequence[str] | None = None,
    reading: ReadOptions | None = None,
) -> Qrels:
    """Qrels from a file, a frame, a {query: {document: grade}} dict, (query, document, grade) tuples, or Qrels.

    queries  keep the judgments of these queries alone
    """
    if queries is not None and not len(queries):
        raise UsageError("no queries are chosen; expected one or more; leave queries out to take all of the qrels'")
    if isinstance(source, Qrels):
        qrels = source
    elif is_file(source):
        qrels = read_qrels(source, name=name, max_bytes=(reading or ReadOptions()).max_bytes)
    else:
        name = name or own_name(source) or "qrels"
        qrels = qrels_of_table(columns_of(source, "qrels", name), name)
    if queries is None:
        return qrels
    if len(queries) == 1 and queries[0] not in qrels.query_places and is_regular_file(queries[0]):
        raise UsageError(
            f"'{queries[0]}' is no query of {qrels.name} but a file; expected the ids of queries; "
            "read the file with runoff.read_query_list"
        )
    return qrels.only(queries)


def as_labels(
    source: QrelsSource,
    runs: Sequence[RunSource],
    *,
    queries: Sequence[str] | None = None,
    measures: Sequence[Measure] = (),
    reading: ReadOptions | None = None,
) -> Qrels | CutQrels:
    """Qrels, or an index of them, by which `read_runs` reads them part by part along with the runs.

    They are cut where they and all runs are Parquet, they have more rows than a part and their queries are in an order;
    and not for some of their queries, nor for measures of ir_measures.
    """
    cut = None if queries is not None else cut_labels(source, runs, measures, reading or ReadOptions())
    return as_qrels(source, queries=queries, reading=reading) if cut is None else cut


def cut_labels(
    source: QrelsSource, runs: Sequence[RunSource], measures: Sequence[Measure], reading: ReadOptions
) -> CutQrels | None:
    """The index of qrels that can be read part by part; None for others, which are refused if they are too many."""
    if any(isinstance(measure, ExternalMeasure) for measure in measures):
        return None
    if not _is_in_shards(source) or not all(map(_is_in_shards, runs)):
        return None
    cut = cut_qrels(source, name=run_name(source), max_bytes=reading.max_bytes, part_rows=reading.part_rows)
    if cut is None:
        rows = sum(shard.rows for shard in find_shards(source, max_bytes=reading.max_bytes))
        check_qrels_size(source, rows)
    return cut


def _is_in_shards(source: object) -> TypeGuard[str | os.PathLike[str]]:
    return isinstance(source, (str, os.PathLike)) and is_sharded(source)


def as_measures(measures: MeasureSource) -> tuple[Measure, ...]:
    """The measures as objects; one that is named twice is refused.

    >>> as_measures("RR@10"), as_measures(["P@5", "AP"])
    ((RR@10,), (P@5, AP))
    """
    parsed = parse_measures(measures)
    if not parsed:
        raise UsageError("no measure; expected at least one, such as RR@10; name it")
    for place, measure in enumerate(parsed):
        first = parsed[parsed.index(measure)]
        if parsed.index(measure) < place:
            same = (
                f"measure {measure} is asked for twice"
                if str(first) == str(measure)
                else f"{first} and {measure} are the same"
            )
            raise UsageError(f"{same}; expected every measure once; leave one out")
    return parsed


def as_runs(*groups: RunSources, labels: Sequence[object] = ()) -> tuple[list[RunSource], list[str]]:
    """The single runs among what a caller has, and their names.

    labels  the qrels beside them: a file of these among several paths, in a folder or a pattern is not a run

    A path is one run, and so are a {query: {document: score}} dict and a list of (query, document, score) tuples. Any
    other dict has runs by name, any other list or tuple has runs. A folder or pattern has a run in every file, unless
    it holds Parquet; see `runoff.files.run_paths`. A run that an earlier group has counts once, and so does one that
    is named before its folder.

    >>> as_runs("bm25.run"), as_runs({"bm25": "a.run", "dense": {"q": {"d": 1.0}}})[1]
    ((['bm25.run'], ['bm25.run']), ['bm25', 'dense'])
    """
    sources, names, _ = grouped_runs(*groups, labels=labels)
    return sources, names


def grouped_runs(
    *groups: RunSources, labels: Sequence[object] = ()
) -> tuple[list[RunSource], list[str], tuple[int, ...]]:
    """The same, and how many of the runs each group brings."""
    beside = [Path(str(label)) for label in labels if is_file(label) and is_regular_file(label)]
    named: list[tuple[str | None, Any]] = []
    sizes = []
    for runs in groups:
        if not are_several(runs):
            group: list[tuple[str | None, Any]] = [(None, runs)]
        elif isinstance(runs, Mapping):
            group = [(str(name), run) for name, run in runs.items()]
        else:
            group = [(None, run) for run in runs]
        earlier = [run for _, run in named]
        group = _without_others(group, beside)
        group = [(name, run) for name, run in group if not any(is_same_run(run, other) for other in earlier)]
        sizes.append(len(group))
        named += group
    if not named:
        raise UsageError("no runs; expected one or more; name some")
    sources = [run for _, run in named]
    return sources, names_of(sources, [name for name, _ in named]), tuple(sizes)


def is_same_run(run: RunSource, other: RunSource) -> bool:
    """Whether two sources are one file or one object."""
    if isinstance(run, (str, os.PathLike)) and isinstance(other, (str, os.PathLike)):
        are_files = is_regular_file(run) and is_regular_file(other)
        return Path(run).samefile(other) if are_files else Path(run) == Path(other)
    return run is other


def _without_others(named: Sequence[tuple[str | None, Any]], labels: Sequence[Path]) -> list[tuple[str | None, Any]]:
    """The runs, those of folders and patterns one by one; a warning names files that are no runs, such as a README."""
    runs: list[tuple[str | None, Any]] = []
    skipped: list[str] = []

    def is_other(path: str | os.PathLike[str]) -> bool:
        return is_beside(path) or (is_regular_file(path) and any(label.samefile(path) for label in labels))

    for name, run in named:
        paths = run_paths(run) if isinstance(run, (str, os.PathLike)) else None
        if paths is not None:
            prefix = "" if name is None else f"{name}/"
            before = {Path(run) for _, run in runs if isinstance(run, (str, os.PathLike))}
            listed = [path for path in paths.runs if not is_other(path)]
            runs += [
                (f"{prefix}{run_name(path)}" if prefix else None, path) for path in listed if Path(path) not in before
            ]
            skipped += [*paths.skipped, *(Path(path).name for path in paths.runs if path not in listed)]
        elif len(named) > 1 and isinstance(run, (str, os.PathLike)) and is_other(run):
            skipped.append(Path(run).name)
        else:
            _check_shards(run, labels)
            runs.append((name, run))
    if skipped:
        warnings.warn(f"not read as runs: {', '.join(skipped)}", SkippedFilesWarning, stacklevel=3)
    return runs


def _check_shards(run: object, labels: Sequence[Path]) -> None:
    """A UsageError if the Parquet files of a run are also the qrels: with their rows it would be another run."""
    tables = [label for label in labels if is_parquet(label)]
    if not tables or not isinstance(run, (str, os.PathLike)) or is_address(run) or not is_sharded(run):
        return
    for path in named_here(os.fspath(run)):
        if any(label.samefile(path) for label in tables) and path != os.fspath(run):
            raise UsageError(
                f"{os.fspath(run)}: holds the qrels, {Path(path).name}; expected the Parquet files of one run; name "
                "the files of runs, or put the qrels elsewhere"
            )


def are_several(runs: RunSources) -> TypeGuard[Sequence[RunSource] | Mapping[str, RunSource]]:
    """Whether these are a list or a dict of runs, be it of one, and not a single run.

    >>> are_several("bm25.run"), are_several(["bm25.run"]), are_several({"q": {"d": 1.0}})
    (False, True, False)
    """
    if isinstance(runs, Mapping):
        return not _is_run_dict(runs)
    return isinstance(runs, Iterable) and not _is_one_run(runs)


def optional_runs(runs: RunSources, labels: Sequence[object] = ()) -> tuple[list[RunSource], list[str]]:
    """The same, where there may be none."""
    is_empty = isinstance(runs, (list, tuple, dict)) and not runs
    return ([], []) if is_empty else as_runs(runs, labels=labels)


def _is_run_dict(runs: Mapping[Any, Any]) -> bool:
    """Whether a dict is one run by query; in a dict of named runs some value is not a dict, or a dict of dicts."""
    values = list(runs.values())
    return all(isinstance(value, Mapping) for value in values) and not any(
        isinstance(scores, Mapping) for value in values for scores in value.values()
    )


def _is_one_run(runs: Any) -> bool:
    """Whether something that can be iterated is a file, a frame, a dict or tuples, and not a list of runs."""
    return is_file(runs) or isinstance(runs, (Run, Mapping)) or is_table(runs)


def names_of(runs: Sequence[RunSource], chosen: Sequence[str | None] = ()) -> list[str]:
    """A name for each run: the chosen one, its own, its file's, or its place; files of the same name by their paths."""
    names = []
    for place, run in enumerate(runs):
        own = run.name if isinstance(run, Run) else run_name(run) if is_file(run) else own_name(run)
        own = own or f"run {place + 1}"
        names.append((chosen[place] if chosen else None) or own)
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
