"""Lists of queries: one query id per line."""

from __future__ import annotations

from runoff.errors import InputError
from runoff.files.problems import Problems, quoted
from runoff.files.streams import DEFAULT_MAX_BYTES, Source, read_chunks, source_name
from runoff.files.text.tokens import tokenize
from runoff.tables.ids import Ids


def read_query_list(source: Source, *, max_bytes: int = DEFAULT_MAX_BYTES) -> tuple[str, ...]:
    """The query ids in a file, one on each line."""
    name = source_name(source)
    problems = Problems(name)
    first_line: dict[str, int] = {}
    lines_before = 0
    for chunk in read_chunks(source, max_bytes=max_bytes):
        tokens = tokenize(chunk, ("query_id",))
        problems.absorb(tokens.problems, lines_before)
        for row, query_id in enumerate(Ids.cut(tokens.text, *tokens.column(0))):
            line = lines_before + int(tokens.lines[row])
            first = first_line.setdefault(query_id, line)
            if first != line:
                problems.add(
                    line,
                    f"query {quoted(query_id)} is listed twice, first in line {first}; expected every query "
                    "once; remove one of the lines",
                )
        lines_before += tokens.line_count
    problems.raise_if_any()
    if not first_line:
        raise InputError([f"{name}: the file is empty; expected one query id per line; check the path"])
    return tuple(first_line)
