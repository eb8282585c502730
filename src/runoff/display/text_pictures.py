"""Small pictures made of characters: bars of shares, strips of probabilities, tracks of intervals, triangles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from runoff.display.grid import visible

SHADES: Final = "░▒▓█"
"""From light to dark, one per part."""
LONGEST: Final = 72
"""A bar is no longer than this, however wide the page is."""
GAP: Final = 3
"""Blank characters between labels."""


def share_bar(parts: Sequence[tuple[str, float]], *, width: int) -> str:
    """Labelled counts or shares as a bar no wider than `width` characters, labels below it; at most four parts.

    Every part that is not 0 gets at least one character. A line breaks between labels, not within them.

    >>> print(share_bar([("neither", 1), ("only A", 2), ("only B", 3), ("both", 6)], width=48))
    ░░░░▒▒▒▒▒▒▒▒▓▓▓▓▓▓▓▓▓▓▓▓████████████████████████
    ░ neither 1 (8%)   ▒ only A 2 (17%)
    ▓ only B 3 (25%)   █ both 6 (50%)
    """
    labels = share_labels(parts)
    if not labels:
        return ""
    cells = _cells([count for _, count in parts], min(width, LONGEST))
    bar = "".join(shade * number for shade, number in zip(SHADES, cells, strict=False))
    shaded = [f"{shade} {label}" for shade, label in zip(SHADES, labels, strict=False)]
    return "\n".join([bar, *_lines(shaded, width)])


def share_labels(parts: Sequence[tuple[str, float]]) -> tuple[str, ...]:
    """Every part with its count, if it is one, and its share, for where there is no room for a bar.

    >>> share_labels([("one", 1), ("both", 3)]), share_labels([("one", 0.2), ("both", 0.8)])
    (('one 1 (25%)', 'both 3 (75%)'), ('one 20%', 'both 80%'))
    """
    total = sum(count for _, count in parts)
    if not total:
        return ()
    return tuple(
        f"{visible(label)} {count:,} ({count / total:.0%})"
        if isinstance(count, int)
        else f"{visible(label)} {count:.0%}"
        for label, count in parts
    )


def _lines(labels: Sequence[str], width: int) -> list[str]:
    """The labels on as few lines as hold them; a label that is too long is on a line of its own."""
    from rich.cells import cell_len

    lines = [labels[0]]
    for label in labels[1:]:
        if cell_len(lines[-1]) + GAP + cell_len(label) <= width:
            lines[-1] += " " * GAP + label
        else:
            lines.append(label)
    return lines


def _cells(counts: Sequence[float], width: int) -> list[int]:
    """How many characters each count gets: its share by largest remainders, and at least one if it is not 0."""
    total = sum(counts)
    exact = [count * width / total for count in counts]
    cells = [max(int(share), 1 if count else 0) for share, count in zip(exact, counts, strict=True)]
    while sum(cells) < width:
        place = max(range(len(cells)), key=lambda one: exact[one] - cells[one])
        cells[place] += 1
    while sum(cells) > width:
        place = max(
            (one for one in range(len(cells)) if cells[one] > 1), key=lambda one: cells[one] - exact[one], default=0
        )
        if cells[place] <= 1:
            break
        cells[place] -= 1
    return cells


STRIP_SHADES: Final = "·░▒▓█"
"""From (almost) never to (almost) always."""
STEPS: Final = (0.005, 0.05, 0.25, 0.75)
"""Probabilities from which the next shade is used."""


def strip(probabilities: Sequence[float], *, width: int = 40) -> str:
    """Probabilities of ranks 1, 2, 3, ... as characters; several ranks share one where there are more than `width`.

    >>> strip([0.81, 0.15, 0.04, 0.0])
    '█▒░·'
    >>> strip([0.25] * 4, width=2)
    '▓▓'
    """
    count = len(probabilities)
    per_cell = -(-count // width) if count else 1
    cells = [sum(probabilities[first : first + per_cell]) for first in range(0, count, per_cell)]
    return "".join(STRIP_SHADES[sum(cell >= step for step in STEPS)] for cell in cells)


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


LONGEST_NAME: Final = 20
"""Characters of a name; the rest of a longer one is cut off."""


def triangle(names: Sequence[str], signs: Sequence[str], *, width: int) -> str:
    """Line n has the n-th name and a character for each name before it; "" where that is wider than `width`.

    names  the best first
    signs  a text per name, of as many characters as there are names before it

    >>> print(triangle(["a", "b", "c"], ["", "#", "#-"], width=20))
    1 a
    2 b #
    3 c # -
    """
    from rich.cells import cell_len, set_cell_size

    shown = [visible(name) for name in names]
    room = min(max(map(cell_len, shown), default=0), LONGEST_NAME)
    digits = len(str(len(names)))
    left = width - digits - room - 2
    if len(names) - 1 > left:
        return ""
    gap = " " if 2 * len(names) - 3 <= left else ""
    lines = [
        f"{place:>{digits}} {set_cell_size(name, room)} {gap.join(line)}".rstrip()
        for place, (name, line) in enumerate(zip(shown, signs, strict=True), start=1)
    ]
    return "\n".join(lines)
