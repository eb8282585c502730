"""The addresses of style, scripts and icon."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter
from fastapi.responses import Response

from runoff.errors import NotFoundError
from runoff.server.web.frame.assets import PREFIX, asset_of

YEAR: Final = 365 * 24 * 3600

router = APIRouter(include_in_schema=False)


@router.get(PREFIX + "/{version}/{name}")
def show_asset(version: str, name: str) -> Response:
    """Style, script or icon; an old version of one is not there any more."""
    asset = asset_of(name)
    if asset.address != f"{PREFIX}/{version}/{name}":
        raise NotFoundError(f"version {version[:20]!r} of {name} is gone; load the page again")
    headers = {"Cache-Control": f"public, max-age={YEAR}, immutable"}
    return Response(asset.content, media_type=asset.media_type, headers=headers)
