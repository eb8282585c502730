"""HTML: tables for a notebook or a page, and a whole page that needs nothing else."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Final

from runoff.display._base import Format, Look, Showable
from runoff.display.grid import Column, Grid, ShownCell, legend_of, shown_columns, shown_rows, visible
from runoff.errors import MissingExtraError

if TYPE_CHECKING:
    from runoff.display.charts import Chart

TABLE_STYLE: Final = """\
table.runoff { border-collapse: collapse; min-width: min(100%, 30rem); table-layout: auto; margin-left: 0; }
.runoff caption { text-align: left; font-weight: 600; padding-block: .4em; max-width: calc(100vw - 2rem); }
.runoff th, .runoff td { padding: .3em .7em; vertical-align: top; }
.runoff :is(th, td):not(.number) { text-align: left; }
.runoff thead th { vertical-align: bottom; }
.runoff tbody th { font-weight: 500; overflow-wrap: anywhere; min-width: min(9rem, 30vw); }
.runoff tbody td:last-child:not(.number, .tail) { overflow-wrap: anywhere; min-width: min(9rem, 40vw); }
.runoff .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.runoff thead .number { white-space: normal; }
.runoff thead th.number[colspan] { text-align: center; }
.runoff td.led { padding-right: 0; }
.runoff td.tail { padding-left: .1em; font-size: .875em; white-space: nowrap; }
.runoff sup { font-size: .8em; line-height: 0; }
.runoff tfoot td { font-size: .875em; }
.runoff tfoot div { position: sticky; left: .8em; width: 0; min-width: min(100%, 100vw - 3.4rem, 74.6rem); }
"""
"""How tables are laid out; also in a notebook, whose own style would set names and notes to the right."""
STYLE: Final = f"""\
:root {{ color-scheme: light dark; --ink: #1d2127; --paper: #fff; --soft: #667; --line: #d5d9e0; --band: #f5f6f8; }}
@media (prefers-color-scheme: dark) {{
  :root {{ --ink: #e4e7ec; --paper: #15181d; --soft: #9aa3b0; --line: #343a44; --band: #1c2026; }}
}}
body {{ margin: 0 auto; max-width: 78rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif;
  color: var(--ink); background: var(--paper); }}
main > p:first-child {{ font-size: 1.125rem; font-weight: 600; }}
.runoff-scroll {{ overflow-x: auto; margin-block: 1.5rem; }}
{TABLE_STYLE}.runoff thead th {{ border-bottom: 2px solid var(--line); }}
.runoff tbody tr {{ border-bottom: 1px solid var(--line); }}
.runoff tbody tr:nth-child(even) {{ background: var(--band); }}
.runoff tfoot td {{ color: var(--soft); }}
"""


def render_html(grid: Grid) -> str:
    """A grid as one table element: caption, scopes for screen readers, column help as tooltips, notes in the foot.

    It carries class names and no style of its own.
    """
    columns, rows = shown_columns(grid), shown_rows(grid)
    tails = {place for row in rows for place, cell in enumerate(row) if cell.marks or cell.spread}
    lines = ['<table class="runoff">']
    if grid.title:
        lines.append(f"<caption>{_text(grid.title)}</caption>")
    headings = (_heading(column, tail=place in tails) for place, column in enumerate(columns))
    lines += ["<thead>", f"<tr>{''.join(headings)}</tr>", "</thead>", "<tbody>"]
    for row in rows:
        cells = (_cell(columns[place], place, cell, tail=place in tails) for place, cell in enumerate(row))
        lines.append(f"<tr>{''.join(cells)}</tr>")
    lines.append("</tbody>")
    notes = [*filter(None, [legend_of(grid)]), *grid.notes]
    if notes:
        across = len(columns) + len(tails)
        span = f' colspan="{across}"' if across > 1 else ""
        lines += ["<tfoot>", *(f"<tr><td{span}><div>{_text(note)}</div></td></tr>" for note in notes), "</tfoot>"]
    lines.append("</table>")
    return "\n".join(lines) + "\n"


def render_paragraphs(paragraphs: Sequence[str]) -> str:
    """Paragraphs as HTML, each followed by a line break."""
    return "".join(f"<p>{_text(paragraph)}</p>\n" for paragraph in paragraphs)


def render_chart_image(chart: Chart) -> str:
    """A chart as one image element with a text for screen readers; in characters where vl-convert is not installed.

    As an image its ids are its own, so that any number of charts can be on one page.
    """
    try:
        drawn = b64encode(chart.to_svg().encode("utf-8")).decode("ascii")
    except MissingExtraError:
        lines = map(_text, chart.to_text().splitlines())
        return "<pre>" + "\n".join(lines) + "</pre>\n"
    alternative = _text(f"{chart.title}. {chart.summary}")
    return f'<img class="runoff" style="max-width: 100%" alt="{alternative}" src="data:image/svg+xml;base64,{drawn}">\n'


def render_html_page(grids: Sequence[Grid], *, title: str | None = None, opening: Sequence[str] = ()) -> str:
    """A whole document with the given tables, light or dark as the reader's system is; no scripts, no addresses.

    The page is named after the first table where no title is given.
    """
    name = _text(title if title is not None else next((grid.title for grid in grids if grid.title), "runoff"))
    lines = ["<!doctype html>", '<html lang="en">', "<head>", '<meta charset="utf-8">']
    lines.append('<meta name="viewport" content="width=device-width, initial-scale=1">')
    lines += [f"<title>{name}</title>", f"<style>\n{STYLE}</style>", "</head>", "<body>", "<main>"]
    lines += render_paragraphs(opening).splitlines()
    for grid in grids:
        # A wide table scrolls in its own box, which the keyboard can reach.
        label = escape(visible(grid.title or "Table"), quote=True)
        lines.append(f'<div class="runoff-scroll" role="region" tabindex="0" aria-label="{label}">')
        lines.append(render_html(grid) + "</div>")
    lines += ["</main>", "</body>", "</html>"]
    return "\n".join(lines) + "\n"


def _text(text: str) -> str:
    return escape(visible(text), quote=True)


def _heading(column: Column, *, tail: bool) -> str:
    style = ' class="number"' if column.is_numeric else ""
    title = f' title="{_text(column.help)}"' if column.help else ""
    scope = 'scope="colgroup" colspan="2"' if tail else 'scope="col"'
    return f"<th {scope}{style}{title}>{_text(column.heading)}</th>"


def _cell(column: Column, place: int, cell: ShownCell, *, tail: bool) -> str:
    """A cell; marks and spread have a cell of their own, so that the numbers before them are aligned."""
    if not column.is_numeric:
        return f'<th scope="row">{_text(cell.text)}</th>' if place == 0 else f"<td>{_text(cell.text)}</td>"
    number = _text(cell.text.replace("-", "\N{MINUS SIGN}"))
    marks = f"<sup>{_text(cell.marks)}</sup>" if cell.marks else ""
    spread = f" ±{_text(cell.spread)}" if cell.spread else ""
    if cell.is_best:
        number = f"<strong>{number}</strong>"
    if not tail:
        return f'<td class="number">{number}</td>'
    return f'<td class="number led">{number}</td><td class="tail">{marks}{spread}</td>'


def _render(result: Showable, _look: Look) -> str:
    return render_html_page(result.grids(), opening=result.opening(0))


HTML = Format(name="html", help="A page that opens in any browser.", suffix=".html", render=_render)
