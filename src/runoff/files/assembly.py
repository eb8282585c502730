"""Rows that were read, from whatever form, into tables; documents that come twice are found here."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from runoff import rows
from runoff.files.problems import Problems, note_repeated, quoted
from runoff.tables.ids import Ids
from runoff.tables.qrels import Qrels
from runoff.tables.ranked_lists import ALL


def batch_of(queries: Ids, docs: Ids, numbers: NDArray[np.float64]) -> rows.Batch:
    """Equally long columns of queries, documents and scores or grades as rows."""
    return rows.columns_batch(
        queries.text.padded_bytes,
        queries.bounds,
        docs.text.padded_bytes,
        docs.bounds,
        np.ascontiguousarray(numbers, dtype=np.float64),
    )


def qrels_of_batches(
    name: str,
    batches: Sequence[rows.Batch],
    problems: Problems,
    lines_before: Sequence[int] = (0,),
    *,
    first_of: Callable[[int], str] | None = None,
) -> Qrels:
    """The qrels made of the judgments in some batches; what is judged twice is noted as a problem.

    lines_before and first_of  see `note_repeated`
    """
    lists = rows.group(batches)
    found = lists.rank(0, lists.queries, (), ALL, ALL, rows.UNRANKED, 0)
    note_repeated(problems, found.repeated, found.repeated_total, lines_before, verb="is judged", first_of=first_of)
    lengths = np.frombuffer(found.lengths, dtype=np.int64)
    qrels = Qrels(
        name=name,
        query_ids=tuple(Ids.packed(*lists.query_ids())),
        row_query=np.repeat(np.arange(len(lengths)), lengths),
        docs=Ids.packed(found.docs_text, found.docs_bounds),
        relevance=np.nan_to_num(np.frombuffer(found.scores, dtype=np.float64)).astype(np.int8),
    )
    _note_fractions(np.frombuffer(found.scores, dtype=np.float64), qrels, problems)
    return qrels


def _note_fractions(grades: NDArray[np.float64], qrels: Qrels, problems: Problems) -> None:
    """Note grades that are not whole numbers."""
    odd = np.flatnonzero((grades != np.round(grades)) & ~np.isnan(grades))
    for row in odd[: rows.MOST_FAULTS].tolist():
        query, doc = quoted(qrels.query_ids[qrels.row_query[row]]), quoted(qrels.docs[row])
        problems.add(
            0,
            f"grade {grades[row]:g} of document {doc} for query {query} is not a whole number; expected one such as 0 "
            "or 1; round the grades",
        )
    problems.total += max(len(odd) - rows.MOST_FAULTS, 0)
