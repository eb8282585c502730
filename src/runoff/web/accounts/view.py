"""Templates of the account pages to answers: everything escaped, nothing undefined."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from runoff.web.site import Site
from runoff.web.visitors import Visitor


@cache
def environment() -> Environment:
    """The templates of this folder."""
    return Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        auto_reload=False,
    )


def page(template: str, site: Site, visitor: Visitor, *, status: int = 200, **values: Any) -> HTMLResponse:
    """A page for a visitor."""
    known = {"site": site.settings.title, "person": visitor.person, "csrf": visitor.csrf}
    return HTMLResponse(environment().get_template(template).render(**known, **values), status_code=status)
