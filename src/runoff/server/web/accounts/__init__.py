"""Pages about one's own account: signing in and out, one-time links, API tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from runoff.server.web.accounts.own import router as own_router
from runoff.server.web.accounts.sign_in import router as sign_in_router

if TYPE_CHECKING:
    from fastapi import APIRouter

ACCOUNT_ROUTERS: Final[tuple[APIRouter, ...]] = (sign_in_router, own_router)
"""In the order in which addresses are looked up."""
