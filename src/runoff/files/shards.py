"""Shards: the Parquet files that one run or one table of judgments is made of, and rows out of them.

A source is one file, a folder, a pattern with `*`, `?` or `[...]`, or the address of any of these in an object store.
The rows of all its shards, one shard behind the other, are the rows of the table.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from runoff.errors import InputError, LimitError, needs_extra
from runoff.files.object_stores import changed_problem, explained_store, is_address, opened_object
from runoff.files.parquet import is_parquet
from runoff.files.shard_names import ENDING, is_pattern, named_by_address, named_here
from runoff.files.streams import DEFAULT_MAX_BYTES, Source, source_name

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, kw_only=True)
class Shard:
    """One Parquet file of a source.

    path     its path or address, as messages call it
    rows     how many rows it has
    columns  the names of its columns
    stamp    its size and the time or tag of its last change: another stamp means another content
    content  its bytes, where it is no file
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
        try:
            if Path(source).is_dir():
                return True
        except (OSError, ValueError):  # such as a name that is too long; reading it says so
            return False
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
        shards = tuple(_shard(path) for path in named_here(os.fspath(cast("str", source))))
    if not shards:
        what = "is a folder without" if isinstance(source, (str, os.PathLike)) and Path(source).is_dir() else "finds no"
        raise InputError([f"{name}: {what} Parquet files; expected some, such as part-0{ENDING}; check the path"])
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
    found = Path(path).stat()
    return f"{found.st_size}:{found.st_mtime_ns}"


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
