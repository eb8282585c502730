"""The address of the page about the method."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from runoff.server.web.frame.render import render_page
from runoff.server.web.frame.visit import frame_of
from runoff.server.web.pages.method._context import MethodPage
from runoff.server.web.pages.method._entries import ENTRIES
from runoff.server.web.visitors import AnySite, AnyVisitor

router = APIRouter(include_in_schema=False)


@router.get("/method", response_class=HTMLResponse)
def show_method(request: Request, site: AnySite, visitor: AnyVisitor) -> HTMLResponse:
    """About the method."""
    page = MethodPage(frame=frame_of(site, visitor, path=request.url.path), entries=ENTRIES)
    return HTMLResponse(render_page("method/method.html", page))
