"""TREC qrels: `query_id iteration doc_id grade`; the second field is ignored."""

from __future__ import annotations

from itertools import accumulate, chain
from typing import Final

from runoff import rows
from runoff.errors import InputError
from runoff.files.problems import Problems, quoted
from runoff.files.streams import DEFAULT_MAX_BYTES, Source, map_in_order, read_chunks, skip_to_content, source_name
from runoff.files.tabular import qrels_of_batches
from runoff.files.text.runs import RUN_FORMATS
from runoff.files.text.tokens import problems_of
from runoff.rows import HIGHEST_GRADE
from runoff.tables.ids import Text
from runoff.tables.qrels import Qrels

FIELDS: Final = ("query_id", "iteration", "doc_id", "grade")
_LAYOUT: Final = (len(FIELDS), False, 0, 2, 3, rows.GRADE)


def read_trec_qrels(source: Source, *, name: str | None = None, max_bytes: int = DEFAULT_MAX_BYTES) -> Qrels:
    """The judgments of a qrels file."""
    where = source_name(source)
    chunks = read_chunks(source, max_bytes=max_bytes)
    fields, seen = skip_to_content(chunks, where, "qrels with a judged document on every line")
    if len(fields) != len(FIELDS):
        hint = "; this looks like a run file" if any(run_format.fits(len(fields)) for run_format in RUN_FORMATS) else ""
        problem = (
            f"{where}: unknown qrels format: the first line has {len(fields)} "
            f"field{'s' if len(fields) != 1 else ''}, it begins {quoted(b' '.join(fields))}{hint}; expected "
            f"{len(FIELDS)} ({' '.join(FIELDS)}); check that this is a qrels file"
        )
        raise InputError([problem])
    batches = list(map_in_order(_keep_chunk, chain(seen, chunks)))
    lines_before = list(accumulate((batch.lines for batch in batches), initial=0))
    problems = Problems(where)
    for batch, before in zip(batches, lines_before, strict=False):
        problems.absorb(problems_of(batch.faults, batch.fault_total, FIELDS, number_fault=_fault), before)
    qrels = qrels_of_batches(name or where, batches, problems, lines_before)
    problems.raise_if_any()
    return qrels


def _keep_chunk(text: Text) -> rows.Batch:
    return rows.parse_rows(text.padded_bytes, 0, len(text.bytes), _LAYOUT, True)


def _fault(token: bytes) -> str:
    return (
        f"grade {quoted(token)} is not a number from -{HIGHEST_GRADE} to {HIGHEST_GRADE}; "
        "expected one such as 0, 1 or 1.8; fix or remove the line"
    )
