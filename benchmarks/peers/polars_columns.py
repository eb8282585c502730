"""The rows of a run file by Polars: RUN."""

from __future__ import annotations

import sys

import polars as pl

frame = pl.scan_csv(
    sys.argv[1],
    separator=" ",
    has_header=False,
    quote_char=None,
    schema={
        "query": pl.String,
        "q0": pl.String,
        "doc": pl.String,
        "rank": pl.String,
        "score": pl.Float64,
        "tag": pl.String,
    },
)
print(frame.select("query", "doc", "score").collect().height)
