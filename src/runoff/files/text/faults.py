"""Every fault of a text file, where reading it says the first few: for `runoff check`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np

from runoff import rows
from runoff.choices import DUPLICATE_RULES
from runoff.files.problems import Problems, note_repeated
from runoff.files.streams import map_in_order
from runoff.files.text.formats import TextFormat
from runoff.files.text.tokens import Fault, problems_of
from runoff.rows import MOST_FAULTS
from runoff.tables.ids import Text
from runoff.tables.ranked_lists import ALL, Repeated

MOST_KEPT: Final = 10_000
"""Faults of a file that are kept with their lines; all are counted."""
_LF: Final = 10


def note_all_faults(
    chunks: Iterable[Text], text_format: TextFormat, problems: Problems, *, duplicates: str = "error", verb: str
) -> int:
    """Note every fault of a file, lines that cannot be used and documents that come twice; its number of lines.

    duplicates  the rule for them; they are faults by the rule `error` alone
    verb        what is wrong with a document that comes twice, such as `is listed`
    """
    batches, lines_before = [], [0]
    for text, batch in map_in_order(lambda text: (text, text_format.parsed(text, keep=True)), chunks):
        if batch.fault_total and len(problems.kept) < problems.most:
            faults = list(_faults_between(text, text_format, 0, len(text.bytes)))
            noted = problems_of(faults, batch.fault_total, text_format.fields, number_fault=text_format.fault_of)
            problems.absorb(noted, lines_before[-1])
        else:
            problems.total += batch.fault_total
        batches.append(batch)
        lines_before.append(lines_before[-1] + batch.lines)
    if duplicates == "error":
        lists = rows.group(batches)
        repeated, total = _repeated(lists, 0, lists.queries, problems.most)
        note_repeated(problems, sorted(repeated), total, lines_before, verb=verb)
    return lines_before[-1]


def _faults_between(text: Text, text_format: TextFormat, begin: int, end: int, lines: int = 0) -> Iterator[Fault]:
    """All faults of some lines, which have `lines` before them: the reader lists few at a time, so lines are halved."""
    layout = text_format.layout
    batch = rows.parse_rows(text.padded_bytes, begin, end, layout, False)
    middle = _line_end(text, begin, end)
    if batch.fault_total <= len(batch.faults) or not begin < middle < end:
        yield from ((line + lines, kind, value, token) for line, kind, value, token in batch.faults)
        return
    before = int(np.count_nonzero(text.bytes[begin:middle] == _LF))
    yield from _faults_between(text, text_format, begin, middle, lines)
    yield from _faults_between(text, text_format, middle, end, lines + before)


def _line_end(text: Text, begin: int, end: int) -> int:
    """Where a line begins about half way between two line ends; one of these if there is one line."""
    lines = text.bytes[begin:end].tobytes()
    behind = lines.find(b"\n", len(lines) // 2) + 1
    return begin + (behind if behind < len(lines) else lines.rfind(b"\n", 0, len(lines) // 2) + 1)


def _repeated(lists: rows.Lists, first: int, last: int, most: int) -> tuple[list[Repeated], int]:
    """Documents that come again, and how many: the reader lists few at a time, so the queries are halved.

    Of one query the first few are listed.
    """
    rule = list(DUPLICATE_RULES).index("error")
    ranked = lists.rank(first, last, (), ALL, 0, rows.UNRANKED, rule)
    if ranked.repeated_total <= MOST_FAULTS or last - first == 1:
        return ranked.repeated, ranked.repeated_total
    middle = (first + last) // 2
    left, left_total = _repeated(lists, first, middle, most)
    if len(left) >= most:
        return left, ranked.repeated_total
    right, right_total = _repeated(lists, middle, last, most - len(left))
    return left + right, left_total + right_total
