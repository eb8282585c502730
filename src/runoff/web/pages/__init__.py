"""The pages of the server: a folder each, with its Python and its template together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from runoff.web.frame.routes import router as frame
from runoff.web.pages.board import router as board
from runoff.web.pages.compare import router as compare
from runoff.web.pages.home import router as home
from runoff.web.pages.run import router as run

if TYPE_CHECKING:
    from fastapi import APIRouter

PAGE_ROUTERS: Final[tuple[APIRouter, ...]] = (frame, home, board, run, compare)
"""All pages, and what they load, in the order in which addresses are looked up."""
