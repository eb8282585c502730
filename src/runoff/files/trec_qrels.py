"""TREC qrels: `query_id iteration doc_id grade`; the second field is ignored."""

from __future__ import annotations

from functools import partial
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from runoff.errors import InputError
from runoff.files.assembly import qrels_of_rows
from runoff.files.lines import map_in_order, skip_to_content
from runoff.files.numbers import parse_integers
from runoff.files.problems import Problems, quoted
from runoff.files.run_text import RUN_FORMATS
from runoff.files.streams import DEFAULT_MAX_BYTES, Source, read_chunks, source_name
from runoff.files.tokens import Tokens, tokenize
from runoff.tables.ids import Ids
from runoff.tables.qrels import HIGHEST_GRADE, Qrels

FIELDS = ("query_id", "iteration", "doc_id", "grade")


def read_trec_qrels(source: Source, *, name: str | None = None, max_bytes: int = DEFAULT_MAX_BYTES) -> Qrels:
    """The judgments of a qrels file."""
    where = source_name(source)
    chunks = read_chunks(source, max_bytes=max_bytes)
    fields, seen = skip_to_content(chunks, where, "qrels with a judged document on every line")
    if len(fields) != len(FIELDS):
        hint = "; this looks like a run file" if any(one.fits(len(fields)) for one in RUN_FORMATS) else ""
        problem = (
            f"{where}: unknown qrels format: the first line has {len(fields)} "
            f"field{'s' if len(fields) != 1 else ''}, it begins {quoted(b' '.join(fields))}{hint}; expected "
            f"{len(FIELDS)} ({' '.join(FIELDS)}); check that this is a qrels file"
        )
        raise InputError([problem])
    problems = Problems(where)
    lines_before = 0
    query_ids: list[str] = []
    docs: list[Ids] = []
    grades: list[NDArray[np.int64]] = []
    lines = []
    for tokens in map_in_order(partial(tokenize, field_names=FIELDS), chain(seen, chunks)):
        problems.absorb(_checked_grades(tokens, grades), lines_before)
        query_ids.extend(Ids.cut(tokens.text, *tokens.column(0)))
        docs.append(Ids.cut(tokens.text, *tokens.column(2)))
        lines.append(lines_before + tokens.lines_of(np.arange(len(tokens))))
        lines_before += tokens.line_count
    line_numbers = np.concatenate(lines)
    qrels = qrels_of_rows(
        name or where, query_ids, Ids.joined(docs), np.concatenate(grades), problems, lambda row: int(line_numbers[row])
    )
    problems.raise_if_any()
    return qrels


def _checked_grades(tokens: Tokens, grades: list[NDArray[np.int64]]) -> Problems:
    """Put the grades of a chunk behind those before; the faults of the chunk, those of its grades among them."""
    values, bad = parse_integers(tokens.text, *tokens.column(3))
    bad = np.union1d(bad, np.flatnonzero(np.abs(values) > HIGHEST_GRADE))
    grades.append(values)
    tokens.problems.add_all(
        tokens.lines_of(bad).tolist(),
        lambda place: (
            f"grade {quoted(tokens.token(int(bad[place]), 3))} is not a whole number from -{HIGHEST_GRADE} to "
            f"{HIGHEST_GRADE}; expected one such as 0 or 1; mend or remove the line"
        ),
    )
    return tokens.problems
