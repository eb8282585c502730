"""Charts as small SVG that follows the light or dark theme of the page around it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from runoff.display.charts import Chart, Size

TEXT_WIDTH: Final = 96
"""Characters on a line of a chart in text."""

# What people wrote stands between tags, with its signs < and > escaped: before it a < comes next, inside a tag a >.
_COLOUR: Final = re.compile(r'="(#[0-9a-fA-F]{3,6}|rgba?\([^)"]*\))(?="[^<>]*>)')
# The whole picture has one role and one label; what each mark says beside it is for machines that have the tables.
_MARK_WORDS: Final = r' (?:aria-[a-z]+|role|class|xmlns:xlink|version|font-style|cursor)="[^"]*"'
_FAT: Final = re.compile(rf"(>[^<]*)|{_MARK_WORDS}|(\d+\.\d\d)\d+")
_ID: Final = re.compile(r'\bid="([^"]+)"')


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A chart on a page: drawn for a wide and for a narrow screen, and in characters."""

    key: str
    title: str
    wide: str
    narrow: str
    text: str


@dataclass(eq=False)
class Colours:
    """The colours of all pictures, each pair of a light and a dark one under a name."""

    names: dict[tuple[str, str], str] = field(default_factory=dict)

    def name(self, light: str, dark: str) -> str:
        """What a pair is called; the first pair is c0."""
        return self.names.setdefault((light, dark), f"--c{len(self.names)}")

    def css(self, *, dark: bool) -> str:
        """The values of all names in one theme."""
        return "".join(f"{name}:{pair[dark]};" for pair, name in self.names.items())


@dataclass(frozen=True)
class Drawing:
    """An SVG cut at its colours: what stands around them, and each in light and dark."""

    around: list[str]
    pairs: list[tuple[str, str]]

    def named(self, colours: Colours) -> str:
        """The SVG with a name for every colour; new names are added to `colours`."""
        names = [f'="var({colours.name(*pair)})' for pair in self.pairs]
        return "".join(part for both in zip(self.around, [*names, ""], strict=True) for part in both)


@dataclass(frozen=True, kw_only=True)
class Sketch:
    """A chart drawn before its colours have names."""

    chart: Chart
    key: str
    wide: Drawing
    narrow: Drawing
    text: str


def sketch(chart: Chart, key: str, *, as_text: bool = True) -> Sketch:
    """Draw a chart for a page; its ids begin with the key, so that no two pictures share one.

    as_text  in characters, too
    """
    return Sketch(
        chart=chart,
        key=key,
        wide=_drawing(chart, "page", f"{key}-w"),
        narrow=_drawing(chart, "phone", f"{key}-n"),
        text=chart.to_text(TEXT_WIDTH) if as_text else "",
    )


def picture(drawn: Sketch, colours: Colours) -> Picture:
    """A drawing whose colours are names of `colours`, which it adds to."""
    return Picture(
        key=drawn.key,
        title=drawn.chart.title,
        wide=drawn.wide.named(colours),
        narrow=drawn.narrow.named(colours),
        text=drawn.text,
    )


def _drawing(chart: Chart, size: Size, key: str) -> Drawing:
    """Draw once, with a colour of its own in place of each pair of light and dark.

    Where colours are mixed from others, as along a ramp (vega writes them as rgb), or where more than colours differs,
    no colour stands for a pair: such a chart is drawn twice.
    """
    light, dark = (chart.in_style(size=size, dark=is_dark) for is_dark in (False, True))
    pairs: dict[str, tuple[str, str]] = {}
    try:
        stand_ins = with_stand_ins(light.spec(), dark.spec(), pairs)
    except ValueError:
        return _both(light, dark, key)
    around, found = _cut(_slim(light.drawn(stand_ins), key))
    if any(colour.startswith("rgb") for colour in found):
        return _both(light, dark, key)
    return Drawing(around, [pairs.get(colour, (colour, colour)) for colour in found])


def with_stand_ins(light: object, dark: object, pairs: dict[str, tuple[str, str]]) -> Any:
    """A specification in which a colour stands for each pair of a light and a dark one; `pairs` learns what for what.

    >>> pairs = {}
    >>> with_stand_ins({"ink": "#000", "size": 3}, {"ink": "#fff", "size": 3}, pairs), pairs
    ({'ink': '#fe0000', 'size': 3}, {'#fe0000': ('#000', '#fff')})
    """
    if light == dark:
        return light
    if isinstance(light, dict) and isinstance(dark, dict):
        return {key: with_stand_ins(value, dark.get(key), pairs) for key, value in light.items()}
    if isinstance(light, list | tuple) and isinstance(dark, list | tuple):
        return [with_stand_ins(*both, pairs) for both in zip(light, dark, strict=True)]
    if isinstance(light, str) and isinstance(dark, str):
        named = {pair: name for name, pair in pairs.items()}
        pairs[name := named.get((light, dark), f"#fe{len(pairs):04x}")] = light, dark
        return name
    raise ValueError(f"{light!r} and {dark!r} differ in more than their colours")


def _both(light: Chart, dark: Chart, key: str) -> Drawing:
    """One drawing for two that differ in their colours alone."""
    (around, its_colours), (others, dark_colours) = (_cut(_slim(chart.to_svg(), key)) for chart in (light, dark))
    if around != others or len(its_colours) != len(dark_colours):
        raise AssertionError(f"{light.name} is not drawn alike in light and dark")  # a fault of ours, not of the user
    return Drawing(around, list(zip(its_colours, dark_colours, strict=True)))


def _cut(svg: str) -> tuple[list[str], list[str]]:
    """What stands between the colours of a drawing, and the colours."""
    parts = _COLOUR.split(svg)
    return parts[::2], parts[1::2]


def _slim(svg: str, key: str) -> str:
    """The same drawing without what repeats its data, with shorter numbers and with ids of its own."""
    start, bracket, rest = svg.partition(">")
    end = rest.index("</desc>") + len("</desc>")
    said, drawing = rest[:end], rest[end:]
    drawing = _FAT.sub(lambda found: found[1] or found[2] or "", drawing)
    for number, name in enumerate(dict.fromkeys(_ID.findall(drawing))):
        own = f"{key}-{number}"
        drawing = drawing.replace(f'id="{name}"', f'id="{own}"').replace(f"url(#{name})", f"url(#{own})")
    start = re.sub(r' (?:xmlns:xlink|version|class)="[^"]*"', "", start)
    return f"{start}{bracket}{said}{drawing}"
