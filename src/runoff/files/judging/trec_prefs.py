"""trec_eval's preference files: `query_id group subgroup doc_id level`.

Within one subgroup a document of a higher level is preferred to one of a lower level, and nothing is said about equal
ones. A group is one user's judgments; a preference that is in several of its subgroups is one preference. So a
group becomes an assessor here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.errors import LimitError
from runoff.files.problems import Problems, quoted
from runoff.files.streams import map_in_order
from runoff.files.text.tokens import Tokens, parse_decimals, tokenize
from runoff.tables.ids import Ids, Rows, Text, intern_ids
from runoff.tables.preferences import ABSENT, LEFT, RIGHT, Preferences, without_repeats

FIELDS: Final = ("query_id", "group", "subgroup", "doc_id", "level")
MOST_PAIRS: Final = 10**8
"""A subgroup of n documents can hold n (n - 1) / 2 preferences, so a small file can ask for more than memory holds."""


def parse_trec_prefs(chunks: Iterable[Text], *, where: str, name: str) -> Preferences:
    r"""The preferences in the chunks of a preference file; the document that stands first in the file is on the left.

    >>> from runoff.files.streams import read_chunks
    >>> table = parse_trec_prefs(read_chunks(b"q 0 0 a 2\nq 0 0 b 1\nq 0 0 c 1\n"), where="prefs", name="prefs")
    >>> [(row.left, row.right, row.preferred, row.assessor) for row in table]
    [('a', 'b', 'a', '0'), ('a', 'c', 'a', '0')]
    """
    problems = Problems(where)
    columns: list[list[Ids]] = [[], [], [], []]
    levels: list[NDArray[np.float64]] = []
    lines: list[Rows] = []
    lines_before = 0
    for tokens in map_in_order(partial(tokenize, field_names=FIELDS), chunks):
        problems.absorb(_checked_levels(tokens, levels), lines_before)
        for place, column in enumerate(columns):
            column.append(Ids.cut(tokens.text, *tokens.column(place)))
        lines.append(lines_before + tokens.lines)
        lines_before += tokens.line_count
    problems.raise_if_any()
    (queries, query), (groups, group), (_, subgroup), (docs, doc) = (_interned(column) for column in columns)
    sets = np.unique(np.column_stack([query, group, subgroup]), axis=0, return_inverse=True)[1].ravel()
    _note_twice(sets, doc, docs, np.concatenate(lines), problems)
    problems.raise_if_any()
    level = np.concatenate(levels)
    first, second = _pairs(sets, where)
    first, second = (chosen[level[first] != level[second]] for chosen in (first, second))
    swap = doc[first] > doc[second]
    left, right = np.where(swap, second, first), np.where(swap, first, second)
    order = np.lexsort((right, left))
    left, right = left[order], right[order]
    return without_repeats(
        Preferences(
            name=name,
            query_ids=tuple(queries),
            docs=docs,
            row_query=query[left].astype(np.int32),
            left=doc[left].astype(np.int32),
            right=doc[right].astype(np.int32),
            choice=np.where(level[left] > level[right], LEFT, RIGHT).astype(np.int8),
            assessors=tuple(groups),
            row_assessor=group[left].astype(np.int32),
            tasks=(),
            row_task=np.full(len(left), ABSENT, dtype=np.int32),
            seconds=np.full(len(left), np.nan),
            expected=np.zeros(len(left), dtype=np.int8),
        )
    )


def _interned(columns: list[Ids]) -> tuple[Ids, Rows]:
    ids, (codes,) = intern_ids([Ids.joined(columns)])
    return ids, codes


def _checked_levels(tokens: Tokens, levels: list[NDArray[np.float64]]) -> Problems:
    """Put the levels of a chunk behind those before; the faults of the chunk, those of its levels among them."""
    values, bad = parse_decimals(tokens.text, *tokens.column(4))
    levels.append(values)
    tokens.problems.add_all(
        tokens.lines[bad].tolist(),
        lambda place: (
            f"level {quoted(tokens.token(int(bad[place]), 4))} is not a finite number; expected one such as 1 or 0.5; "
            "fix or remove this line"
        ),
    )
    return tokens.problems


def _note_twice(sets: Rows, doc: Rows, docs: Ids, lines: Rows, problems: Problems) -> None:
    """Note every document that stands a second time in a subgroup."""
    keys = sets * len(docs) + doc
    distinct, places = np.unique(keys, return_inverse=True)
    firsts = np.empty(len(distinct), dtype=np.int64)
    firsts[places[::-1]] = np.arange(len(keys))[::-1]
    again = np.flatnonzero(firsts[places] != np.arange(len(keys)))
    problems.add_all(
        lines[again].tolist(),
        lambda place: (
            f"document {quoted(docs[int(doc[again[place]])])} is listed twice in one subgroup, first in line "
            f"{int(lines[firsts[places[again[place]]]])}; expected every document once; remove one of the lines"
        ),
    )


def _pairs(sets: Rows, where: str) -> tuple[Rows, Rows]:
    """All pairs of rows of the same set."""
    order = np.argsort(sets, kind="stable")
    sizes = np.bincount(sets)
    total = int((sizes * (sizes - 1) // 2).sum())
    if total > MOST_PAIRS:
        problem = (
            f"{where}: its subgroups hold {total:,} pairs of documents, more than {MOST_PAIRS:,}; expected smaller "
            "subgroups; split the file by query"
        )
        raise LimitError([problem])
    later = np.repeat(np.cumsum(sizes), sizes) - np.arange(len(sets)) - 1  # rows of the set behind each row
    first = np.repeat(np.arange(len(sets)), later)
    step = np.arange(total) - np.repeat(np.cumsum(later) - later, later) + 1
    return order[first], order[first + step]


def render_trec_prefs(table: Preferences) -> Iterator[str]:
    """The lines of a trec_eval preference file, each with its line end: every judgment is a subgroup of its own.

    The group is the assessor; a judgment without one is a group of its own, and spaces become `_`.
    A tie is two equal levels, which say nothing.
    """
    for number, row in enumerate(table, start=1):
        group = "_".join(row.assessor.split()) if row.assessor else f"judgment-{number}"
        levels = (1, 1) if row.preferred is None else (int(row.preferred == row.left), int(row.preferred == row.right))
        for doc_id, level in zip((row.left, row.right), levels, strict=True):
            yield f"{row.query_id} {group} {number} {doc_id} {level}\n"
