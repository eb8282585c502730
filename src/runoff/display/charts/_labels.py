"""Labels of charts: names of runs, teams and queries, made visible, short, and different from each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from runoff.display.grid import visible

ELLIPSIS: Final = "…"
NAMELESS: Final = "(no name)"
LONGEST_NAME: Final = 200
"""Characters of a name in a tooltip or a text alternative."""


def shown_name(name: str) -> str:
    r"""A whole name for a tooltip or a sentence.

    >>> shown_name("bm25\n")
    'bm25\\n'
    """
    return shorten(visible(name) or NAMELESS, LONGEST_NAME)


def shorten(text: str, limit: int) -> str:
    """A text of at most `limit` characters that keeps its beginning and its end, where names of one team differ.

    >>> shorten("colbert-v2-distilled-run-17", 16)
    'colbert-v…run-17'
    """
    if len(text) <= limit:
        return text
    tail = max((limit - 1) * 2 // 5, 0)
    head = max(limit - 1 - tail, 0)
    return text[:head] + ELLIPSIS + (text[-tail:] if tail else "")


def short_labels(names: Sequence[str], limit: int) -> tuple[str, ...]:
    """A label for every name, none longer than `limit` or equal to another; equal ones are numbered.

    >>> short_labels(["run", "x" * 9 + "a" + "y" * 9, "x" * 9 + "b" + "y" * 9], 9)
    ('run', 'xxxxx…yyy', 'xxx…y (2)')
    """
    taken: set[str] = set()
    labels = []
    for name in names:
        whole = visible(name) or NAMELESS
        label, number = shorten(whole, limit), 1
        while label in taken:
            number += 1
            mark = f" ({number})"
            label = shorten(whole, max(limit - len(mark), 1)) + mark
        taken.add(label)
        labels.append(label)
    return tuple(labels)


def fit(text: str, width: int) -> str:
    """A text in exactly `width` characters of a terminal, shortened or filled with blanks.

    >>> fit("oak", 5), fit("colbert-v2", 6)
    ('oak  ', 'col…v2')
    """
    from rich.cells import cell_len, set_cell_size

    limit = width
    while cell_len(short := shorten(text, limit)) > width:  # letters that take two places
        limit -= 1
    return set_cell_size(short, width)


def names_column(names: Iterable[str], width: int, *, share: float = 1 / 3) -> int:
    """How wide a column of names is in a page of `width` characters: a third of it at most, or another share."""
    from rich.cells import cell_len

    return min(max(map(cell_len, names), default=0), max(int(width * share), 8))
