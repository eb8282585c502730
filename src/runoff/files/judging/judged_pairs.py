"""Pairs, one per line: judged ones (`query_id doc_a doc_b preferred [assessor]`), and those to be judged.

The form of https://github.com/claclark/preferences: doc_a stood on the left, doc_b on the right, and `preferred` is one
of the two. Either all lines name an assessor or none does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from runoff.errors import InputError, UsageError
from runoff.files.problems import Problems, quoted
from runoff.files.streams import DEFAULT_MAX_BYTES, Source, map_in_order, read_chunks, source_name
from runoff.files.text.tokens import Tokens, tokenize
from runoff.tables.ids import Ids, Rows, Text, equal_tokens, intern_ids, intern_tokens, starts_of_blocks
from runoff.tables.preferences import ABSENT, LEFT, RIGHT, TIE, Preferences, Sides, without_repeats

FIELDS: Final = ("query_id", "doc_a", "doc_b", "preferred")
ASSESSOR: Final = "assessor"
WIDTHS: Final = (len(FIELDS), len(FIELDS) + 1)


def parse_judged_pairs(chunks: Iterable[Text], *, width: int, where: str, name: str) -> Preferences:
    r"""The judgments in the chunks of a file whose lines have 4 fields, or 5 with the assessor.

    >>> from runoff.files.streams import read_chunks
    >>> table = parse_judged_pairs(read_chunks(b"q1 a b b\nq1 b c b\n"), width=4, where="pairs", name="pairs")
    >>> [(row.left, row.right, row.preferred) for row in table]
    [('a', 'b', 'b'), ('b', 'c', 'b')]
    """
    names = (*FIELDS, ASSESSOR)[:width]
    problems = Problems(where)
    lines_before = 0
    parts = []
    for part in map_in_order(partial(_part, names=names), chunks):
        problems.absorb(part.problems, lines_before)
        lines_before += part.line_count
        parts.append(part)
    problems.raise_if_any()
    return _assembled(parts, name)


@dataclass(frozen=True, eq=False)
class _Part:
    """A chunk's judgments: each list of distinct ids with the codes into it."""

    query: tuple[Ids, Rows]
    docs: tuple[Ids, Rows]
    """Codes of the left documents, then of the right ones."""
    assessor: tuple[Ids, Rows]
    choice: Sides
    line_count: int
    problems: Problems


def _part(text: Text, *, names: tuple[str, ...]) -> _Part:
    tokens = tokenize(text, names)
    left, right = tokens.column(1), tokens.column(2)
    none = np.zeros(0, dtype=np.int64)
    return _Part(
        query=_distinct_blocks(tokens.text, *tokens.column(0)),
        docs=_distinct(tokens.text, np.concatenate([left[0], right[0]]), np.concatenate([left[1], right[1]])),
        assessor=_distinct(tokens.text, *tokens.column(4)) if ASSESSOR in names else (Ids.of(()), none),
        choice=_checked_choice(tokens),
        line_count=tokens.line_count,
        problems=tokens.problems,
    )


def _distinct(text: Text, starts: Rows, lengths: Rows) -> tuple[Ids, Rows]:
    rows, codes = intern_tokens(text, starts, lengths)
    return Ids.cut(text, starts[rows], lengths[rows]), codes


def _distinct_blocks(text: Text, starts: Rows, lengths: Rows) -> tuple[Ids, Rows]:
    """The same, where equal tokens are mostly neighbours."""
    begins = starts_of_blocks(text, starts, lengths)
    ids, codes = _distinct(text, starts[begins], lengths[begins])
    return ids, np.repeat(codes, np.diff(begins, append=len(starts)))


def _checked_choice(tokens: Tokens) -> Sides:
    """The preferred sides; a preferred document that is neither, and a pair of the same document, are noted."""
    left, right, preferred = (tokens.column(place) for place in (1, 2, 3))
    is_left = equal_tokens(tokens.text, *preferred, tokens.text, *left)
    is_right = equal_tokens(tokens.text, *preferred, tokens.text, *right)
    neither = np.flatnonzero(~(is_left | is_right))
    sides = [(starts[neither], lengths[neither]) for starts, lengths in (left, right)]
    same = equal_tokens(tokens.text, *sides[0], tokens.text, *sides[1])
    alike = np.union1d(np.flatnonzero(is_left & is_right), neither[same])
    neither = neither[~same]
    tokens.problems.add_all(
        tokens.lines[alike].tolist(),
        lambda place: (
            f"document {quoted(tokens.token(int(alike[place]), 1))} is compared with itself; expected two documents; "
            "remove the line"
        ),
    )
    tokens.problems.add_all(
        tokens.lines[neither].tolist(),
        lambda place: (
            f"preferred {quoted(tokens.token(int(neither[place]), 3))} is neither "
            f"{quoted(tokens.token(int(neither[place]), 1))} nor {quoted(tokens.token(int(neither[place]), 2))}; "
            "expected one of the two documents; fix or remove this line"
        ),
    )
    return np.where(is_left, LEFT, np.where(is_right, RIGHT, TIE)).astype(np.int8)


def _assembled(parts: list[_Part], name: str) -> Preferences:
    query_ids, query = _merged([part.query for part in parts])
    docs, sides = _merged_codes([part.docs for part in parts])
    assessors, assessor = _merged([part.assessor for part in parts])
    count = len(query)
    table = Preferences(
        name=name,
        query_ids=query_ids,
        docs=docs,
        row_query=query.astype(np.int32),
        left=np.concatenate([codes[: len(codes) // 2] for codes in sides]).astype(np.int32),
        right=np.concatenate([codes[len(codes) // 2 :] for codes in sides]).astype(np.int32),
        choice=np.concatenate([part.choice for part in parts]),
        assessors=assessors,
        row_assessor=assessor.astype(np.int32) if assessors else np.full(count, ABSENT, dtype=np.int32),
        tasks=(),
        row_task=np.full(count, ABSENT, dtype=np.int32),
        seconds=np.full(count, np.nan),
        expected=np.zeros(count, dtype=np.int8),
    )
    return without_repeats(table)


def _merged_codes(parts: list[tuple[Ids, Rows]]) -> tuple[Ids, list[Rows]]:
    ids, places = intern_ids([distinct for distinct, _ in parts])
    return ids, [place[codes] for place, (_, codes) in zip(places, parts, strict=True)]


def _merged(parts: list[tuple[Ids, Rows]]) -> tuple[tuple[str, ...], Rows]:
    ids, codes = _merged_codes(parts)
    return tuple(ids), np.concatenate(codes)


def render_judged_pairs(table: Preferences) -> Iterator[str]:
    """The lines of a file of judged pairs, each with its line end; the assessor is named if every judgment has one.

    Ties have no place in this form and are passed over, and so have tasks and seconds: `render_judgment_csv` keeps all.
    """
    named = bool((table.row_assessor != ABSENT).all()) and len(table) > 0
    spaced = [assessor for assessor in table.assessors if named and assessor.split() != [assessor]]
    if spaced:
        raise UsageError(f"assessor {spaced[0]!r} has spaces, which judged pairs cannot hold; write a CSV file instead")
    for row in table:
        if row.preferred is not None:
            who = f" {row.assessor}" if named else ""
            yield f"{row.query_id} {row.left} {row.right} {row.preferred}{who}\n"


LIST_FIELDS = ("query_id", "doc_a", "doc_b")


def read_pairs(source: Source, *, max_bytes: int = DEFAULT_MAX_BYTES) -> tuple[tuple[str, str, str], ...]:
    r"""The pairs in a file; of test pairs the right answer comes first. Blank lines and `#` comments are passed over.

    >>> read_pairs(b"q1 d1 d2\n")
    (('q1', 'd1', 'd2'),)
    """
    where = source_name(source)
    problems = Problems(where)
    rows = []
    text = b"".join(chunk.bytes.tobytes() for chunk in read_chunks(source, max_bytes=max_bytes))
    for number, line in enumerate(text.split(b"\n"), start=1):
        fields = line.decode(errors="backslashreplace").split()
        if not fields or fields[0].startswith("#"):
            continue
        if len(fields) != len(LIST_FIELDS) or fields[1] == fields[2]:
            problems.add(
                number, f"{quoted(line)} is not a pair; expected {' '.join(LIST_FIELDS)}; fix or remove this line"
            )
        else:
            rows.append((fields[0], fields[1], fields[2]))
    problems.raise_if_any()
    if not rows:
        raise InputError([f"{where}: no pairs; expected {' '.join(LIST_FIELDS)} on every line; check the file"])
    return tuple(rows)


def render_pairs(pairs: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """The lines of such a file, each with its line end."""
    return (f"{' '.join(pair)}\n" for pair in pairs)
