"""The API for programs, version 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from runoff.server.web.api.boards import router as boards_router
from runoff.server.web.api.runs import router as runs_router

if TYPE_CHECKING:
    from fastapi import APIRouter

PREFIX: Final = "/api/v1"
API_ROUTERS: Final[tuple[APIRouter, ...]] = (boards_router, runs_router)
"""In the order of the documentation."""
