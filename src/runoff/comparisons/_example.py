"""Small SERPs written as strings of grades, for the examples in docstrings and for tests."""

from __future__ import annotations

from runoff.measures._example import serps_of
from runoff.tables.serps import Serps


def serps_from(*texts: str, run: str = "example", relevant: int = 1, highest: int = 1) -> Serps:
    """SERPs of one run from one string of digits per query: `1011` is relevant at ranks 1, 3 and 4.

    relevant  how many documents of each grade from 1 to `highest` the qrels hold, for every query

    >>> serps_from("101").grades.tolist()
    [[1, 0, 1]]
    """
    lists = [[int(digit) for digit in text] for text in texts]
    return serps_of(*lists, judged=[[0] + [relevant] * highest for _ in texts], run=run)
