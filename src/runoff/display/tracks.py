"""An interval in text: a line with its ends and its point, on a scale that several lines share."""

from __future__ import annotations

import math


def track(low: float, point: float, high: float, *, span: tuple[float, float], width: int) -> str:
    """An interval on a scale from the first to the second value of `span`, which may run backwards.

    >>> track(2, 3, 5, span=(0, 9), width=10)
    '  ├●─┤    '
    >>> track(1, 1, 1, span=(5, 1), width=5)
    '    ●'
    """
    cells = [" "] * width
    if width < 1 or not all(map(math.isfinite, (low, point, high))):
        return "".join(cells)
    ends = sorted((_place(low, span, width), _place(high, span, width)))
    cells[ends[0] : ends[1] + 1] = "─" * (ends[1] - ends[0] + 1)
    cells[ends[0]], cells[ends[1]] = "├", "┤"
    cells[_place(point, span, width)] = "●"
    return "".join(cells)


def _place(value: float, span: tuple[float, float], width: int) -> int:
    start, end = span
    share = 0.0 if start == end else (value - start) / (end - start)
    return min(max(round(share * (width - 1)), 0), width - 1)
