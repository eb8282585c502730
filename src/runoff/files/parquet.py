"""Parquet tables, read with Polars."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, cast

from runoff.errors import InputError, LimitError, needs_extra
from runoff.files.streams import Source, is_regular_file, source_name
from runoff.files.tabular import Columns

if TYPE_CHECKING:
    import polars as pl

_MAGIC = b"PAR1"


def is_parquet(source: Source) -> bool:
    """Whether a source holds Parquet, told by its first bytes; standard input and open files never do."""
    if isinstance(source, bytes):
        return source.startswith(_MAGIC)
    if not is_regular_file(source):
        return False
    try:
        with Path(cast("str", source)).open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:  # the reader of text says what is wrong
        return False


def read_parquet(source: Source, *, max_bytes: int) -> Columns:
    """The columns of a Parquet file, by name."""
    frame = read_parquet_frame(source, max_bytes=max_bytes)
    return {column: frame[column].to_list() for column in frame.columns}


def read_parquet_frame(source: Source, *, max_bytes: int) -> pl.DataFrame:
    """A Parquet file as a Polars frame."""
    with needs_extra("a Parquet file", "polars"):
        import polars as pl

    name = source_name(source)
    too_large = LimitError(
        [
            (
                f"{name}: holds more than {max_bytes:,} bytes in memory, the limit that is set; expected a "
                "smaller file; raise the limit with --max-bytes"
            )
        ]
    )
    try:
        scan = pl.scan_parquet(io.BytesIO(source) if isinstance(source, bytes) else cast("str", source))
        cells = int(scan.select(pl.len()).collect().item()) * len(scan.collect_schema())
        if cells > max_bytes:  # told by the file's footer, before anything is unpacked
            raise too_large
        frame = scan.collect()
    # Polars panics over some damaged files
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError([f"{name}: not a readable Parquet file ({reason}); expected one; write it again"]) from None
    if frame.estimated_size() > max_bytes:
        raise too_large
    return frame
