"""Runs and qrels written as folders of Parquet files, cut anywhere."""

from itertools import pairwise

import polars as pl


def frame_of(rows):
    """Sample rows as a frame."""
    return pl.DataFrame({
        "query_id": [row.query for row in rows],
        "doc_id": [row.doc for row in rows],
        "score": [float(row.score) for row in rows],
    }, schema={"query_id": pl.String, "doc_id": pl.String, "score": pl.Float64})  # fmt: skip


def write_shards(frame, folder, cuts=(), row_group_size=None):
    """Write a frame as part-0.parquet, part-1.parquet, ... cut before some rows; empty shards are allowed."""
    folder.mkdir(parents=True, exist_ok=True)
    edges = [0, *sorted(cuts), len(frame)]
    for number, (start, stop) in enumerate(pairwise(edges)):
        frame[start:stop].write_parquet(folder / f"part-{number}.parquet", row_group_size=row_group_size)
    return folder
