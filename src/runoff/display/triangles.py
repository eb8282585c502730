"""A triangle in text: one character for every pair of ranked things."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from runoff.display.cells import visible

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
