"""Ways to turn a run file into columns (query, document, score), for the choice of a parser."""

from __future__ import annotations

from typing import Final

from benchmarks import commands
from benchmarks.data import sample
from benchmarks.tables import Benchmark, Scale, Section, megabytes, seconds
from benchmarks.timing import Contender, interleave

WAYS: Final = {
    "runoff read_serps (with qrels)": ("runoff_serps", "runoff"),
    "runoff read_run (all documents)": ("runoff_run", "runoff"),
    "polars scan_csv, ids as text": ("polars_columns", "polars"),
    "duckdb read_csv, ids as text": ("duckdb_columns", "duckdb"),
}
"""The name, the script and the library that it needs."""


def measure(scale: Scale) -> Section:
    """Time the ways; each prints the number of rows it found."""
    data = sample(scale.main)
    contenders = [
        Contender(name, commands.script(file, str(data.run), str(data.qrels)), values=lambda output: [float(output)])
        for name, (file, library) in WAYS.items()
        if commands.has_library(library)
    ]
    timed = interleave(contenders, scale.rounds)
    wrong = [one.name for one in timed if one.values != [data.lines]]
    if wrong:
        raise RuntimeError(f"these do not find {data.lines:,} rows: {', '.join(wrong)}")
    rows = [
        [one.name, seconds(one.best), seconds(one.median), seconds(one.cpu), megabytes(one.peak), one.parallel]
        for one in timed
    ]
    return Section(
        "parsers: a run file into columns",
        ["way", "best s", "median s", "CPU s", "peak MB", "processes × threads"],
        rows,
        [
            f"{data.lines:,} lines, the whole process.",
            "Polars and DuckDB are asked for columns alone; runoff also checks every line and looks for duplicates.",
            *(f"Not installed: {library}." for _, library in WAYS.values() if not commands.has_library(library)),
        ],
    )


BENCHMARK: Final = Benchmark("parsers", measure, is_default=False)
