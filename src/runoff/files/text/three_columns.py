"""Three columns without a header: a run of MS MARCO, with ranks, or qrels, with grades; or refused, as either.

The reader knows which of the two it was asked for. A run has the ranks 1 to n for each query; qrels have small whole
grades that are not such ranks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from runoff.errors import InputError
from runoff.files.column_names import Kind
from runoff.files.problems import quoted
from runoff.files.streams import FIRST_LINE, HEAD_BYTES
from runoff.files.tabular import HIGHEST_LIKELY_GRADE
from runoff.files.text.tokens import parse_decimal

_COLUMNS: Final = 3
_SHOWN: Final = 5
_LONGEST_MARK: Final = 3
"""Bytes of a byte order mark, which is not in the head."""
_QUESTION: Final[Mapping[Kind, str]] = {
    "run": "expected the ranks of a run; are these ranks, scores or grades? put a first line above that says it, "
    "'query_id doc_id rank' or 'query_id doc_id score', or read it as qrels",
    "qrels": "expected grades; are these grades, or the ranks or scores of a run? put a first line above that says it, "
    "'query_id doc_id grade', or read it as a run",
}


def check_three_columns(head: bytes, kind: Kind, where: str) -> None:
    """An InputError if the numbers at the beginning of a file are not those of what it was asked for as.

    head  its first bytes, decompressed; whole queries of them are looked at. A first line with another number of fields
          is of another format
    """
    first = FIRST_LINE.search(head)
    if first is None or len(first[1].split()) != _COLUMNS:
        return
    queries = _numbers_by_query(head)
    are_ranks = [sorted(numbers) == list(range(1, len(numbers) + 1)) for numbers in queries.values()]
    hint = ""
    if kind == "run":
        if all(are_ranks):
            return
        query = list(queries)[are_ranks.index(False)]
        nature = "not the ranks 1 to n of each query"
        hint = "; this looks like a qrels file" if _look_like_grades(queries) else ""
    else:
        odd = [query for query, numbers in queries.items() if not _are_grades(numbers)]
        if not odd and not (all(are_ranks) and any(len(numbers) > 1 for numbers in queries.values())):
            return
        query = odd[0] if odd else max(queries, key=lambda query: len(queries[query]))
        nature = "not a small whole grade" if odd else "a grade or a rank"
        hint = "; this looks like a run file" if odd else ""
    third = f"the third is {nature} (query {quoted(query)} has {_listed(queries[query])})"
    raise InputError([f"{where}: three columns, and {third}{hint}; {_QUESTION[kind]}"])


def _numbers_by_query(head: bytes) -> dict[bytes, list[float]]:
    """The numbers of the queries that are complete and have no line with a fault, which the reader reports."""
    lines = head.split(b"\n")
    is_whole = len(head) < HEAD_BYTES - _LONGEST_MARK
    queries: dict[bytes, list[float]] = {}
    faulty: set[bytes] = set()
    last = b""
    for line in lines if is_whole else lines[:-1]:
        fields = line.split()
        if not fields or fields[0].startswith(b"#"):
            continue
        if not is_whole and fields[0] != last and fields[0] in queries:
            faulty.add(fields[0])  # it comes back, perhaps later once more
        last = fields[0]
        number = parse_decimal(fields[2]) if len(fields) == _COLUMNS else math.nan
        if math.isnan(number):
            faulty.add(last)
        queries.setdefault(last, []).append(number)
    if not is_whole:
        faulty.add(last)
    return {query: numbers for query, numbers in queries.items() if query not in faulty}


def _are_grades(numbers: Sequence[float]) -> bool:
    return all(number == int(number) and abs(number) <= HIGHEST_LIKELY_GRADE for number in numbers)


def _look_like_grades(queries: Mapping[bytes, Sequence[float]]) -> bool:
    """Whether numbers are grades and cannot be ranks: some come twice for a query, or are 0 or less."""
    if not all(map(_are_grades, queries.values())):
        return False
    return any(len(set(numbers)) < len(numbers) or min(numbers) < 1 for numbers in queries.values())


def _listed(numbers: Sequence[float]) -> str:
    listing = ", ".join(f"{number:g}" for number in numbers[:_SHOWN])
    return listing + (", ..." if len(numbers) > _SHOWN else "")
