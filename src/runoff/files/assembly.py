"""Rows that were read, from whatever form, into tables; documents that stand twice are found here."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from runoff.files.problems import Problems, quoted
from runoff.tables.ids import Ids, Rows, Words
from runoff.tables.qrels import Qrels, pair_keys, pair_salts
from runoff.tables.ranking import RunRows


def has_equal_keys(keys: Words) -> bool:
    """Whether some key stands more than once; only keys that share their first bits with another are compared."""
    bits = len(keys).bit_length() + 2
    slots = (keys >> np.uint64(64 - bits)).view(np.int64)
    ordered = np.sort(keys[np.bincount(slots, minlength=1 << bits).take(slots) > 1])
    return bool((ordered[1:] == ordered[:-1]).any())


def _rows_with_equal_keys(keys: Words) -> Rows:
    """The rows whose key stands more than once."""
    ordered = np.sort(keys)
    return np.flatnonzero(np.isin(keys, ordered[1:][ordered[1:] == ordered[:-1]]))


def note_duplicates(
    keys: Words,
    problems: Problems,
    *,
    pairs_at: Callable[[Rows], Sequence[tuple[str, str]]],
    line_of: Callable[[int], int],
    verb: str = "stands",
    first_of: Callable[[int], str] | None = None,
) -> None:
    """Note every (query, document) pair that stands a second time.

    pairs_at gives the pairs of some rows, line_of the line (or row) number that messages give for a row, and first_of
    says where a first row is, if not `line` and its number.
    """
    repeated = _rows_with_equal_keys(keys)
    first_seen: dict[tuple[str, str], int] = {}
    again = []
    for row, pair in zip(repeated.tolist(), pairs_at(repeated), strict=True):
        first = first_seen.setdefault(pair, row)
        if first != row:
            again.append((row, first, pair))

    def text_of(number: int) -> str:
        _, first, (query_id, doc_id) = again[number]
        place = f"line {line_of(first)}" if first_of is None else first_of(first)
        return (
            f"document {quoted(doc_id)} {verb} twice for query {quoted(query_id)}, first in {place}; "
            "expected every document once per query; remove one of the lines"
        )

    problems.add_all([row for row, _, _ in again], text_of, line_of=line_of)


def qrels_of_rows(
    name: str,
    query_ids: Sequence[str],
    docs: Ids,
    grades: NDArray[np.int64],
    problems: Problems,
    line_of: Callable[[int], int],
) -> Qrels:
    """The qrels made of some judgments; what is judged twice is noted as a problem."""
    places: dict[str, int] = {}
    query = np.array([places.setdefault(query_id, len(places)) for query_id in query_ids], dtype=np.int64)
    keys = pair_keys(pair_salts(Ids.of(places))[query], docs.hashes())
    note_duplicates(
        keys,
        problems,
        pairs_at=lambda rows: [(query_ids[row], docs[row]) for row in rows.tolist()],
        line_of=line_of,
        verb="is judged",
    )
    order = np.argsort(query, kind="stable")
    grouped = bool((order[1:] > order[:-1]).all())
    return Qrels(
        name=name,
        query_ids=tuple(places),
        row_query=query[order],
        docs=docs if grouped else docs.take(order),
        relevance=grades[order].astype(np.int8),
    )


def run_rows_of(query_ids: Sequence[str], docs: Ids, scores: NDArray[np.float64], problems: Problems) -> RunRows:
    """The rows of a run made of equally long columns; what stands twice is noted as a problem, by row number."""
    places: dict[str, int] = {}
    query = np.array([places.setdefault(query_id, len(places)) for query_id in query_ids], dtype=np.int64)
    starts = np.flatnonzero(np.diff(query, prepend=-1))
    keys = pair_keys(pair_salts(Ids.of(places))[query], docs.hashes())
    note_duplicates(
        keys,
        problems,
        pairs_at=lambda rows: [(query_ids[row], docs[row]) for row in rows.tolist()],
        line_of=lambda row: row + 1,
    )
    return RunRows(
        query_ids=tuple(places), block_starts=starts, block_query=query[starts], run_scores=scores, docs=docs
    )
