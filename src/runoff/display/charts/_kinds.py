"""Kinds of things that stand beside each other in a chart: a word, a colour and a sign for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from runoff.display.charts._base import Spec
from runoff.display.charts._style import Style, letters_on


class Kind(NamedTuple):
    """One kind: its word in the legend, its colour, and its sign in a cell and in text."""

    word: str
    colour: str
    sign: str


def colour_of(kinds: Sequence[Kind], style: Style, *, title: str | None = None, below: bool = False) -> Spec:
    """The encoding of the field `kind` as a colour, with a legend that the sheet holds, above the cells or below."""
    widest = max(style.text_width(kind.word) for kind in kinds) + 3 * style.sheet.font
    columns = min(max(style.sheet.width // widest, 1), len(kinds))
    return {
        "field": "kind", "type": "nominal", "title": title,
        "scale": {"domain": [kind.word for kind in kinds], "range": [kind.colour for kind in kinds]},
        "legend": {"orient": "bottom" if below else "top", "direction": "horizontal", "columns": columns,
                   "symbolType": "square", "symbolStrokeWidth": 0},
    }  # fmt: skip


def letters_of(kinds: Sequence[Kind]) -> Spec:
    """The encoding of the field `kind` as the colour of letters on it."""
    return {
        "field": "kind", "type": "nominal", "legend": None,
        "scale": {"domain": [kind.word for kind in kinds], "range": [letters_on(kind.colour) for kind in kinds]},
    }  # fmt: skip


def stack_rows(row: Spec, kinds: Sequence[Kind], shares: Sequence[float], *, style: Style, width: float) -> list[Spec]:
    """The parts of one bar as rows of a table: where each begins and ends, and its share where that has room."""
    rows, start = [], 0.0
    for kind, share in zip(kinds, shares, strict=True):
        label = style.if_fits(f"{share:.1%}", share * width)
        rows.append({
            **row, "kind": kind.word, "share": share, "from": start, "to": start + share,
            "middle": start + share / 2, "label": label,
        })  # fmt: skip
        start += share
    return rows


def stack_layers(y: Spec, x: Spec, kinds: Sequence[Kind], *, colour: Spec, tooltip: list[Spec], style: Style) -> Spec:
    """Bars of shares and the shares in them, over the rows of `stack_rows`."""
    return {
        "layer": [
            {
                "mark": {"type": "bar", "stroke": style.palette.paper, "strokeWidth": 0.5},
                "encoding": {
                    "y": y, "x": {"field": "from", **x}, "x2": {"field": "to"}, "color": colour,
                    "tooltip": [*tooltip, {"field": "kind", "type": "nominal", "title": "Kind"},
                                {"field": "share", "type": "quantitative", "title": "Share", "format": ".2%"}],
                },
            },
            {
                "mark": {"type": "text", "fontSize": style.sheet.font - 1},
                "encoding": {
                    "y": y, "x": {"field": "middle", **x}, "text": {"field": "label", "type": "nominal"},
                    "color": letters_of(kinds),
                },
            },
        ],
        "resolve": {"scale": {"color": "independent"}},
    }  # fmt: skip


def stack_text(kinds: Sequence[Kind], shares: Sequence[float], width: int) -> str:
    """A bar of shares in characters, the sign of each kind as often as its share asks for.

    >>> kinds = [Kind("yes", "#000000", "█"), Kind("no", "#ffffff", "·")]
    >>> stack_text(kinds, [0.3, 0.7], 10)
    '███·······'
    """
    ends, total = [0], 0.0
    for share in shares:
        total += share
        ends.append(min(round(width * total), width))
    return "".join(kind.sign * (ends[at + 1] - ends[at]) for at, kind in enumerate(kinds))


def signs_note(kinds: Sequence[Kind]) -> str:
    """What the signs of a text mean, in a line.

    >>> signs_note([Kind("yes", "#000000", "█"), Kind("no", "#ffffff", "·")])
    '█ yes, · no.'
    """
    return ", ".join(f"{kind.sign} {kind.word}" for kind in kinds) + "."
