"""Pieces of a Vega-Lite specification as short calls: encodings, tooltips, layers, legends, places for labels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from runoff.display.charts._style import SHAPES, Style, letters_on

Spec: TypeAlias = dict[str, Any]
Tip: TypeAlias = tuple[str, str] | tuple[str, str, str | None]
"""Field and title of a text in a tooltip; with a format, or None for any, of a number."""


def finite(value: float) -> float | None:
    """A value for a specification, which has no NaN and no infinity."""
    return float(value) if math.isfinite(value) else None


def nominal(field: str, title: str | None = None, **more: Any) -> Spec:
    """An encoding of names."""
    return {"field": field, "type": "nominal", "title": title, **more}


def quantitative(field: str, title: str | None = None, **more: Any) -> Spec:
    """An encoding of numbers."""
    return {"field": field, "type": "quantitative", "title": title, **more}


def numbers(title: str | None = None, scale: Spec | None = None, **axis: Any) -> Spec:
    """An encoding of numbers for any `field`: the axis has this title, this scale and these settings."""
    more = {"scale": scale, "axis": axis}
    return {"type": "quantitative", "title": title, **{key: value for key, value in more.items() if value}}


def exactly(low: float, high: float, **more: Any) -> Spec:
    """A scale from one value to another."""
    return {"domain": [low, high], "nice": False, **more}


OWN_COLOURS: Final[Spec] = {"scale": {"color": "independent"}}
"""Lets every layer have colours of its own."""
NOT_FROM_ZERO: Final[Spec] = {"zero": False, "nice": False, "padding": 8}
"""A scale of the values that there are, with a margin."""


def words_as(
    field: str, words: Sequence[str], looks: Sequence[str], title: str | None = None, *, legend: Any = True
) -> Spec:
    """An encoding of a few words as colours or shapes; `legend` is its settings, None for no legend."""
    shown: Spec = {} if legend is True else {"legend": legend}
    return nominal(field, title, scale={"domain": list(words), "range": list(looks)}, **shown)


def legend_above(columns: int | None = None, **more: Any) -> Spec:
    """The settings of a legend in a line above the chart, or in some columns."""
    return {"orient": "top", "direction": "horizontal", **({"columns": columns} if columns else {}), **more}


def panel(width: float, height: float, *layers: Spec, values: list[Spec] | None = None, **more: Any) -> Spec:
    """A plot of this many pixels: its layers, on data of their own or on `values`."""
    data: Spec = {} if values is None else {"data": {"values": values}}
    return {**data, "width": round(width), "height": round(height), "layer": list(layers), **more}


def text(field: str = "label") -> Spec:
    """The encoding of a field as letters."""
    return {"field": field, "type": "nominal"}


def tooltip(*tips: Tip) -> list[Spec]:
    """What a mark says when one points at it.

    >>> tooltip(("name", "Run"), ("mean", "Mean", ".4f"))[1]
    {'field': 'mean', 'type': 'quantitative', 'title': 'Mean', 'format': '.4f'}
    """
    encodings = []
    for field, title, *formats in tips:
        encoding = quantitative(field, title) if formats else nominal(field, title)
        encodings.append(encoding | ({"format": formats[0]} if formats and formats[0] else {}))
    return encodings


def ends_tips(number: str | None) -> tuple[Tip, Tip]:
    """The ends of a 95% interval, in the fields `low` and `high`, in a tooltip."""
    return ("low", "95% from", number), ("high", "to", number)


def layer(
    mark: str, encoding: Spec, values: list[Spec] | None = None, where: tuple[str, object] | None = None, **look: Any
) -> Spec:
    """Marks of one type, on data of their own if `values` are given, of the rows in which a field has one value."""
    data: Spec = {} if values is None else {"data": {"values": values}}
    chosen: Spec = {} if where is None else {"transform": [{"filter": {"field": where[0], "equal": where[1]}}]}
    return {**data, **chosen, "mark": {"type": mark, **look}, "encoding": encoding}


def points(encoding: Spec, style: Style, values: list[Spec] | None = None, size: int = 50, **look: Any) -> Spec:
    """Filled points, smaller in print."""
    size = size if style.size != "print" else round(size * 0.34)
    return layer("point", encoding, values, **({"filled": True, "opacity": 1, "size": size} | look))


def label_layers(
    axes: Spec, values: list[Spec] | None, sides: Iterable[tuple[str, Spec]], field: str = "align", **look: Any
) -> list[Spec]:
    """The labels of points, those on each side of their point with their own look; `field` names the side."""
    layers = []
    for side, more in sides:
        own = None if values is None else [row for row in values if row[field] == side]
        where = (field, side) if values is None else None
        layers.append(layer("text", axes | {"text": text()}, own, where=where, **more, **look))
    return layers


def zero_line(axis: str, encoding: Spec, colour: str, **look: Any) -> Spec:
    """The line of no difference across an axis."""
    at = {key: value for key, value in encoding.items() if key != "field"} | {"datum": 0}
    return layer("rule", {axis: at}, [{}], color=colour, **look)


def panel_title(title: str, style: Style, **more: Any) -> Spec:
    """The title of one of several panels."""
    look = {"fontSize": style.sheet.font, "fontWeight": "normal", "color": style.palette.soft, "frame": "group"}
    return {"text": title, **look, "offset": 4, **more}


class Kind(NamedTuple):
    """One kind of parts or cells: its word in the legend, its colour, and its sign in a cell and in text."""

    word: str
    colour: str
    sign: str = ""


def colour_of(
    kinds: Sequence[Kind], style: Style, *, title: str | None = None, below: bool = False, width: int | None = None
) -> Spec:
    """The encoding of the field `kind` as a colour, with a legend above or below; `width` is the room for it."""
    gap = round(2.2 * style.sheet.font)  # the symbol, and the space before the next one
    widths = [style.text_width(kind.word) + gap for kind in kinds]
    options = [-(-len(kinds) // rows) for rows in range(1, len(kinds) + 1)]
    room = style.sheet.width if width is None else width
    columns = next((n for n in options if sum(max(widths[at::n]) for at in range(n)) <= room), 1)
    legend = legend_above(columns, symbolType="square", symbolStrokeWidth=0) | ({"orient": "bottom"} if below else {})
    return words_as("kind", [kind.word for kind in kinds], [kind.colour for kind in kinds], title, legend=legend)


def letters_of(kinds: Sequence[Kind]) -> Spec:
    """The encoding of the field `kind` as the colour of letters on it."""
    return words_as("kind", [kind.word for kind in kinds], [letters_on(kind.colour) for kind in kinds], legend=None)


def signs_note(kinds: Iterable[Kind]) -> str:
    """What the signs of a text mean, in a line.

    >>> signs_note([Kind("yes", "#000000", "█"), Kind("no", "#ffffff", "·")])
    '█ yes, · no.'
    """
    return ", ".join(f"{kind.sign} {kind.word}" for kind in kinds) + "."


def series(field: str, labels: Sequence[str], style: Style, title: str | None = None, columns: int = 3) -> Spec:
    """Colour and shape of a few runs or sizes that lines join, with a legend below."""
    legend = {"orient": "bottom", "symbolOpacity": 1, "columns": columns if style.size == "page" else 1}
    colours = words_as(field, labels, style.palette.series, title, legend=legend)
    return {"color": colours, "shape": words_as(field, labels, SHAPES, title)}


def grey_lines(encoding: Spec, values: list[Spec], style: Style, *, runs: int) -> list[Spec]:
    """The lines of all other runs, if any, one per value of the field `key`; fainter where there are many."""
    width, opacity = (0.7, 0.5) if runs > 30 else (1.2, 0.75)
    lines = encoding | {"detail": {"field": "key", "type": "nominal"}}
    look: Spec = {"color": style.palette.neutral, "strokeWidth": width, "opacity": opacity}
    return [layer("line", lines, values, **look)] if values else []


class Place(NamedTuple):
    """Where a label can be: its ends and its level in pixels, and how it is aligned to its point."""

    left: float
    right: float
    level: float
    align: str = ""
    label: str = ""


def first_free(options: Iterable[Place], taken: list[Place], width: float, apart: float) -> Place | None:
    """The first place in the plot that keeps `apart` from those taken, which it joins; None if there is none."""
    for option in options:
        is_free = all(
            option.right <= other.left or option.left >= other.right or abs(option.level - other.level) >= apart
            for other in taken
        )
        if is_free and option.left >= 0 and option.right <= width:
            taken.append(option)
            return option
    return None
