"""Small SERPs written by hand, for the examples in docstrings and for tests."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runoff.tables.serps import NOTHING, Serps


def serps_of(*lists: Sequence[int], judged: Sequence[Sequence[int]] | None = None, run: str = "example") -> Serps:
    """SERPs of one run from one list of grades per query (-1 is unjudged).

    judged holds, per query, how many documents the qrels have at grade 0, 1, ...; by default what the lists hold.
    """
    depth = max((len(grades) for grades in lists), default=0)
    table = np.full((len(lists), depth), NOTHING, dtype=np.int8)
    for row, grades in zip(table, lists, strict=True):
        row[: len(grades)] = grades
    if judged is None:
        highest = max(int(table.max(initial=0)), 1)
        judged = [[list(grades).count(grade) for grade in range(highest + 1)] for grades in lists]
    return Serps(
        run=run,
        query_ids=tuple(f"q{number}" for number in range(1, len(lists) + 1)),
        grades=table,
        retrieved=np.array([len(grades) for grades in lists], dtype=np.int64),
        judged=np.array(judged, dtype=np.int64).reshape(len(lists), -1 if lists else 2),
        depth_tied=np.zeros(len(lists), dtype=np.bool_),
        tie_rule="docid_descending",
    )


def serps_from(*texts: str, run: str = "example", relevant: int = 1, highest: int = 1) -> Serps:
    """SERPs of one run from one string of digits per query: `1011` is relevant at ranks 1, 3 and 4.

    relevant  how many documents of each grade from 1 to `highest` the qrels hold, for every query

    >>> serps_from("101").grades.tolist()
    [[1, 0, 1]]
    """
    lists = [[int(digit) for digit in text] for text in texts]
    return serps_of(*lists, judged=[[0] + [relevant] * highest for _ in texts], run=run)
