"""Units of work: a part of a run, or a run file as a whole, and the engines that score them here or elsewhere.

Units are scored by one pure function; results come in the order of the units, whatever engine does the work.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

import numpy as np

from runoff.choices import DuplicateRule, TieRule
from runoff.errors import ClusterError, InputError, UsageError
from runoff.files.parquet.cut_qrels import CutQrels, LabelPart, Window, windows_of
from runoff.files.parquet.parts import PART_ROWS, Part
from runoff.files.parquet.sharded_runs import parts_of, read_labelled_part, read_serp_part, serps_of_parts
from runoff.files.parquet.shards import is_sharded
from runoff.files.runs import read_lists
from runoff.files.streams import is_regular_file, map_in_order, threads_of_generator
from runoff.tables.qrels import Qrels
from runoff.tables.ranked_lists import ListRequest
from runoff.tables.serp_parts import PART_ARRAYS, SerpPart, joined_serps, part_of_lists
from runoff.tables.serps import Serps

KERNEL: Final = "serp-part-4"
"""Another name whenever the same unit would give another result."""
Block = TypeVar("Block")
Asked = TypeVar("Asked")
Found = TypeVar("Found")
_NAME: Final = "name"


def edition() -> str:
    """What must be the same wherever units of one job are scored: the version of runoff, and of its results."""
    from importlib.metadata import version

    return f"{version('runoff')} ({KERNEL})"


@dataclass(frozen=True, kw_only=True)
class Unit:
    """Whole queries of a run, to be scored to a depth.

    run     what the run is called
    part    the rows; None for a file of text, which is read whole
    path    the file of text, as messages call it
    place   its path from the root, by which it is opened, wherever a worker was started
    window  the queries that the rows may hold, where the unit has labels of its own
    labels  these labels
    """

    run: str
    tie_rule: TieRule
    depth: int | None
    max_bytes: int
    duplicates: DuplicateRule = "error"
    part: Part | None = None
    path: str = ""
    place: str = ""
    window: Window | None = None
    labels: LabelPart | None = None

    def __str__(self) -> str:
        return self.path if self.part is None else str(self.part)

    def request(self, *labels: Qrels) -> ListRequest:
        """What is wanted of its lists."""
        return ListRequest(labels=labels, depth=self.depth, tie_rule=self.tie_rule, duplicates=self.duplicates)

    def key(self, labels: str) -> str:
        """A name for the result: another file, other rows, another question or other labels make another name."""
        import hashlib

        if self.part is None:
            found = Path(self.path).stat()
            rows: tuple[Any, ...] = ((self.path, f"{found.st_size}:{found.st_mtime_ns}"),)
        else:
            rows = _told(self.part)
        asked: tuple[Any, ...] = (edition(), rows, self.tie_rule, self.duplicates, self.depth, labels)
        if self.labels is not None:
            asked = (*asked, self.window, self.labels.window, _told(self.labels.rows))
        return hashlib.sha256(repr(asked).encode()).hexdigest()


def _told(part: Part) -> tuple[Any, ...]:
    return tuple((one.shard.path, one.shard.stamp, one.start, one.stop) for one in part.pieces)


def score_unit(unit: Unit, qrels: Qrels | None) -> SerpPart:
    """What the queries of a unit earn; `qrels` is None where the unit has labels of its own."""
    if unit.part is not None and unit.window is not None and unit.labels is not None:
        return read_labelled_part(unit.part, unit.window, unit.labels, unit.request())
    if qrels is None:
        raise TypeError(f"{unit} has no labels")
    if unit.part is not None:
        return read_serp_part(unit.part, qrels, unit.request())
    request = unit.request(qrels)
    try:
        return part_of_lists(read_lists(unit.place, request, max_bytes=unit.max_bytes, threads=1), request)
    except InputError as error:
        told = [problem.replace(unit.place, unit.path, 1) for problem in error.problems]
        raise type(error)(told, total=error.total) from None


def units_of(
    source: Any, request: ListRequest, *, name: str, max_bytes: int, part_rows: int = PART_ROWS
) -> tuple[Unit, ...]:
    """The units of a run; none for what only this process has, such as standard input or a frame."""
    about = _about(request, name, max_bytes)
    if isinstance(source, (str, os.PathLike)) and is_sharded(source):
        return tuple(Unit(part=part, **about) for part in parts_of(source, max_bytes=max_bytes, part_rows=part_rows))
    if is_regular_file(source):
        return (Unit(path=os.fspath(source), place=str(Path(source).absolute()), **about),)
    return ()


def labelled_units(
    source: Any, labels: CutQrels, request: ListRequest, *, name: str, max_bytes: int, part_rows: int
) -> tuple[Unit, ...]:
    """The units of a sharded run, each with the labels of its own queries; OutOfOrderError if the orders differ."""
    about = _about(request, name, max_bytes)
    parts = parts_of(source, max_bytes=max_bytes, part_rows=part_rows)
    return tuple(
        Unit(part=part, window=window, labels=some, **about)
        for part, window in zip(parts, windows_of(parts, labels.orders), strict=True)
        for some in labels.parts(window, part_rows=part_rows)
    )


def _about(request: ListRequest, name: str, max_bytes: int) -> dict[str, Any]:
    """What all units of a run have in common."""
    return {
        "run": name, "tie_rule": request.tie_rule, "duplicates": request.duplicates, "depth": request.depth,
        "max_bytes": max_bytes,
    }  # fmt: skip


def serps_of_units(found: Sequence[SerpPart], units: Sequence[Unit], qrels: Qrels) -> Serps:
    """The SERPs of a run from what its units gave, in their order."""
    first = units[0]
    if first.part is None:
        return joined_serps(found, run=first.run, request=first.request(qrels))
    parts = [unit.part for unit in units if unit.part is not None]
    return serps_of_parts(found, parts, first.request(qrels), name=first.run)


def digest_of_qrels(qrels: Qrels) -> str:
    """A name for the content of some qrels."""
    import hashlib

    digest = hashlib.sha256()
    for one in ("\n".join(qrels.query_ids).encode(), qrels.row_query, qrels.docs.text.bytes, qrels.docs.bounds,
                qrels.relevance, np.array(qrels.values or ()), np.array(qrels.below or ())):  # fmt: skip
        content = one if isinstance(one, bytes) else np.ascontiguousarray(one).data
        digest.update(len(content).to_bytes(8, "little"))
        digest.update(content)
    return digest.hexdigest()


def cluster_problem(unit: object, what: str) -> ClusterError:
    """An error of the machinery, with the file and the rows that it happened on."""
    return ClusterError(f"{unit}: {what}")


class Engine(Protocol):
    """Does units of work; the outcome is the same whatever engine does it."""

    def scored(self, units: Sequence[Unit], qrels: Qrels | None) -> Iterator[SerpPart]:
        """What each unit earns, in the order of the units; few results wait in memory at a time.

        qrels  None where every unit has labels of its own
        """
        ...

    def mapped(
        self, function: Callable[[Block, Asked], Found], blocks: Sequence[Block], asked: Sequence[Asked]
    ) -> Iterator[Found]:
        """What a function makes of every block for the first thing asked, then for the next; in this order."""
        ...


class HereEngine:
    """Threads of this process."""

    def mapped(
        self, function: Callable[[Block, Asked], Found], blocks: Sequence[Block], asked: Sequence[Asked]
    ) -> Iterator[Found]:
        """See `Engine`."""
        pairs = [(block, one) for one in asked for block in blocks]
        return map_in_order(lambda pair: function(*pair), pairs)

    def scored(self, units: Sequence[Unit], qrels: Qrels | None) -> Iterator[SerpPart]:
        """See `Engine`."""
        if qrels is not None:
            qrels.table  # noqa: B018  # made once, here, and not by every thread
        return map_in_order(partial(score_unit, qrels=qrels), units)


class ResumedEngine:
    """Another engine that keeps what is done in a folder, and does not do it again.

    A result has a name made of its file's size and time of change, its rows, the question and the labels, so
    that nothing that has changed is taken for done. It appears in the folder only when it is complete.
    """

    def __init__(self, engine: Engine, folder: Path) -> None:
        self.engine = engine
        self.folder = folder
        self.found = 0
        """How many results were there already."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"{folder}: cannot be made ({error.strerror}); expected a folder; name another") from None

    def mapped(
        self, function: Callable[[Block, Asked], Found], blocks: Sequence[Block], asked: Sequence[Asked]
    ) -> Iterator[Found]:
        """See `Engine`; nothing of this is kept."""
        return self.engine.mapped(function, blocks, asked)

    def scored(self, units: Sequence[Unit], qrels: Qrels | None) -> Iterator[SerpPart]:
        """See `Engine`."""
        labels = "" if qrels is None else digest_of_qrels(qrels)
        files = [self.folder / f"{unit.key(labels)}.npz" for unit in units]
        there = _names(self.folder)
        rest = self.engine.scored(
            [one for one, file in zip(units, files, strict=True) if file.name not in there], qrels
        )
        # Written by a thread, which Ctrl-C does not reach: numpy's archive, cut off, raises errors of its own.
        with threads_of_generator(1) as writer:
            for unit, file in zip(units, files, strict=True):
                kept = _read(file) if file.name in there else None
                if kept is not None:
                    self.found += 1
                else:  # a damaged one is done by itself
                    kept = next(rest if file.name not in there else self.engine.scored([unit], qrels))
                    writer.submit(_write, file, kept).result()
                yield kept


def _names(folder: Path) -> set[str]:
    try:
        return {file.name for file in folder.iterdir()}
    except OSError as error:
        raise UsageError(
            f"{folder}: cannot be read ({error.strerror}); expected the folder of finished parts; name another"
        ) from None


def _write(file: Path, part: SerpPart) -> None:
    import tempfile

    try:
        with tempfile.NamedTemporaryFile(dir=file.parent, suffix=".part", delete=False) as beside:
            arrays: dict[str, Any] = {_NAME: np.array(file.name)}
            np.savez(beside, **arrays, **{name: getattr(part, name) for name in PART_ARRAYS})
            beside.flush()
            os.fsync(beside.fileno())
        Path(beside.name).replace(file)
    except OSError as error:
        raise UsageError(
            f"{file.parent}: cannot be written to ({error.strerror}); expected a folder with room; name another"
        ) from None


def _read(file: Path) -> SerpPart | None:
    """A result that was kept; None if there is none, or only a damaged one, or one that had another name."""
    import zipfile

    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
            if str(arrays[_NAME]) != file.name:
                return None
            return SerpPart(**{name: arrays[name] for name in PART_ARRAYS})
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile):
        return None
