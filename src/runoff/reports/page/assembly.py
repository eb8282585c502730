"""The page: sections laid out by one template, with its style and its script inside and nothing outside."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from runoff.display.cells import visible
from runoff.display.charts import Chart
from runoff.display.charts._style import DARK, LIGHT, Palette
from runoff.reports.page.pictures import Colours, Picture, picture, sketch
from runoff.reports.page.tables import Table, table
from runoff.reports.sections import Content, Fact, Section

FOLDER: Final = Path(__file__).parent
DRAWERS: Final = 2
"""Charts that are drawn at once: one is drawn outside of Python while another is made smaller."""
_SHARED: Final = ("ink", "paper", "soft", "line", "band", "accent")


@dataclass(frozen=True, kw_only=True)
class Chapter:
    """A section as the template shows it."""

    name: str
    label: str
    question: str
    method: tuple[str, ...]
    sources: tuple[str, ...]
    drawings: tuple[Picture, ...]
    answer: str
    sentence: str
    facts: tuple[Fact, ...]
    paragraphs: tuple[str, ...]
    code: tuple[str, ...]
    pictures: tuple[Picture, ...]
    tables: tuple[Table, ...]


def render_page(title: str, about: str, sections: Sequence[tuple[Section, Content]]) -> str:
    """The whole report as one HTML document.

    about  what the board is, in a line below its title
    """
    import jinja2

    colours = Colours()
    keyed = [one for section, content in sections for one in _charts(section, content)]
    with ThreadPoolExecutor(DRAWERS) as pool:
        drawn = pool.map(lambda one: sketch(one[1], one[0]), keyed)
        pictures = {one.key: one for one in (picture(sketched, colours) for sketched in drawn)}
    chapters = [_chapter(section, content, pictures) for section, content in sections]
    style = render_style(colours)
    script = render_script()
    templates = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    return templates.get_template("page.html").render(
        title=visible(title),
        about=visible(about),
        chapters=chapters,
        style=style,
        script=script,
        policy=_policy(style, script),
    )


def _charts(section: Section, content: Content) -> list[tuple[str, Chart]]:
    """The charts of a section, each with the key of its picture: those of the method, then those of the answer."""
    drawings = enumerate(section.drawings(), start=1)
    charts = enumerate(content.charts, start=1)
    return [
        *((f"{section.name}-m{number}", chart) for number, chart in drawings),
        *((f"{section.name}-f{number}", chart) for number, chart in charts),
    ]


def _chapter(section: Section, content: Content, pictures: dict[str, Picture]) -> Chapter:
    grids = enumerate(content.tables, start=1)
    return Chapter(
        name=section.name,
        label=section.label,
        question=section.question,
        method=section.method,
        sources=section.sources,
        drawings=_of(pictures, f"{section.name}-m"),
        answer=visible(content.answer),
        sentence=visible(content.sentence),
        facts=tuple(
            Fact(name=visible(fact.name), value=visible(fact.value), more=visible(fact.more)) for fact in content.facts
        ),
        paragraphs=tuple(map(visible, content.paragraphs)),
        code=tuple(map(visible, content.code)),
        pictures=_of(pictures, f"{section.name}-f"),
        tables=tuple(table(grid, f"{section.name}-t{number}") for number, grid in grids),
    )


def _of(pictures: dict[str, Picture], start: str) -> tuple[Picture, ...]:
    return tuple(one for key, one in pictures.items() if key.startswith(start))


def render_script() -> str:
    """The script of a page: theme, sorting and searching of tables, saving."""
    return (FOLDER / "page.js").read_text(encoding="utf-8")


def render_style(colours: Colours | None = None) -> str:
    """The style sheet behind the colours of both themes; dark is asked for by the system or by the button.

    colours  those of the pictures inside the page
    """
    colours = colours or Colours()
    light, dark = _theme(LIGHT, colours, dark=False), _theme(DARK, colours, dark=True)
    return (
        f"\n:root{{color-scheme:light;{light}}}\n"
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}\n"
        f":root[data-theme=dark]{{color-scheme:dark;{dark}}}\n"
        f"@media print{{:root:root:root{{color-scheme:light;{light}}}}}\n"
        + (FOLDER / "page.css").read_text(encoding="utf-8")
    )


def _theme(palette: Palette, colours: Colours, *, dark: bool) -> str:
    shared = "".join(f"--{name}:{getattr(palette, name)};" for name in _SHARED)
    return f"{shared}--link:{palette.second};{colours.css(dark=dark)}"


def _policy(style: str, script: str) -> str:
    """The content security policy: this style and this script, and nothing else at all."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
