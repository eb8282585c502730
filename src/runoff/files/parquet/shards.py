"""Shards: the Parquet files that a folder, a pattern or an address such as `s3://bucket/run` names, and their rows."""

from __future__ import annotations

import errno
import glob
import io
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final, cast

from runoff.errors import InputError, LimitError, MissingExtraError, RunoffError, UsageError, needs_extra
from runoff.files.parquet.columns import is_parquet
from runoff.files.streams import DEFAULT_MAX_BYTES, Source, is_regular_file, source_name

if TYPE_CHECKING:
    import polars as pl

_ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.:-]*://")
_TAGS: Final = ("ETag", "etag", "mtime", "LastModified", "last_modified", "updated", "created")
"""What stores call the tag of a content or, where they have none, the time of its change; the first there is counts."""


def is_address(source: object) -> bool:
    """Whether something is an address in an object store, such as `s3://bucket/run`."""
    return isinstance(source, str) and _ADDRESS.match(source) is not None


def opened_store(address: str) -> tuple[Any, str]:
    """The store of an address, with no memory of what it held before, and the place in it."""
    import fsspec

    store, place = fsspec.core.url_to_fs(address)
    store.invalidate_cache()
    return store, place


@contextmanager
def opened_object(address: str) -> Iterator[tuple[Any, str]]:
    """A Parquet file in a store, and its stamp: its size and the tag of its content."""
    import fsspec
    from pyarrow.parquet import ParquetFile

    store, place = fsspec.core.url_to_fs(address)
    about = store.info(place)
    tag = next((about[key] for key in _TAGS if about.get(key) is not None), "")
    with store.open(place, "rb") as file, ParquetFile(file) as opened:
        yield opened, f"{about.get('size')}:{tag}"


@contextmanager
def explained_store(address: str, *, is_listing: bool = False) -> Iterator[None]:
    """Whatever a store says becomes an error that names the address; what is wrong with a content is left as it is.

    is_listing  no content is read, so that nothing can be wrong with it
    """
    try:
        yield
    except RunoffError:
        raise
    except ImportError as error:
        raise _missing(address, error) from None
    except FileNotFoundError:
        expected = "a Parquet file, or a folder or pattern of such, in the store"
        raise InputError([f"{address}: no such file; expected {expected}; check bucket and name"]) from None
    except Exception as error:
        if not is_listing and _is_of_content(error):
            raise
        if isinstance(error, OSError) and error.errno == errno.EBUSY:  # as s3fs says it
            raise changed_problem(address) from None
        raise _unreadable(address, error) from None


def changed_problem(path: str) -> InputError:
    """Of a file that is not what it was when its rows were counted."""
    reason = "has changed during the work, or another machine has another copy of it"
    return InputError([f"{path}: {reason}; expected one file that stays as it is; run again"])


def _is_of_content(error: Exception) -> bool:
    """Whether a file was read and is no good: pyarrow's errors are without a number."""
    is_of_network = isinstance(error, (PermissionError, ConnectionError, TimeoutError))
    is_of_arrow = type(error).__module__.startswith("pyarrow") or type(error) is OSError
    return is_of_arrow and not is_of_network and getattr(error, "errno", None) is None


def _unreadable(address: str, error: Exception) -> InputError:
    reason = (str(error).splitlines() or [type(error).__name__])[0]
    expected = "a store that answers and lets us in"
    todo = "check the address, and the store's endpoint and credentials, here and on every worker"
    return InputError([f"{address}: cannot be read ({reason}); expected {expected}; {todo}"])


def _missing(address: str, error: ImportError) -> RunoffError:
    """What to install: our own extra, or what fsspec needs for this kind of store, in its words."""
    if error.name in {"fsspec", "pyarrow"}:
        return MissingExtraError(f"reading {address}", "cluster")
    return UsageError(f"{address}: {error}; expected the package of fsspec for this kind of address; install it")


ENDING: Final = ".parquet"
_HIDDEN: Final = ("_", ".")
_DIGITS: Final = re.compile(r"(\d+)")


def is_pattern(source: object) -> bool:
    """Whether something is a pattern of file names and not itself the name of a file or folder."""
    if not isinstance(source, (str, os.PathLike)) or not glob.has_magic(os.fspath(source)):
        return False
    return is_address(source) or not (is_regular_file(source) or is_folder(source))


def is_folder(source: str | os.PathLike[str]) -> bool:
    """Whether something is the path of a folder; what cannot be a path is not, nor is an empty one."""
    try:
        return bool(os.fspath(source)) and Path(source).is_dir()
    except (OSError, ValueError):  # such as a name that is too long; reading it says so
        return False


def named_here(path: str) -> list[str]:
    """The files of this machine that a path or a pattern names, in natural order (part-9 before part-10)."""
    if is_pattern(path):
        matches = sorted(glob.glob(path, recursive=True), key=natural_order)  # noqa: PTH207
        return _once(file for match in matches if _is_asked_for(match, path) for file in named_here(match))
    return sorted(_below(path), key=natural_order) if is_folder(path) else [path]


def named_by_address(address: str) -> list[str]:
    """The same in a store; there a file of a folder is recognised by its ending alone."""
    with explained_store(address, is_listing=True):
        store, place = opened_store(address)
        matches = [place]
        if glob.has_magic(address):
            matches = [match for match in sorted(store.glob(place), key=natural_order) if _is_asked_for(match, place)]
        files = _once(
            file for match in matches for file in (_below_address(store, match) if store.isdir(match) else [match])
        )
    return [str(store.unstrip_protocol(match)) for match in files]


def _below(folder: str) -> Iterator[str]:
    """The Parquet files in a folder and those below it, whatever they are called; links are followed."""

    def refused(error: OSError) -> None:
        reason = f"{error.filename}: {(error.strerror or str(error)).lower()}"
        raise InputError([f"{reason}; expected a folder that can be read; check its rights"])

    for base, folders, files in os.walk(folder, followlinks=True, onerror=refused):
        folders[:] = [name for name in folders if not name.startswith(_HIDDEN) and not _leads_back(base, name)]
        for file in files:
            path = os.path.join(base, file)  # noqa: PTH118
            if not file.startswith(_HIDDEN) and (_has_ending(file) or is_parquet(path)):
                yield path


def _leads_back(base: str, folder: str) -> bool:
    """Whether a folder is a link to one that contains it."""
    inside, outside = os.path.realpath(base), os.path.realpath(Path(base) / folder)
    return inside == outside or inside.startswith(outside.rstrip(os.sep) + os.sep)


def _below_address(store: Any, folder: str) -> list[str]:
    base = folder.rstrip("/")
    below = [(file, PurePosixPath(file.removeprefix(base).lstrip("/")).parts) for file in store.find(base)]
    visible = (file for file, parts in below if not any(part.startswith(_HIDDEN) for part in parts))
    return sorted((file for file in visible if _has_ending(file)), key=natural_order)


def _has_ending(name: str) -> bool:
    return name.lower().endswith(ENDING)


def _is_asked_for(path: str, pattern: str) -> bool:
    """Whether each hidden part of a path that a pattern found is named by a part of the pattern that is hidden, too."""
    named = [part for part in _parts(pattern) if part.startswith(_HIDDEN)]
    hidden = [part for part in _parts(path) if part.startswith(_HIDDEN)]
    return all(any(part == name or fnmatchcase(part, name) for name in named) for part in hidden)


def _parts(path: str) -> Sequence[str]:
    return PurePosixPath(Path(path).as_posix()).parts


def _once(files: Iterable[str]) -> list[str]:
    """Each file once: `**` finds a folder and what is in it."""
    return list({os.path.normpath(file): file for file in reversed(list(files))}.values())[::-1]


def natural_order(path: str) -> list[tuple[int, int, str]]:
    """A key under which numbers in names count as numbers."""
    parts = _DIGITS.split(path)
    return [(0, int(part), part) if part.isascii() and part.isdecimal() else (1, 0, part) for part in parts]


@dataclass(frozen=True, kw_only=True)
class Shard:
    """One Parquet file of a source.

    path     its path or address, as messages call it
    rows     how many rows it has
    columns  the names of its columns
    stamp    its size and the time or tag of its last change: another stamp means another content
    content  its bytes, where it is not a file
    limit    the most bytes that rows of it may take when they are unpacked
    place    where it is opened: its path from the root, so that it does not depend on where a worker was started
    """

    path: str
    rows: int
    columns: tuple[str, ...]
    stamp: str = ""
    content: bytes | None = field(default=None, repr=False)
    limit: int = DEFAULT_MAX_BYTES
    place: str = ""


def is_shard_folder(path: Path) -> bool:
    """Whether a path is a folder with Parquet files in it."""
    try:
        return path.is_dir() and bool(named_here(os.fspath(path)))
    except (OSError, ValueError, InputError):
        return False


def is_sharded(source: Source) -> bool:
    """Whether a source is made of Parquet files: one, a folder, a pattern, or an address of these."""
    if isinstance(source, (str, os.PathLike)):
        if is_address(source) or is_pattern(source):
            return True
        if is_folder(source):
            return True
    return is_parquet(source)


def find_shards(source: Source, *, max_bytes: int) -> tuple[Shard, ...]:
    """The shards of a source in natural order (part-9 before part-10); only their footers are read.

    Names that begin with `_` or `.` are left out. A shard of more cells than `max_bytes`,
    or no shard at all, is an InputError.
    """
    name = source_name(source)
    if isinstance(source, bytes):
        shards: tuple[Shard, ...] = (_shard(name, content=source),)
    elif is_address(source):
        shards = tuple(_shard(path) for path in named_by_address(cast("str", source)))
    else:
        paths = named_here(os.fspath(cast("str", source)))
        others = [path for path in paths if is_pattern(source) and not (_has_ending(path) or is_parquet(path))]
        if others:
            problem = "is not a Parquet file; expected only Parquet files where a pattern names those of one table"
            raise InputError([f"{path}: {problem}; name one file, or each run by itself" for path in others])
        shards = tuple(_shard(path) for path in paths)
    if not shards:
        reason = (
            "no file has such a name" if is_pattern(source) and not is_address(source) else "finds no Parquet files"
        )
        if isinstance(source, (str, os.PathLike)) and is_folder(source):
            reason = "is a folder without Parquet files"
        raise InputError(
            [f"{name}: {reason}; expected a file, or a folder with some such as part-0{ENDING}; check the path"]
        )
    for shard in shards:
        check_cells(shard.path, [shard], max_bytes)
    return tuple(replace(shard, limit=max_bytes) for shard in shards)


def check_cells(name: str, shards: Sequence[Shard], max_bytes: int) -> None:
    """Refuse shards that hold more cells than bytes are allowed in memory, before anything is unpacked."""
    if sum(shard.rows * len(shard.columns) for shard in shards) > max_bytes:
        raise _too_large(name, max_bytes)


def _too_large(name: str, limit: int) -> LimitError:
    problem = (
        f"{name}: holds more than {limit:,} bytes in memory, the limit that is set; expected a smaller file; raise the "
        "limit with --max-bytes"
    )
    return LimitError([problem])


def shard_files(folder: Path) -> tuple[Path, ...]:
    """The Parquet files of a folder, in natural order."""
    return tuple(map(Path, named_here(os.fspath(folder))))


def read_shard(shard: Shard, columns: Sequence[str], start: int, stop: int) -> pl.DataFrame:
    """Some columns of the rows `start` to `stop` (from 0, `stop` left out) of a shard."""
    with _explained(shard.path):
        import polars as pl

        if not is_address(shard.path):
            if shard.content is None:
                _check_stamp(shard, _stamp(shard.place or shard.path))
            scan = pl.scan_parquet(_opened(shard.place or shard.path, shard.content), glob=False)
            frame = scan.select(columns).slice(start, stop - start).collect()
        else:
            with opened_object(shard.path) as (file, stamp):
                _check_stamp(shard, stamp)
                frame = cast("pl.DataFrame", pl.from_arrow(_arrow_rows(file, columns, start, stop)))
    if frame.estimated_size() > shard.limit:
        raise _too_large(shard.path, shard.limit)
    return frame


def read_parquet(source: Source, *, max_bytes: int) -> dict[str, list[Any]]:
    """The columns of one Parquet file, by name."""
    (shard,) = find_shards(source, max_bytes=max_bytes)
    frame = read_shard(shard, shard.columns, 0, shard.rows)
    return {column: frame[column].to_list() for column in frame.columns}


def _shard(path: str, content: bytes | None = None) -> Shard:
    with _explained(path):
        import polars as pl

        if not is_address(path):
            scan = pl.scan_parquet(_opened(path, content), glob=False)
            rows = int(scan.select(pl.len()).collect().item())
            stamp = "" if content is not None else _stamp(path)
            place = str(Path(path).absolute())
            return Shard(
                path=path, rows=rows, columns=tuple(scan.collect_schema()), stamp=stamp, content=content, place=place
            )
        with opened_object(path) as (file, stamp):
            footer = file.metadata
            return Shard(path=path, rows=footer.num_rows, columns=tuple(file.schema_arrow.names), stamp=stamp)


def _stamp(path: str) -> str:
    status = Path(path).stat()
    return f"{status.st_size}:{status.st_mtime_ns}"


def _check_stamp(shard: Shard, now: str) -> None:
    if shard.stamp and shard.stamp != now:
        raise changed_problem(shard.path)


def _opened(path: str, content: bytes | None) -> Any:
    return Path(path) if content is None else io.BytesIO(content)


@contextmanager
def _explained(path: str) -> Iterator[None]:
    """Whatever goes wrong while a Parquet file is read becomes an InputError that names it."""
    with needs_extra("a Parquet file", "polars"):
        import polars as pl

    try:
        if is_address(path):
            with explained_store(path):
                yield
        else:
            yield
    except FileNotFoundError:
        raise InputError([f"{path}: no such file; expected a readable file; check the path"]) from None
    # Polars panics over some damaged files; ValueError is pyarrow's for them
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError([f"{path}: not a readable Parquet file ({reason}); expected one; write it again"]) from None


def _arrow_rows(file: Any, columns: Sequence[str], start: int, stop: int) -> Any:
    """Rows of an open file; only the row groups that hold them are fetched."""
    footer = file.metadata
    wanted: list[int] = []
    before, first = 0, 0
    for group in range(footer.num_row_groups):
        size = footer.row_group(group).num_rows
        if before < stop and before + size > start:
            first = before if not wanted else first
            wanted.append(group)
        before += size
    return file.read_row_groups(wanted, columns=list(columns)).slice(start - first, stop - start)
