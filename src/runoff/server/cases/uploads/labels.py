"""Labels and query lists that somebody sent: read in a process with limits, counted, and split for a board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from runoff.errors import LimitError
from runoff.files.inside import checked_inside
from runoff.files.qrels import read_qrels
from runoff.files.query_list import read_query_list
from runoff.server.cases.uploads.limited_process import LimitedReader
from runoff.server.cases.uploads.run import renamed
from runoff.tables.board import DEVELOPMENT, PRIVATE, PUBLIC

if TYPE_CHECKING:
    from runoff.tables.qrels import Qrels

Result = TypeVar("Result")
LARGEST_LABELS: Final = 1 << 30


@dataclass(frozen=True, kw_only=True)
class LabelCounts:
    """How many queries have labels, and how many labels there are."""

    queries: int
    judged: int


@dataclass(frozen=True, kw_only=True)
class WrittenLabels(LabelCounts):
    """Labels in a file of our own form."""

    path: Path


@dataclass(frozen=True, kw_only=True)
class SplitLabels:
    """A label set in two: what is open, and what is about private queries."""

    name: str
    open: WrittenLabels | None
    sealed: WrittenLabels | None


@dataclass(frozen=True, kw_only=True)
class SplitSets:
    """The labels of a board, and its query lists by name: a file of our own form, and how many queries it has."""

    labels: tuple[SplitLabels, ...]
    queries: Mapping[str, tuple[Path, int]]


def count_labels(source: Path | bytes, *, called: str, reader: LimitedReader) -> LabelCounts:
    """How much is in a qrels file; its faults are reported under the name that the sender gave it."""
    return _counted(counts_in, source, called, reader, _counts)


def count_queries(source: Path | bytes, *, called: str, reader: LimitedReader) -> int:
    """How many queries a list has; its faults are reported under the name that the sender gave it."""
    return _counted(queries_in, source, called, reader, int)


def split_sets(
    labels: Mapping[str, Path], queries: Mapping[str, Path], folder: Path, *, called: str, reader: LimitedReader
) -> SplitSets:
    """The labels and queries of a board, written into a folder in our own form, what is private apart.

    Without a list of public queries, all that have open labels and are in no other list are public.
    """
    request = {
        "labels": {name: str(path) for name, path in labels.items()},
        "queries": {name: str(path) for name, path in queries.items()},
        "folder": str(folder),
    }
    return reader.read(split_in, request, called=called, into=lambda plain: _split(plain, folder))


def split_in(labels: Mapping[str, str], queries: Mapping[str, str], folder: str) -> dict[str, Any]:
    """What `split_sets` returns as plain data, found in this process."""
    lists = {name: read_query_list(Path(file)) for name, file in queries.items()}
    read = {name: read_qrels(Path(file)) for name, file in labels.items()}
    private = set(lists.get(PRIVATE, ()))
    split = []
    opened: dict[str, None] = {}
    for place, (name, qrels) in enumerate(read.items()):
        open_queries = [query_id for query_id in qrels.query_ids if query_id not in private]
        rest = [query_id for query_id in qrels.query_ids if query_id in private]
        opened.update(dict.fromkeys(open_queries))
        opened_file = _written(qrels.only(open_queries), Path(folder) / f"open-{place}") if open_queries else None
        sealed_file = _written(qrels.only(rest), Path(folder) / f"sealed-{place}") if rest else None
        split.append({"name": name, "open": opened_file, "sealed": sealed_file})
    if PUBLIC not in lists:
        others = private.union(lists.get(DEVELOPMENT, ()))
        lists[PUBLIC] = tuple(query_id for query_id in opened if query_id not in others)
    files = {}
    for place, (name, ids) in enumerate(lists.items()):
        path = Path(folder) / f"queries-{place}"
        path.write_text("".join(f"{query_id}\n" for query_id in ids), encoding="utf-8")
        files[name] = [str(path), len(ids)]
    return {"labels": split, "queries": files}


def _counted(
    work: Callable[..., Any], source: Path | bytes, called: str, reader: LimitedReader, into: Callable[[Any], Result]
) -> Result:
    if isinstance(source, bytes) and len(source) > LARGEST_LABELS:
        raise LimitError([f"{called}: {len(source):,} bytes; expected {LARGEST_LABELS:,} at most"])
    sent = source if isinstance(source, bytes) else str(source)
    with renamed(called, "<bytes>" if isinstance(sent, bytes) else sent):
        return reader.read(work, {"source": sent}, called=called, into=into)


def _written(qrels: Qrels, path: Path) -> dict[str, Any]:
    with path.open("w", encoding="utf-8") as target:
        target.writelines(f"{query_id} 0 {doc_id} {grade}\n" for query_id, doc_id, grade in qrels)
    return {"path": str(path), "queries": len(qrels.query_ids), "judged": len(qrels)}


def _split(plain: Mapping[str, Any], folder: Path) -> SplitSets:
    def written(labels: Mapping[str, Any] | None) -> WrittenLabels | None:
        return (
            None
            if labels is None
            else WrittenLabels(path=checked_inside(folder, labels["path"]), **vars(_counts(labels)))
        )

    labels = tuple(
        SplitLabels(name=str(split["name"]), open=written(split["open"]), sealed=written(split["sealed"]))
        for split in plain["labels"]
    )
    queries = {name: (checked_inside(folder, path), int(number)) for name, (path, number) in plain["queries"].items()}
    return SplitSets(labels=labels, queries=queries)


def _counts(plain: Mapping[str, Any]) -> LabelCounts:
    return LabelCounts(queries=int(plain["queries"]), judged=int(plain["judged"]))


def counts_in(source: str | bytes) -> dict[str, int]:
    """The fields of `LabelCounts`, found in this process."""
    qrels = read_qrels(source, max_bytes=LARGEST_LABELS)
    return {"queries": len(qrels.query_ids), "judged": len(qrels)}


def queries_in(source: str | bytes) -> int:
    """How many queries a list has, found in this process."""
    return len(read_query_list(source, max_bytes=LARGEST_LABELS))
