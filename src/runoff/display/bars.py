"""Shares in text: parts of a whole, told apart by their shading, so that a grey printout keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from runoff.display.cells import visible

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
    """The labels on as few lines as hold them; a label that is too long alone stands on its own line."""
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
