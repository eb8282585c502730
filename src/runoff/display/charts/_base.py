"""The contract of every chart: one picture of a numeric result, as a drawing, as text and in a sentence."""

from __future__ import annotations

import hashlib
import json
import re
import textwrap
import threading
from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, Self

from runoff.choices import FIGURE_SUFFIXES
from runoff.display.charts._spec import Spec
from runoff.display.charts._style import Size, Style
from runoff.display.grid import visible
from runoff.display.rounding import rounded_spec, rounded_text
from runoff.errors import MissingExtraError, UsageError, needs_extra
from runoff.phrases import counted

if TYPE_CHECKING:
    import altair as alt

SCHEMA: Final = "https://vega.github.io/schema/vega-lite/v6.4.1.json"
"""The name of the language that a specification is written in; nothing is loaded from there."""
VERSION: Final = "6.4"
"""The version of Vega-Lite that draws the pictures."""
SUFFIXES: Final = FIGURE_SUFFIXES
"""The picture files that `to_file` knows."""
# Both only inside tags, and there only as what names or uses a part: a run may be called 'url(#gradient_0)'.
_TAG: Final = re.compile(r"<[^>]*>")
_ID: Final = re.compile(r'(?<=\s)(id="|(?:xlink:)?href="#|(?:fill|stroke|clip-path|mask|filter)="url\(#)([^")]+)')


@dataclass(frozen=True, kw_only=True)
class DrawableChart:
    """A chart ready to be drawn: nothing but text, so it holds no more than its picture shows.

    spec         Vega-Lite as JSON
    least_width  pixels that the title needs in a wider font than the chart is laid out with
    """

    name: str
    title: str
    summary: str
    spec: str
    least_width: float

    def to_svg(self) -> str:
        """The picture as SVG; screen readers say its title and text alternative."""
        drawn = _engine().vegalite_to_svg(self.spec, vl_version=VERSION, allowed_base_urls=[])
        drawn = self._widened(with_own_ids(drawn, self.name))
        title, summary = escape(self.title), escape(self.summary)
        start, bracket, rest = drawn.partition(">")
        return (
            f'{start} role="img" aria-label="{title}. {summary}"{bracket}'
            f"<title>{title}</title><desc>{summary}</desc>{rest}"
        )

    def _widened(self, svg: str) -> str:
        """The drawing with room for its title; only small charts need it."""
        size = re.match(r'<svg[^>]* width="([\d.]+)" height="([\d.]+)"', svg)
        if size is None or self.least_width <= float(size[1]):
            return svg
        width, height = size.groups()
        for place in (' width="{0}" height="{1}" viewBox="0 0 {0} {1}"', '<rect width="{0}" height="{1}"'):
            svg = svg.replace(place.format(width, height), place.format(self.least_width, height), 1)
        return svg


class Words(NamedTuple):
    """The words of a chart.

    title     the question that it answers, and of how much where it does not show all
    summary   what a person would say who sees the chart, for one who does not
    subtitle  what the numbers rest on
    notes     below the chart in text: what is written in it
    """

    title: str
    summary: str
    subtitle: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Chart(ABC):
    """A chart of a frozen numeric result; the same result gives the same bytes.

    A subclass names the result as its first field, and writes `name`, `description`, `words`, `text_lines` and
    `view`. Names of runs, teams and queries pass through `_labels` before they are shown.
    """

    name: ClassVar[str]
    """What it is called in a file name or on a command line."""
    description: ClassVar[str]
    """One sentence that says what such a chart shows."""

    empty: ClassVar[str] = ""
    """The error where the first field holds nothing; none if that may be."""

    style: Style = field(default_factory=Style, kw_only=True)
    digits: int | None = field(default=None, kw_only=True)
    """The most digits that the drawing and its words show of any number; None for all that it has."""

    def __post_init__(self) -> None:
        most = getattr(self, "most", 1)
        if most < 1:
            raise UsageError(f"most={most} cannot be used; expected 1 or more; leave it out")
        first = next(part.name for part in fields(self) if not part.kw_only)
        if self.empty and not getattr(self, first):
            raise UsageError(self.empty)

    @abstractmethod
    def words(self) -> Words:
        """Title, summary, subtitle and notes, computed from the data."""

    @cached_property
    def _words(self) -> Words:
        return self.words()

    @property
    def title(self) -> str:
        """What this chart shows, and of how much where it does not show all."""
        return self._words.title

    @property
    def subtitle(self) -> str:
        """What the numbers rest on."""
        return self._words.subtitle

    @property
    def summary(self) -> str:
        """What a person would say who sees the chart, with as many digits as it shows."""
        return self._shorter(self._words.summary)

    @abstractmethod
    def text_lines(self, width: int) -> list[str]:
        """The chart in characters, line by line, below its title."""

    def key(self) -> tuple[str, ...]:
        """What the characters mean, below the chart in text and before its notes."""
        return ()

    @abstractmethod
    def view(self) -> Spec:
        """Data, marks and encodings in Vega-Lite; `spec` adds title, colours and description."""

    def in_style(self, *, dark: bool = False, size: Size = "page") -> Self:
        """The same chart for dark paper, or for a `phone` or a column in `print`."""
        return replace(self, style=Style(dark=dark, size=size))

    def rounded(self, value: float) -> float:
        """A number that is drawn in text, with as many digits as the chart shows."""
        return value if self.digits is None else round(value, self.digits)

    def with_digits(self, digits: int) -> Self:
        """The same chart for people who may see this number of digits of a score."""
        return replace(self, digits=digits)

    def _shorter(self, text: str) -> str:
        return text if self.digits is None else rounded_text(text, self.digits)

    def spec(self, *, schema: bool = True) -> Spec:
        """The chart in Vega-Lite with its data inside; without `schema` it holds no address at all."""
        head: Spec = {"$schema": SCHEMA} if schema else {}
        style = self.style
        title: Spec = {"text": style.wrapped(visible(self.title), scale=1.25)}
        if self.subtitle:
            title["subtitle"] = style.wrapped(self._shorter(visible(self.subtitle)))
        head |= {"description": self.summary, "title": title, "background": style.palette.paper}
        head |= {"padding": 4 if style.size == "print" else 12}
        view = self.view() if self.digits is None else rounded_spec(self.view(), self.digits)
        return {**head, **view, "config": style.config()}

    def to_json(self, *, schema: bool = True) -> str:
        """`spec` as JSON text that can stand inside a script element: it holds no `<`, `>` or `&`."""
        return _as_json(self.spec(schema=schema))

    def to_svg(self) -> str:
        """The picture as SVG, drawn without a browser; screen readers say its title and text alternative."""
        return self.drawn(self.spec())

    def drawn(self, spec: Spec) -> str:
        """The picture of a specification of this chart as SVG: of its own `spec`, or of one with other colours."""
        return self.drawable(spec).to_svg()

    def drawable(self, spec: Spec | None = None) -> DrawableChart:
        """The chart ready to be drawn, from its own `spec` or another; the data behind it is not part of it."""
        spec = self.spec() if spec is None else spec
        least_width = self.style.title_width(spec["title"]) + 2 * spec["padding"]
        return DrawableChart(
            name=self.name,
            title=visible(self.title),
            summary=self.summary,
            spec=_as_json(spec),
            least_width=least_width,
        )

    def to_png(self, scale: float = 2.0) -> bytes:
        """The picture as PNG; with a scale of 1 a pixel of the style is one of the file."""
        png: bytes = _engine().vegalite_to_png(self.to_json(), vl_version=VERSION, scale=scale, allowed_base_urls=[])
        return png

    def to_pdf(self) -> bytes:
        """The picture as PDF, with its letters inside."""
        pdf: bytes = _engine().vegalite_to_pdf(self.to_json(), vl_version=VERSION, allowed_base_urls=[])
        return pdf

    def to_file(self, suffix: str) -> bytes:
        """The picture as the bytes of a file with one of SUFFIXES."""
        if suffix.lower() == ".svg":
            return self.to_svg().encode("utf-8")
        if suffix.lower() == ".png":
            return self.to_png()
        if suffix.lower() == ".pdf":
            return self.to_pdf()
        raise UsageError(f"'{suffix}' is no kind of picture; expected {', '.join(SUFFIXES)}; choose one of these")

    def to_altair(self) -> alt.TopLevelMixin:
        """The chart as an altair object, to change it further."""
        with needs_extra("an altair chart", "altair"):
            import altair as alt

        made: alt.TopLevelMixin = alt.Chart.from_dict(self.spec())
        return made

    def to_text(self, width: int = 80) -> str:
        """The chart in characters."""
        title = textwrap.wrap(visible(self.title), width, break_on_hyphens=False)
        notes = [
            line
            for note in (*self.key(), *self._words.notes)
            for line in textwrap.wrap(note, width, break_on_hyphens=False)
        ]
        parts = ["\n".join(part) for part in (title, self.text_lines(width), notes) if part]
        return self._shorter("\n\n".join(parts) + "\n")

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, object]:  # noqa: ARG002
        """What a notebook shows. Not by altair, whose page would load a program from elsewhere."""
        bundle: dict[str, object] = {"application/vnd.vegalite.v6+json": self.spec(), "text/plain": str(self)}
        with suppress(MissingExtraError):
            bundle["image/svg+xml"] = self.to_svg()
        return bundle

    def __str__(self) -> str:
        return self.to_text().rstrip("\n")


def _as_json(spec: Spec) -> str:
    text = json.dumps(spec, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def with_own_ids(svg: str, name: str) -> str:
    """A drawing whose ids are made from its own content.

    Vega numbers gradients and clips from the start of the program on, so that the same chart has other ids the second
    time. Here they are the name, a checksum of the drawing and a number, so that two drawings in one page share none.

    >>> with_own_ids('<svg><g id="clip7"/><g clip-path="url(#clip7)"/></svg>', "bars")
    '<svg><g id="bars-17771b17-0"/><g clip-path="url(#bars-17771b17-0)"/></svg>'
    """
    places: dict[str, int] = {}

    def numbered(start: str) -> str:
        def one(found: re.Match[str]) -> str:
            return f"{found[1]}{start}{places.setdefault(found[2], len(places))}"

        return _TAG.sub(lambda tag: _ID.sub(one, tag[0]), svg)

    plain = numbered("")
    return numbered(f"{name}-{hashlib.sha256(plain.encode()).hexdigest()[:8]}-") if places else svg


def start_drawing() -> None:
    """Start the engine that draws in a thread of its own, so that drawing later need not wait a second for it.

    Without the engine this is a MissingExtraError at once, before any work that would end in a drawing.
    """
    engine = _engine()

    def start() -> None:
        engine.vegalite_to_svg({"mark": "bar"}, vl_version=VERSION, allowed_base_urls=[])

    threading.Thread(target=start, name="start-drawing", daemon=True).start()


def _engine() -> Any:
    with needs_extra("drawing charts", "charts"):
        import vl_convert
    return vl_convert


def rank_ticks(last: int) -> list[int]:
    """The ranks that an axis names: the first, and then whole steps, not more than about eight.

    >>> rank_ticks(5), rank_ticks(12), rank_ticks(70)
    ([1, 2, 3, 4, 5], [1, 4, 6, 8, 10, 12], [1, 10, 20, 30, 40, 50, 60, 70])
    """
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 10**9) if last / step <= 8)
    return [1, *range(step if step > 2 else 2 * step, last + 1, step)]


def first_of(shown: int, total: int, what: str, which: str = "first") -> str:
    """What a title adds where it shows the first of more.

    >>> first_of(40, 150, "pairs"), first_of(12, 12, "pairs")
    (', the first 40 of 150 pairs', '')
    """
    return "" if shown >= total else f", the {which} {shown:,} of {total:,} {what}"


def best_of(shown: int, total: int) -> str:
    """What a title adds where it shows the best of more runs."""
    return first_of(shown, total, "runs", "best")


def more_of(count: int, noun: str) -> str:
    """What a summary adds for those that it leaves out.

    >>> more_of(1, "run"), more_of(20, "pair"), more_of(0, "pair")
    (' 1 more run follows.', ' 20 more pairs follow.', '')
    """
    return f" {counted(count, f'more {noun}')} {'follows' if count == 1 else 'follow'}." if count else ""
