"""A board from files that an organiser sent: labels, queries, or an archive with a board.toml and its files."""

from __future__ import annotations

import itertools
import stat
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import IO, Any, Final, cast

from runoff.errors import InputError, LimitError
from runoff.files.board_toml import read_board
from runoff.files.inside import checked_inside
from runoff.files.ir_metadata import read_metadata
from runoff.files.qrels import read_qrels
from runoff.files.query_list import read_query_list
from runoff.server.cases.uploads.limited_process import USUAL_READER, LimitedReader
from runoff.server.cases.uploads.run import clean_file_name
from runoff.tables.board import DEVELOPMENT, PRIVATE, PUBLIC, Board, BoardRun
from runoff.tables.qrels import Qrels
from runoff.tables.settings import OrganiserSettings, settings_of

SHOWN: Final = 10
MOST_FILES: Final = 2_000
BOARD_FILE: Final = "board.toml"
_OTHERS: Final = ("public", "development", "private", "private_labels")
_BLOCK: Final = 1 << 20


@dataclass(frozen=True, kw_only=True)
class SentFile:
    """A file that was sent: where it is now, and what its sender calls it."""

    path: Path
    file_name: str


@dataclass(frozen=True, kw_only=True)
class SentSets:
    """The files of a new board: label sets by name and field, and lists of queries."""

    labels: Sequence[tuple[str, str, SentFile]]
    public: SentFile | None = None
    development: SentFile | None = None
    private: SentFile | None = None
    private_labels: SentFile | None = None


def describe_sets(
    sets: SentSets, folder: Path, settings: OrganiserSettings, *, reader: LimitedReader = USUAL_READER
) -> tuple[Board | None, dict[str, str]]:
    """The described board, or by field what is wrong with its files; everything at once.

    folder  where they are, and where files that are made of them can be kept

    Private queries are those of the list, or without a list those of the private labels. Private labels belong to the
    first label set.
    """
    request = {
        "labels": [(name, field, *_sent(file)) for name, field, file in sets.labels],
        "others": {
            key: _sent(file) for key in _OTHERS if (file := cast("SentFile | None", getattr(sets, key))) is not None
        },
        "folder": str(folder),
    }

    def into(plain: Mapping[str, Any]) -> tuple[Board | None, dict[str, str]]:
        problems = {str(field): str(problem) for field, problem in plain["problems"].items()}
        labels, queries = (
            {str(name): checked_inside(folder, path) for name, path in plain[key].items()}
            for key in ("labels", "queries")
        )
        if problems:
            return None, problems
        return Board(**settings_of(settings), labels=labels, queries=queries), {}

    return reader.read(describe_in, request, called="the files of the board", into=into)


def describe_in(
    labels: Sequence[Sequence[str]], others: Mapping[str, Sequence[str]], folder: str
) -> dict[str, dict[str, str]]:
    """Files of labels and of queries by name, and by field what is wrong with them, found in this process."""
    files = {key: SentFile(path=Path(path), file_name=name) for key, (path, name) in others.items()}
    sets = SentSets(
        labels=[(name, field, SentFile(path=Path(path), file_name=file)) for name, field, path, file in labels], **files
    )
    problems: dict[str, str] = {}
    qrels = {name: _read(read_qrels, sent, field, problems) for name, field, sent in sets.labels}
    public = _read(read_query_list, sets.public, "public_queries", problems)
    development = _read(read_query_list, sets.development, "development_queries", problems)
    private = _read(read_query_list, sets.private, "private_queries", problems)
    secret: Qrels | None = _read(read_qrels, sets.private_labels, "private_labels", problems)
    if secret is not None and private is None and "private_queries" not in problems:
        private = secret.query_ids
    first = sets.labels[0][0] if sets.labels else ""
    opened = {query_id for labelled in qrels.values() if labelled is not None for query_id in labelled.query_ids}
    if secret is not None and (both := sorted(opened & set(secret.query_ids))):
        problems["private_labels"] = (
            f"{len(both):,} queries have open labels too, such as {both[0]!r}; expected labels of a query in one file"
        )
    lists = (PUBLIC, public or ()), (DEVELOPMENT, development or ()), (PRIVATE, private or ())
    for (kind, earlier), (name, later) in itertools.combinations(lists, 2):
        if both := sorted(set(earlier) & set(later)):
            problems[f"{name}_queries"] = (
                f"{len(both):,} queries are {kind} too, such as {both[0]!r}; expected a query to be in one list"
            )
    public_labelled = opened if public is None else opened & set(public)
    if sets.labels and not problems and not (public_labelled - set(private or ()) - set(development or ())):
        problems["public_queries" if public is not None else sets.labels[0][1]] = (
            "no public query has labels; expected some; check that queries and labels belong together"
        )
    if problems:
        return {"labels": {}, "queries": {}, "problems": problems}
    paths = {name: sent.path for name, _, sent in sets.labels}
    if secret is not None and qrels[first] is not None:
        paths[first] = Path(folder) / "labels"
        with paths[first].open("w", encoding="utf-8") as target:
            for part in (qrels[first], secret):
                target.writelines(f"{query_id} 0 {doc_id} {grade}\n" for query_id, doc_id, grade in part)
    sent_lists = {PUBLIC: sets.public, DEVELOPMENT: sets.development}
    queries = {name: sent.path for name, sent in sent_lists.items() if sent is not None}
    if private is not None:
        queries[PRIVATE] = Path(folder) / "private"
        queries[PRIVATE].write_text("".join(f"{query_id}\n" for query_id in private), encoding="utf-8")
    described = {"labels": paths, "queries": queries}
    plain = {key: {name: str(path) for name, path in places.items()} for key, places in described.items()}
    return plain | {"problems": {}}


def _sent(file: SentFile) -> tuple[str, str]:
    return str(file.path), file.file_name


def _read(read: Callable[..., Any], sent: SentFile | None, field: str, problems: dict[str, str]) -> Any:
    if sent is None:
        return None
    try:
        return read(sent.path)
    except InputError as error:
        problems[field] = "\n".join(renamed_problems(error, {str(sent.path): clean_file_name(sent.file_name)}))
        return None


def renamed_problems(error: Exception, names: Mapping[str, str] = MappingProxyType({})) -> list[str]:
    """The first problems of an error, with the sender's names in place of ours; other errors are one problem."""
    if not isinstance(error, InputError):
        return [str(error)]
    problems = []
    for problem in error.problems[:SHOWN]:
        for ours, theirs in names.items():
            problem = problem.replace(ours, theirs)  # noqa: PLW2901
        problems.append(problem)
    rest = error.total - len(problems)
    return [*problems, *([f"... and {rest:,} more problems"] if rest > 0 else [])]


def unpack_board(sent: SentFile, folder: Path, *, reader: LimitedReader = USUAL_READER) -> Board:
    """The board of a .zip, .tar or compressed .tar archive, unpacked into a folder with the files beside it.

    Names that lead out of the folder, links and devices are refused, whether the archive has them or its board.toml
    names them, and so are more than `reader.max_bytes` of content, counted as it is unpacked.
    """
    called = clean_file_name(sent.file_name)
    request = {"path": str(sent.path), "called": called, "folder": str(folder), "max_bytes": reader.max_bytes}
    return reader.read(unpack_in, request, called=called, into=lambda plain: board_of_plain(plain, folder))


def unpack_in(path: str, called: str, folder: str, max_bytes: int) -> dict[str, Any]:
    """What `unpack_board` returns as plain data, found in this process."""
    file = _unpacked(Path(path), called, Path(folder), max_bytes)
    return plain_board(read_board_and_metadata(file, inside=Path(folder)))


def read_board_and_metadata(path: Path, *, inside: Path | None = None) -> Board:
    """The board of a board.toml, and what the files of its runs say of themselves."""
    board = read_board(path, inside=inside)
    runs = (run if run.path is None else replace(run, metadata=read_metadata(run.path)) for run in board.runs)
    return replace(board, runs=tuple(runs))


def plain_board(board: Board) -> dict[str, Any]:
    """A board as plain data."""
    runs = [
        {
            **{item.name: getattr(run, item.name) for item in fields(BoardRun)},
            "path": None if run.path is None else str(run.path),
            "date": None if run.date is None else run.date.isoformat(),
            "scores": dict(run.scores),
            "costs": dict(run.costs),
            "metadata": dict(run.metadata),
        }
        for run in board.runs
    ]
    return {
        **settings_of(board),
        "queries": {name: str(path) for name, path in board.queries.items()},
        "labels": {name: str(path) for name, path in board.labels.items()},
        "label_levels": dict(board.label_levels),
        "runs": runs,
    }


def board_of_plain(plain: Mapping[str, Any], folder: Path) -> Board:
    """The board that `plain_board` took apart; its files are inside the folder, or it is a ValueError."""
    runs = tuple(
        BoardRun(
            **{
                **run,
                "path": None if run["path"] is None else checked_inside(folder, run["path"]),
                "date": None if run["date"] is None else date.fromisoformat(run["date"]),
            }
        )
        for run in plain["runs"]
    )
    paths = {
        key: {name: checked_inside(folder, path) for name, path in plain[key].items()} for key in ("queries", "labels")
    }
    return Board(**{**plain, **paths, "runs": runs})


def _unpacked(path: Path, called: str, folder: Path, max_bytes: int) -> Path:
    """The board.toml of an archive, with the other files beside it."""
    left = max_bytes
    boards: list[Path] = []
    try:
        for count, (name, stream) in enumerate(_members(path, called), start=1):
            parts = PurePosixPath(name.replace("\\", "/")).parts
            if not parts or ".." in parts or parts[0] == "/" or ":" in name or not name.isprintable():
                raise InputError(
                    [f"{called}: the name {name[:100]!r} leads elsewhere; expected plain names; pack it again"]
                )
            if count > MOST_FILES:
                raise LimitError(
                    [f"{called}: more than {MOST_FILES:,} files; expected fewer; pack what the board needs"]
                )
            target = folder.joinpath(*parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("xb") as file:
                while block := stream.read(_BLOCK):
                    left -= len(block)
                    if left < 0:
                        raise LimitError([f"{called}: more than {max_bytes:,} bytes when unpacked; expected fewer"])
                    file.write(block)
            boards += [target] if parts[-1] == BOARD_FILE else []
    except (
        tarfile.TarError,
        zipfile.BadZipFile,
        EOFError,
        OSError,
        RuntimeError,
        NotImplementedError,
        ValueError,
    ) as error:
        text = f"{called}: it cannot be unpacked ({type(error).__name__}); expected a .zip or .tar.gz; pack it again"
        raise InputError([text]) from None
    if len(boards) != 1:
        raise InputError([f"{called}: {len(boards)} files are called {BOARD_FILE}; expected one; pack it again"])
    return boards[0]


def _members(path: Path, called: str) -> Iterator[tuple[str, IO[bytes]]]:
    """Name and content of every plain file of an archive; links and devices are an InputError."""

    def refused(name: str) -> InputError:
        return InputError(
            [f"{called}: {name[:100]!r} is a link or a device; expected plain files; pack the files themselves"]
        )

    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for entry in archive.infolist():
                # What Unix keeps of a file's kind; 0 where another system packed it.
                kind = stat.S_IFMT(entry.external_attr >> 16)
                if kind not in {0, stat.S_IFREG, stat.S_IFDIR}:
                    raise refused(entry.filename)
                if not entry.is_dir():
                    with archive.open(entry) as stream:
                        yield entry.filename, stream
        return
    with tarfile.open(path, mode="r:*") as packed:
        for member in packed:
            if member.isdir():
                continue
            stream_of = packed.extractfile(member) if member.isreg() else None
            if stream_of is None:
                raise refused(member.name)
            yield member.name, stream_of
