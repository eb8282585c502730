"""Charts as small SVG that follows the light or dark theme of the page around it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from runoff.reports.charts import Chart, Size

TEXT_WIDTH: Final = 96
"""Characters on a line of a chart in text."""

# What people wrote stands between tags, with its signs < and > escaped: it is matched first, and left alone.
_WORDS: Final = r">[^<]*"
_COLOUR: Final = re.compile(_WORDS + r'|(?<=[a-z]=")(#[0-9a-fA-F]{3,6}|rgba?\([^)"]*\))(?=")')
# The whole picture has one role and one label; what each mark says beside it is for machines that have the tables.
_MARK_WORDS: Final = r' (?:aria-[a-z]+|role|class|xmlns:xlink|version|font-style|cursor)="[^"]*"'
_FAT: Final = re.compile(rf"({_WORDS})|{_MARK_WORDS}|(\d+\.\d\d)\d+")
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


@dataclass(frozen=True, kw_only=True)
class Sketch:
    """A chart drawn in both themes, before its colours have names; each pair is light and dark."""

    chart: Chart
    key: str
    wide: tuple[str, str]
    narrow: tuple[str, str]
    text: str


def sketch(chart: Chart, key: str) -> Sketch:
    """Draw a chart for a page; its ids begin with the key, so that no two pictures share one."""
    return Sketch(
        chart=chart,
        key=key,
        wide=_both(chart, "page", f"{key}-w"),
        narrow=_both(chart, "phone", f"{key}-n"),
        text=chart.to_text(TEXT_WIDTH),
    )


def picture(drawn: Sketch, colours: Colours) -> Picture:
    """A drawing whose colours are names of `colours`, which it adds to."""
    return Picture(
        key=drawn.key,
        title=drawn.chart.title,
        wide=_named(drawn.chart, drawn.wide, colours),
        narrow=_named(drawn.chart, drawn.narrow, colours),
        text=drawn.text,
    )


def _both(chart: Chart, size: Size, key: str) -> tuple[str, str]:
    light, dark = (_slim(chart.in_style(size=size, dark=is_dark).to_svg(), key) for is_dark in (False, True))
    return light, dark


def _named(chart: Chart, drawings: tuple[str, str], colours: Colours) -> str:
    """One drawing for two that differ in their colours alone."""
    (light, its_colours), (dark, others) = map(_parts, drawings)
    if light != dark or len(its_colours) != len(others):
        raise AssertionError(f"{chart.name} is not drawn alike in light and dark")  # a fault of ours, not of the user
    names = [f"var({colours.name(*pair)})" for pair in zip(its_colours, others, strict=True)]
    return "".join(part for both in zip(light, [*names, ""], strict=True) for part in both)


def _parts(svg: str) -> tuple[list[str], list[str]]:
    """What stands between the colours of a drawing, and the colours."""
    found = [match for match in _COLOUR.finditer(svg) if match[1]]
    ends = [0, *(match.end() for match in found)]
    starts = [*(match.start() for match in found), len(svg)]
    return [svg[end:start] for end, start in zip(ends, starts, strict=True)], [match[1] for match in found]


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
