"""The house style of charts: one look, in light and dark, for a page, a phone and a printed column."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from runoff.errors import UsageError

Size: TypeAlias = Literal["page", "phone", "print"]

FONT: Final = "Helvetica, Arial, Liberation Sans, DejaVu Sans Condensed, DejaVu Sans, sans-serif"
"""Fonts of nearly the same widths: charts are laid out with one of them and read with another."""
LETTER: Final = 0.56
"""The width of a letter as a share of the font's size, on the wide side, so that what is laid out with it fits."""


@dataclass(frozen=True, kw_only=True)
class Palette:
    """The colours of one theme.

    first, second  two sides of a comparison, such as champion and challenger
    accent         the few things to look at first
    series         runs beside each other, with different shapes, too
    ramp           from unlikely to certain, even in grey
    """

    ink: str
    paper: str
    soft: str
    line: str
    band: str
    neutral: str
    strong: str
    first: str
    second: str
    accent: str
    series: tuple[str, ...]
    ramp: tuple[str, ...]


# The hues of Okabe & Ito, which people with any common colour vision can distinguish: Wong 2011,
# https://doi.org/10.1038/nmeth.1618. Yellow is left out, since it cannot be seen on white; blues are lighter on dark.
LIGHT: Final = Palette(
    ink="#1d2127", paper="#ffffff", soft="#5b6472", line="#d5d9e0", band="#f1f3f6", neutral="#c9ced6",
    strong="#5b6472", first="#e69f00", second="#0072b2", accent="#d55e00",
    series=("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#1d2127"),
    ramp=("#f7fafd", "#d6e6f4", "#85bcdb", "#2b7bba", "#08306b"),
)  # fmt: skip
DARK: Final = Palette(
    ink="#e4e7ec", paper="#15181d", soft="#9aa3b0", line="#343a44", band="#1e232a", neutral="#4a525e",
    strong="#9aa3b0", first="#e69f00", second="#56b4e9", accent="#ff8a4c",
    series=("#56b4e9", "#ff8a4c", "#2fc79a", "#e39cc3", "#e69f00", "#3f6fe0", "#e4e7ec"),
    ramp=("#1a2029", "#1f3a57", "#2f6ea5", "#7db8e4", "#e3f2ff"),
)  # fmt: skip
SHAPES: Final = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """The room that a chart has: width in pixels (points, in print), size of the letters, longest label, row height."""

    width: int
    font: int
    label: int
    row: int


SHEETS: Final[dict[Size, Sheet]] = {
    "page": Sheet(width=720, font=12, label=32, row=20),
    "phone": Sheet(width=350, font=11, label=18, row=18),
    "print": Sheet(width=252, font=7, label=24, row=11),
}
"""`print` is one column of a two-column paper, 3.5 inches."""


@dataclass(frozen=True, kw_only=True)
class Style:
    """How a chart looks: on light or dark paper, and for which sheet.

    >>> Style(dark=True, size="phone").sheet.width
    350
    """

    dark: bool = False
    size: Size = "page"

    def __post_init__(self) -> None:
        if self.size not in SHEETS:
            raise UsageError(
                f"there is no size {self.size!r}; expected one of {', '.join(SHEETS)}; choose one of these"
            )

    @property
    def palette(self) -> Palette:
        """The colours."""
        return DARK if self.dark else LIGHT

    @property
    def sheet(self) -> Sheet:
        """The room."""
        return SHEETS[self.size]

    def text_width(self, text: str) -> int:
        """About how many pixels a line of text takes."""
        return round(len(text) * self.sheet.font * LETTER)

    def if_fits(self, text: str, pixels: float) -> str:
        """A text, or nothing where it has no room."""
        return text if self.text_width(text) + 4 <= pixels else ""

    def plot_width(self, *labels: str, beside: int = 0) -> int:
        """The pixels that are left for a plot with these labels on its left and `beside` pixels taken on its right."""
        longest = max(map(self.text_width, labels), default=0)
        return max(self.sheet.width - longest - beside - 3 * self.sheet.font, self.sheet.width // 3)

    def row_height(self, rows: int) -> int:
        """The height of a row: less where there are many."""
        return self.sheet.row if rows <= 12 else max(round(self.sheet.row * 0.75), self.sheet.font + 1)

    def title_width(self, title: Mapping[str, Sequence[str]]) -> int:
        """About how many pixels the widest line of a title or subtitle takes, as `spec` has them."""
        heads = [round(self.text_width(line) * 1.3) for line in title["text"]]  # larger, and bold
        return max([*heads, *map(self.text_width, title.get("subtitle", ()))])

    def wrapped(self, text: str, *, scale: float = 1.0) -> list[str]:
        """A title as lines that the sheet holds; `scale` is the size of its letters beside those of the labels."""
        room = int(self.sheet.width / (self.sheet.font * LETTER * scale))
        return textwrap.wrap(text, room, break_on_hyphens=False) or [""]

    def config(self) -> dict[str, Any]:
        """The Vega-Lite configuration."""
        ink, size = self.palette, self.sheet.font
        part = min(size / 12, 1.0)  # gaps and strokes shrink with the letters
        return {
            "font": FONT,
            "view": {"stroke": None},
            "axis": {
                "labelColor": ink.ink, "titleColor": ink.soft, "domainColor": ink.line, "tickColor": ink.line,
                "gridColor": ink.line, "gridOpacity": 0.6, "labelFontSize": size, "titleFontSize": size,
                "titleFontWeight": "normal", "labelLimit": 0, "titlePadding": 8 * part, "tickSize": 4 * part,
                "labelSeparation": 6 * part, "gridWidth": part, "tickWidth": part, "domainWidth": part,
            },
            "axisY": {"domain": False, "ticks": False, "labelPadding": 6},
            "legend": {
                "labelColor": ink.ink, "titleColor": ink.soft, "labelFontSize": size, "titleFontSize": size,
                "titleFontWeight": "normal", "labelLimit": 0, "titleLimit": 0, "symbolSize": 100 * part**2,
                "gradientThickness": 16 * part, "rowPadding": 3 * part, "offset": 14 * part,
            },
            "title": {
                "anchor": "start", "frame": "bounds", "color": ink.ink, "fontSize": round(size * 1.25),
                "fontWeight": "bold", "subtitleColor": ink.soft, "subtitleFontSize": size, "subtitlePadding": 4,
                "offset": 14 * part, "limit": 0,
            },
            "text": {"color": ink.ink, "fontSize": size},
            "rule": {"color": ink.ink},
            "line": {"strokeWidth": 2 * part},
        }  # fmt: skip


def letters_on(colour: str) -> str:
    """Dark or light letters, whichever read better on a colour.

    >>> letters_on("#ffffff"), letters_on("#0072b2")
    ('#15181d', '#ffffff')
    """
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4) for part in parts]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "#15181d" if (luminance + 0.05) ** 2 >= 1.05 * (0.0091 + 0.05) else "#ffffff"
