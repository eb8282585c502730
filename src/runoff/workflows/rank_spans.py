"""Ranks as people write them: 1-3, 7."""

from __future__ import annotations

from collections.abc import Sequence


def rank_spans(ranks: Sequence[int]) -> str:
    """Rising whole numbers as spans.

    >>> rank_spans([1, 2, 3, 7, 9, 10]), rank_spans([])
    ('1-3, 7, 9-10', '')
    """
    spans: list[list[int]] = []
    for rank in ranks:
        if spans and spans[-1][1] == rank - 1:
            spans[-1][1] = rank
        else:
            spans.append([rank, rank])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in spans)
