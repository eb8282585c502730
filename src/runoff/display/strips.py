"""A strip of probabilities in text: one character per rank, darker where a rank is likelier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

SHADES: Final = "·░▒▓█"
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
    return "".join(SHADES[sum(cell >= step for step in STEPS)] for cell in cells)
