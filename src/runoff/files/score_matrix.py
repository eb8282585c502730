"""Score matrices: per-query scores of a measure, queries in rows and runs in columns, as CSV or Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.errors import InputError
from runoff.files.column_names import QUERY_NAMES
from runoff.files.csv_cells import text_of_cell
from runoff.files.parquet.columns import is_parquet
from runoff.files.parquet.shards import read_parquet
from runoff.files.problems import Problems, quoted
from runoff.files.streams import DEFAULT_MAX_BYTES, Source, read_bytes, source_name
from runoff.files.text.tokens import parse_decimal
from runoff.tables.scores import Scores

_EXPECTED: Final = "scores with queries in rows and runs in columns"


def read_score_matrix(source: Source, *, measure: str = "score", max_bytes: int = DEFAULT_MAX_BYTES) -> Scores:
    """The per-query scores in a CSV or Parquet file.

    The first row names the columns. A column called `query_id`, `qid`, `query` or `topic` holds the query ids; without
    one the queries are called by their row numbers. Every other column holds the scores of one run.
    """
    name = source_name(source)
    if is_parquet(source):
        columns = read_parquet(source, max_bytes=max_bytes)
        header = list(columns)
        cells = [[str(value) for value in row] for row in zip(*columns.values(), strict=True)]
        lines = list(range(1, len(cells) + 1))
    else:
        rows = read_csv_rows(source, expected=f"{_EXPECTED}; write it again", max_bytes=max_bytes)
        if not rows:
            raise InputError([f"{name}: the file is empty; expected {_EXPECTED}; check that it was written to the end"])
        (_, header), *rest = [(line, [text_of_cell(cell) for cell in row]) for line, row in rows]
        lines, cells = [line for line, _ in rest], [row for _, row in rest]
    return _checked(header, cells, lines, name, measure)


def _checked(
    header: Sequence[str], cells: Sequence[Sequence[str]], lines: Sequence[int], name: str, measure: str
) -> Scores:
    problems = Problems(name)
    id_columns = [column for column, heading in enumerate(header) if heading.strip().lower() in QUERY_NAMES]
    run_columns = [column for column in range(len(header)) if column not in id_columns]
    runs = tuple(header[column].strip() for column in run_columns)
    for run in dict.fromkeys(run for run in runs if run and runs.count(run) > 1):
        problems.add(1, f"run {quoted(run)} is listed twice in the first row; expected every run once; rename one")
    for column in [column for column in run_columns if not header[column].strip()]:
        problems.add(1, f"column {column + 1} has no name; expected 'query_id' or the name of a run; name it")
    if not runs or not cells or len(id_columns) > 1:
        problem = (
            f"{name}: {len(cells):,} rows, {len(runs)} runs and {len(id_columns)} columns of query ids; "
            "expected at least one row, one run and at most one column of query ids; check the file"
        )
        raise InputError([problem])
    values: NDArray[np.float64] = np.full((len(cells), len(runs)), np.nan)
    for row, (line, fields) in enumerate(zip(lines, cells, strict=True)):
        if len(fields) != len(header):
            problems.add(
                line, f"{len(fields)} fields; expected {len(header)} as in the first row; fix or remove the row"
            )
            continue
        for place, column in enumerate(run_columns):
            values[row, place] = parse_decimal(fields[column].strip().encode())
            if np.isnan(values[row, place]):
                problems.add(
                    line,
                    f"score {quoted(fields[column])} of run {quoted(runs[place])} is not a finite number; "
                    "expected one such as 0.25; fix or remove the row",
                )
    problems.raise_if_any()
    query_ids = (
        tuple(fields[id_columns[0]] for fields in cells) if id_columns else tuple(map(str, range(1, len(cells) + 1)))
    )
    first_line: dict[str, int] = {}
    for line, query_id in zip(lines, query_ids, strict=True):
        problems.add_repeated(first_line, "query", query_id, line, of="rows")
    problems.raise_if_any()
    return Scores(measure=measure, query_ids=query_ids, runs=runs, values=values)


def read_csv_rows(source: Source, *, expected: str, max_bytes: int = DEFAULT_MAX_BYTES) -> list[tuple[int, list[str]]]:
    """The rows of a CSV file that are not blank, each with its line; `expected` is how an error goes on."""
    data = read_bytes(source, max_bytes=max_bytes)
    try:
        reader = csv.reader(io.StringIO(data.decode(), newline=""), strict=True)
        return [(reader.line_num, row) for row in reader if row]
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError([f"{source_name(source)}: not a CSV file ({error}); expected {expected}"]) from None
