"""About the method: what each number means, and the papers behind it. The text is the template."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from runoff.server.web.frame.visit import show_page
from runoff.server.web.visitors import AnySite, AnyVisitor

router = APIRouter(include_in_schema=False)


@router.get("/method", response_class=HTMLResponse)
def show_method(site: AnySite, visitor: AnyVisitor) -> HTMLResponse:
    """About the method."""
    return show_page("method/method.html", site, visitor, path="/method")
