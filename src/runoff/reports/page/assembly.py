"""The page of a report: sections laid out by one template, with its style and script inside and nothing outside."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from runoff.display.charts._style import DARK, LIGHT, Palette
from runoff.display.grid import visible
from runoff.reports.page.pictures import Colours, Picture, picture, sketch
from runoff.reports.page.tables import LONGEST_NAME, Table, table
from runoff.reports.sections import Content, Fact, Section

if TYPE_CHECKING:
    from markupsafe import Markup

    from runoff.display.charts import Chart
    from runoff.verdicts import Doubt

FOLDER: Final = Path(__file__).parent
DRAWERS: Final = 2
"""Charts that are drawn at once: one is drawn outside of Python while another is made smaller."""
_SHARED: Final = ("ink", "paper", "soft", "line", "band", "accent")
_NAME: Final = re.compile(rf"(?<!\S)(?=\S*-)\S{{1,{LONGEST_NAME}}}(?!\S)")
"""A word that a browser would break at its hyphen, such as the name of a run."""


@dataclass(frozen=True, kw_only=True)
class Chapter:
    """A section as the template shows it: `first_picture` and `excerpt` at once, the rest folded where `is_open`."""

    name: str
    label: str
    question: str
    is_open: bool
    method: tuple[str, ...]
    sources: tuple[str, ...]
    drawings: tuple[Picture, ...]
    answer: str
    sentence: str
    facts: tuple[Fact, ...]
    points: tuple[Doubt, ...]
    excerpt: Table | None
    first_picture: Picture | None
    paragraphs: tuple[str, ...]
    code: tuple[str, ...]
    pictures: tuple[Picture, ...]
    tables: tuple[Table, ...]


def render_page(title: str, about: str, sections: Sequence[tuple[Section, Content]], *, full: bool = False) -> str:
    """The whole report as one HTML document.

    about  what the board is, in a line below its title
    full   unfold everything, with drawings that explain the methods and every chart in characters, too
    """
    import jinja2

    colours = Colours()
    keyed = [item for section, content in sections for item in _charts(section, content, full=full)]
    with ThreadPoolExecutor(DRAWERS) as pool:
        drawn = pool.map(lambda item: sketch(item[1], item[0], as_text=full), keyed)
        pictures = {shown.key: shown for shown in (picture(sketched, colours) for sketched in drawn)}
    chapters = [_chapter(section, content, pictures) for section, content in sections]
    style, script = render_style(colours), render_script()
    templates = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    templates.filters["unbroken"] = unbroken
    return templates.get_template("page.html").render(
        title=visible(title),
        about=visible(about),
        chapters=chapters,
        places={chapter.name: f"{chapter.name}-more" if chapter.is_open else chapter.name for chapter in chapters},
        full=full,
        style=style,
        script=script,
        policy=_policy(style, script),
    )


def unbroken(text: str) -> Markup:
    """A text in which no name breaks at a hyphen.

    >>> str(unbroken("bm25-tuned < ash"))
    '<span class="nb">bm25-tuned</span> &lt; ash'
    """
    from markupsafe import Markup, escape

    parts, end = [], 0
    for name in _NAME.finditer(text):
        parts += [escape(text[end : name.start()]), Markup('<span class="nb">{}</span>').format(name[0])]
        end = name.end()
    return Markup("").join([*parts, escape(text[end:])])


def _charts(section: Section, content: Content, *, full: bool) -> list[tuple[str, Chart]]:
    """The charts of a section, each with the key of its picture: method, at once, folded."""
    kinds = {
        "m": section.drawings() if full else (),
        "p": () if content.first_chart is None else (content.first_chart,),
        "f": content.charts,
    }
    return [
        (f"{section.name}-{kind}{number}", chart)
        for kind, charts in kinds.items()
        for number, chart in enumerate(charts, start=1)
    ]


def _chapter(section: Section, content: Content, pictures: dict[str, Picture]) -> Chapter:
    def of(kind: str) -> tuple[Picture, ...]:
        return tuple(drawn for key, drawn in pictures.items() if key.startswith(f"{section.name}-{kind}"))

    return Chapter(
        name=section.name,
        label=section.label,
        question=section.question,
        is_open=section.is_open,
        method=section.method,
        sources=section.sources,
        drawings=of("m"),
        answer=visible(content.answer),
        sentence=visible(content.sentence),
        facts=tuple(
            Fact(name=visible(fact.name), value=visible(fact.value), more=visible(fact.more)) for fact in content.facts
        ),
        points=tuple(replace(point, sentence=visible(point.sentence)) for point in content.points),
        excerpt=None if content.excerpt is None else table(content.excerpt, f"{section.name}-e1"),
        first_picture=next(iter(of("p")), None),
        paragraphs=tuple(map(visible, content.paragraphs)),
        code=tuple(map(visible, content.code)),
        pictures=of("f"),
        tables=tuple(table(grid, f"{section.name}-t{number}") for number, grid in enumerate(content.tables, start=1)),
    )


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
    style_hash, script_hash = (
        base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii") for text in (style, script)
    )
    return (
        f"default-src 'none'; style-src 'sha256-{style_hash}'; script-src 'sha256-{script_hash}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
