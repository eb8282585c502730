"""Texts from a Parquet file, filtered while it is read."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import cast

from runoff.errors import InputError, needs_extra
from runoff.files.streams import Source
from runoff.files.text_lines import ABOVE_NAMES, ID_NAMES, TEXT_NAMES, text_of


def parquet_texts(source: Source, wanted: Sequence[str], name: str) -> Iterator[tuple[int, str, str]]:
    """Row 0 (a filter keeps no row numbers), id and text of all rows with an id that is wanted."""
    with needs_extra("a Parquet file", "polars"):
        import polars as pl

    try:
        scan = pl.scan_parquet(io.BytesIO(source) if isinstance(source, bytes) else cast("str", source))
        columns = scan.collect_schema().names()
        ids, texts = (next((one for one in names if one in columns), None) for names in (ID_NAMES, TEXT_NAMES))
        if ids is None or texts is None:
            problem = (
                f"{name}: the columns are {', '.join(columns)}; expected an id ({', '.join(ID_NAMES)}) and a text "
                f"({', '.join(TEXT_NAMES)}); rename columns"
            )
            raise InputError([problem])
        kept = [ids, texts, *(one for one in ABOVE_NAMES if one in columns)]
        rows = scan.select(kept).filter(pl.col(ids).cast(pl.String).is_in(list(wanted)))
        frame = rows.collect(engine="streaming")
    # Polars panics over some damaged files
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError([f"{name}: not a readable Parquet file ({reason}); expected one; write it again"]) from None
    for record in frame.iter_rows(named=True):
        text = text_of(record)
        if text is not None:
            yield 0, str(record[ids]), text
