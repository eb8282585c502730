"""Rendering of the account pages: everything escaped, nothing undefined."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from fastapi.responses import HTMLResponse

from runoff.server.site import Site
from runoff.server.web.frame.render import environment
from runoff.server.web.frame.visit import frame_of
from runoff.server.web.visitors import Visitor

FOLDER: Final = Path(__file__).parent


def page(template: str, site: Site, visitor: Visitor, *, status: int = 200, **values: Any) -> HTMLResponse:
    """A page for a visitor."""
    known = {"frame": frame_of(site, visitor), "person": visitor.person, "csrf": visitor.csrf}
    return HTMLResponse(environment(FOLDER).get_template(template).render(**known, **values), status_code=status)
