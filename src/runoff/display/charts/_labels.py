"""Labels of charts: names of runs, teams and queries, made visible, short, and different from each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

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


class TextRow(NamedTuple):
    """One line of a chart in characters: what is before and behind its drawing, which gets the room that is left."""

    before: tuple[str, ...]
    draw: Callable[[int], str] = lambda _: ""
    after: str = ""


def text_rows(
    rows: Sequence[TextRow], width: int, align: str = "<", head: tuple[str, ...] = (), share: float = 1 / 3
) -> list[str]:
    """Lines of at most `width` characters in columns.

    align  `<` or `>` for every column before the drawing
    head   the headings of these columns, of the drawing and of what is behind it
    share  of the width that a column takes at most

    >>> text_rows([TextRow(("ash", "1"), lambda room: "#" * room), TextRow(("birch", "12"))], 16, "<>")
    ['ash     1  #####', 'birch  12']
    """
    columns = zip(*([head[:-2]] if head else []), *(row.before for row in rows), strict=True)
    widths = [names_column(cells, width, share=share) for cells in columns]
    after = max((len(row.after) for row in rows), default=0)
    after = max(after, len(head[-1])) if head and after else after
    room = max(width - sum(widths) - 2 * len(widths) - (after and after + 2), 1)
    heading = [TextRow(head[:-2], lambda room: fit(head[-2], room), head[-1])] if head else []
    lines = []
    for row in (*heading, *rows):
        cells = [
            fit(cell, wide) if side == "<" else fit(cell, min(len(cell), wide)).rjust(wide)
            for cell, wide, side in zip(row.before, widths, align, strict=True)
        ]
        lines.append("  ".join([*cells, row.draw(room).ljust(room), row.after]).rstrip())
    return lines


def names_column(names: Iterable[str], width: int, *, share: float = 1 / 3) -> int:
    """How wide a column of names is in a page of `width` characters: a third of it at most, or another share."""
    from rich.cells import cell_len

    return min(max(map(cell_len, names), default=0), max(int(width * share), 8))


def block_bar(value: float, longest: float, block: str = "█", least: int = 1) -> Callable[[int], str]:
    """How to draw a bar in the room that a line has: all of it for the longest, and at least some characters."""
    return lambda room: block * max(round(value / (longest or 1.0) * room), least)
