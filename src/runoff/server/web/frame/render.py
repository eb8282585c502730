"""Templates to text: one environment, everything escaped, nothing undefined."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from runoff.display.grid import visible
from runoff.reports.page import FOLDER as REPORT_FOLDER
from runoff.server.web.frame.assets import address_of
from runoff.server.web.frame.boards import versioned
from runoff.server.web.frame.context import Row
from runoff.server.web.frame.numbers import number

if TYPE_CHECKING:
    import jinja2

FOLDER: Final = Path(__file__).parent
PAGES: Final = FOLDER.parent / "pages"
ACCOUNTS: Final = FOLDER.parent / "accounts"


@cache
def environment() -> jinja2.Environment:
    """The templates of the pages, of the frame and of the report's tables, with filters for days and numbers.

    Every text is escaped, and control characters in it are written out, because names come from strangers.
    """
    import jinja2

    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader([PAGES, ACCOUNTS, FOLDER, REPORT_FOLDER]),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=_readable,
        auto_reload=False,
    )
    made.globals["asset"] = address_of
    made.filters["day"] = lambda moment: f"{moment:%Y-%m-%d}"
    made.filters["minute"] = lambda moment: f"{moment:%Y-%m-%d %H:%M}"
    made.filters["number"] = number
    made.filters["versioned"] = versioned
    made.filters["count"] = lambda value: f"{value:,}"
    return made


def render_page(template: str, page: Row) -> str:
    """A page as text; the template knows the values of the page by their names."""
    return environment().get_template(template).render(vars(page))


def _readable(value: Any) -> Any:
    """Control characters of a plain text written out, its line ends kept; markup and other values as they are."""
    if type(value) is not str or value.isprintable():
        return value
    return "\n".join(visible(line) for line in value.splitlines())
