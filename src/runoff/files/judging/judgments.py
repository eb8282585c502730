"""Reading preference judgments in any format, which is recognised by content."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import Final

import numpy as np

from runoff.arguments import checks_arguments
from runoff.errors import InputError
from runoff.files.judging.judged_pairs import FIELDS as PAIR_FIELDS
from runoff.files.judging.judged_pairs import WIDTHS, parse_judged_pairs
from runoff.files.judging.label_studio import parse_label_studio
from runoff.files.judging.mturk import is_mturk_header, parse_mturk_results
from runoff.files.judging.rows import COLUMNS, NAMES
from runoff.files.judging.table import SEPARATORS, parse_judgment_csv, parse_judgment_jsonl
from runoff.files.judging.trec_prefs import FIELDS as PREFS_FIELDS
from runoff.files.judging.trec_prefs import parse_trec_prefs
from runoff.files.problems import quoted
from runoff.files.runs import run_name
from runoff.files.streams import DEFAULT_MAX_BYTES, Source, read_chunks, skip_to_content, source_name
from runoff.files.text.tokens import parse_decimal
from runoff.tables.preferences import Preferences

LONGEST_LINE: Final = 1 << 28
"""In bytes; an export may be JSON on a single line."""


@checks_arguments
def read_judgments(source: Source, *, name: str | None = None, max_bytes: int = DEFAULT_MAX_BYTES) -> Preferences:
    r"""The preference judgments in a file, whose form is recognised by content.

    Judged pairs, a trec_eval preference file, CSV, JSON lines, or the results of Mechanical Turk (CSV) or Label Studio
    (JSON) for tasks that runoff wrote.

    source     a path, `-` for standard input, bytes, or an open binary file; plain or compressed
    name       what to call them; else the file's name
    max_bytes  the largest decompressed size that is read

    An assessor's judgment that is listed twice in one task counts once, and `repeated` says how many did; judgments
    without an assessor all count.

    >>> read_judgments(b"q1 d1 d2 d2\nq1 d1 d2 d2\n", name="votes")
    <Preferences votes: 2 judgments for 1 query>
    """
    where = source_name(source)
    chunks = read_chunks(source, max_bytes=max_bytes, longest_line=LONGEST_LINE)
    fields, seen = skip_to_content(chunks, where, "preference judgments, one on every line")
    return _parser_of(fields, where)(chain(seen, chunks), where=where, name=name or run_name(source))


def _parser_of(fields: Sequence[bytes], where: str) -> Callable[..., Preferences]:
    """How to parse a file with these fields in its first line."""
    first = b" ".join(fields)
    if first.startswith(b"{"):
        return parse_judgment_jsonl
    if first.startswith(b"["):
        return parse_label_studio
    if is_mturk_header(first.decode(errors="replace").split(",")):
        return parse_mturk_results
    cells = {
        cell.strip().strip('"').lower()
        for text in (first.decode(errors="replace"), *_texts(fields))
        for separator in SEPARATORS
        for cell in text.split(separator)
    }
    if any(heading in cells for heading in NAMES["preferred"]):
        return parse_judgment_csv
    pairs = len(fields) in WIDTHS and fields[3] in fields[1:3]
    if len(fields) == len(PREFS_FIELDS) and not pairs and (fields[1] == fields[2] or _is_number(fields[4])):
        return parse_trec_prefs
    if len(fields) == len(PAIR_FIELDS) and not pairs and _is_number(fields[3]):
        problem = (
            f"{where}: the first line, {quoted(first)}, looks like qrels; expected preference judgments; read "
            "qrels with read_qrels"
        )
        raise InputError([problem])
    if len(fields) in WIDTHS:
        return partial(parse_judged_pairs, width=len(fields))
    problem = (
        f"{where}: unknown format of judgments, the first line begins {quoted(first)}; expected judged pairs "
        f"({' '.join(PAIR_FIELDS)} [assessor]), a trec_eval preference file ({' '.join(PREFS_FIELDS)}), CSV with the "
        f"columns {', '.join(COLUMNS)}, or JSON lines with these keys; convert the file"
    )
    raise InputError([problem])


def _texts(fields: Sequence[bytes]) -> list[str]:
    return [field.decode(errors="replace") for field in fields]


def _is_number(field: bytes) -> bool:
    return not np.isnan(parse_decimal(field))
