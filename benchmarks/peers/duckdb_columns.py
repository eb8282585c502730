"""The rows of a run file by DuckDB: RUN."""

from __future__ import annotations

import importlib
import sys

duckdb = importlib.import_module("duckdb")  # no dependency, so no types
TYPES = {"query": "VARCHAR", "q0": "VARCHAR", "doc": "VARCHAR", "rank": "VARCHAR", "score": "DOUBLE", "tag": "VARCHAR"}

lines = duckdb.read_csv(sys.argv[1], sep=" ", header=False, columns=TYPES, quotechar="")
lines.project('"query", doc, score').create("run")
print(duckdb.sql("SELECT count(*) FROM run").fetchall()[0][0])
