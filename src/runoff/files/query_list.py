"""Lists of queries: one query id per line."""

from __future__ import annotations

from runoff.arguments import checks_arguments
from runoff.errors import InputError
from runoff.files.irds import irds_query_ids, is_irds
from runoff.files.problems import Problems
from runoff.files.streams import DEFAULT_MAX_BYTES, Source, read_chunks, source_name
from runoff.files.text.tokens import tokenize
from runoff.tables.ids import Ids


@checks_arguments
def read_query_list(source: Source, *, max_bytes: int = DEFAULT_MAX_BYTES) -> tuple[str, ...]:
    """The query ids in a file, one on each line, or those of a dataset of ir_datasets."""
    if is_irds(source):
        return irds_query_ids(source)
    name = source_name(source)
    problems = Problems(name)
    first_line: dict[str, int] = {}
    lines_before = 0
    for chunk in read_chunks(source, max_bytes=max_bytes):
        tokens = tokenize(chunk, ("query_id",))
        problems.absorb(tokens.problems, lines_before)
        for row, query_id in enumerate(Ids.cut(tokens.text, *tokens.column(0))):
            problems.add_repeated(first_line, "query", query_id, lines_before + int(tokens.lines[row]))
        lines_before += tokens.line_count
    problems.raise_if_any()
    if not first_line:
        raise InputError([f"{name}: the file is empty; expected one query id per line; check the path"])
    return tuple(first_line)
