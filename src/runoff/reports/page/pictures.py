"""Charts as small SVG that follows the light or dark theme of the page around it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from runoff.reports.charts import Chart

TEXT_WIDTH: Final = 96
"""Characters on a line of a chart in text."""

# Both only inside tags: what people wrote stands between them, with its signs < and > escaped.
_TAG: Final = re.compile(r"<[^>]*>")
_COLOUR: Final = re.compile(r'(?<=[a-z]=")(#[0-9a-fA-F]{3,6}|rgba?\([^)"]*\))(?=")')
# The whole picture has one role and one label; what each mark says beside it is for machines that have the tables.
_MARK_WORDS: Final = re.compile(r' (?:aria-[a-z]+|role|class|xmlns:xlink|version|font-style|cursor)="[^"]*"')
_LONG_NUMBER: Final = re.compile(r"(\d+\.\d\d)\d+")
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


def picture(chart: Chart, key: str, colours: Colours) -> Picture:
    """Draw a chart for a page; its ids begin with the key, so that no two pictures share one."""
    return Picture(
        key=key,
        title=chart.title,
        wide=_drawn(chart, f"{key}-w", colours),
        narrow=_drawn(chart.in_style(size="phone"), f"{key}-n", colours),
        text=chart.to_text(TEXT_WIDTH),
    )


def _drawn(chart: Chart, key: str, colours: Colours) -> str:
    """One drawing whose colours are names: drawn in both themes, which differ in colours alone."""
    size = chart.style.size
    light, dark = (_slim(chart.in_style(size=size, dark=is_dark).to_svg(), key) for is_dark in (False, True))
    others = iter([colour for tag in _TAG.findall(dark) for colour in _COLOUR.findall(tag)])

    def named(found: re.Match[str]) -> str:
        return f"var({colours.name(found[1], next(others))})"

    drawn = _TAG.sub(lambda tag: _COLOUR.sub(named, tag[0]), light)
    if next(others, None) is not None or _colourless(light) != _colourless(dark):
        raise AssertionError(f"{chart.name} is not drawn alike in light and dark")  # a fault of ours, not of the user
    return drawn


def _colourless(svg: str) -> str:
    return _TAG.sub(lambda tag: _COLOUR.sub("", tag[0]), svg)


def _slim(svg: str, key: str) -> str:
    """The same drawing without what repeats its data, with shorter numbers and with ids of its own."""
    start, bracket, rest = svg.partition(">")
    end = rest.index("</desc>") + len("</desc>")
    said, drawing = rest[:end], rest[end:]
    drawing = _TAG.sub(lambda tag: _LONG_NUMBER.sub(r"\1", _MARK_WORDS.sub("", tag[0])), drawing)
    for number, name in enumerate(dict.fromkeys(_ID.findall(drawing))):
        own = f"{key}-{number}"
        drawing = drawing.replace(f'id="{name}"', f'id="{own}"').replace(f"url(#{name})", f"url(#{own})")
    start = re.sub(r' (?:xmlns:xlink|version|class)="[^"]*"', "", start)
    return f"{start}{bracket}{said}{drawing}"
