"""How a table that is too wide is cut into narrower ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Need:
    """The room one column asks for: `least` to be readable, `ideal` to wrap nothing."""

    least: int
    ideal: int


@dataclass(frozen=True)
class Fold:
    """The columns of one narrow table, by place, and the width each gets."""

    places: tuple[int, ...]
    widths: tuple[int, ...]


def fold(needs: Sequence[Need], width: int, *, gap: int, repeat_first: bool) -> tuple[Fold, ...]:
    """Spread columns over as few tables as fit the width, left to right, the first column leading each.

    A column that is too wide alone still gets the least it needs, so nothing is ever cut off.

    >>> fold([Need(5, 5), Need(6, 6), Need(6, 6)], 16, gap=2, repeat_first=True)
    (Fold(places=(0, 1), widths=(5, 6)), Fold(places=(0, 2), widths=(5, 6)))
    """
    head = [0] if repeat_first else []
    groups = [list(head)]
    for place in range(len(head), len(needs)):
        wanted = [*groups[-1], place]
        room = sum(needs[at].least for at in wanted) + gap * (len(wanted) - 1)
        if room > width and len(groups[-1]) > len(head):
            groups.append([*head, place])
        else:
            groups[-1] = wanted
    return tuple(Fold(tuple(group), _widths([needs[at] for at in group], width, gap)) for group in groups)


def _widths(needs: Sequence[Need], width: int, gap: int) -> tuple[int, ...]:
    spare = max(0, width - sum(need.least for need in needs) - gap * (len(needs) - 1))
    widths = []
    for need in needs:
        more = min(spare, need.ideal - need.least)
        widths.append(need.least + more)
        spare -= more
    return tuple(widths)
