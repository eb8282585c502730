"""Rows that were read, from whatever form, into tables; documents that come twice are found here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from runoff import rows
from runoff.errors import UsageError
from runoff.files.problems import Problems, note_repeated
from runoff.tables.ids import Ids, numbers_of
from runoff.tables.qrels import Qrels
from runoff.tables.ranked_lists import ALL


def batch_of(queries: Ids, docs: Ids, numbers: NDArray[np.float64]) -> rows.Batch:
    """Equally long columns of queries, documents and scores or grades as rows."""
    return rows.columns_batch(
        queries.text.padded_bytes,
        numbers_of(queries.bounds),
        docs.text.padded_bytes,
        numbers_of(docs.bounds),
        numbers_of(numbers, np.float64),
    )


def qrels_of_batches(
    name: str,
    batches: Sequence[rows.Batch],
    problems: Problems,
    lines_before: Sequence[int] = (0,),
    *,
    first_of: Callable[[int], str] | None = None,
) -> Qrels:
    """The qrels made of the judgments in some batches; what is judged twice, or graded too finely, is a problem.

    lines_before and first_of  see `note_repeated`
    """
    lists = rows.group(batches)
    found = lists.rank(0, lists.queries, (), ALL, ALL, rows.UNRANKED, 0)
    note_repeated(problems, found.repeated, found.repeated_total, lines_before, verb="is judged", first_of=first_of)
    lengths = np.frombuffer(found.lengths, dtype=np.int64)
    grades = np.nan_to_num(np.frombuffer(found.scores, dtype=np.float64))
    made = partial(
        Qrels.of_grades,
        name,
        tuple(Ids.packed(*lists.query_ids())),
        np.repeat(np.arange(len(lengths)), lengths),
        Ids.packed(found.docs_text, found.docs_bounds),
    )
    try:
        return made(grades)
    except UsageError as error:
        problems.add(0, str(error))
        return made(np.round(grades))
