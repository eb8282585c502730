"""Style, scripts and pictures that pages load: served from memory under addresses that change with their content."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from runoff.errors import NotFoundError
from runoff.reports.page import render_script, render_style

FOLDER: Final = Path(__file__).parent
PAGES: Final = FOLDER.parent / "pages"
PREFIX: Final = "/assets"


@dataclass(frozen=True, kw_only=True)
class Asset:
    """A file that pages load."""

    name: str
    media_type: str
    content: bytes

    @property
    def address(self) -> str:
        """Where it is; a changed file has another address, so that browsers may keep each for ever."""
        return f"{PREFIX}/{hashlib.sha256(self.content).hexdigest()[:12]}/{self.name}"


@cache
def assets() -> dict[str, Asset]:
    """All of them by name. Style and script begin with the report's, so that both look and behave alike."""
    made = (
        Asset(name="style.css", media_type="text/css", content=_style().encode()),
        Asset(name="page.js", media_type="text/javascript", content=render_script().encode()),
        Asset(name="site.js", media_type="text/javascript", content=_text("site.js").encode()),
        Asset(name="judge.js", media_type="text/javascript", content=_text("judge/judge.js", PAGES).encode()),
        Asset(name="wait.js", media_type="text/javascript", content=_text("judge/wait.js", PAGES).encode()),
        Asset(name="icon.svg", media_type="image/svg+xml", content=_text("icon.svg").encode()),
    )
    return {asset.name: asset for asset in made}


def asset_of(name: str) -> Asset:
    """The asset of a name."""
    if name not in assets():
        raise NotFoundError(f"there is no asset {name!r}; expected one of {', '.join(assets())}")
    return assets()[name]


@cache
def address_of(name: str) -> str:
    """Where a page finds an asset."""
    return asset_of(name).address


def _style() -> str:
    return render_style() + _text("site.css") + _text("judge/judge.css", PAGES)


def _text(name: str, folder: Path = FOLDER) -> str:
    return (folder / name).read_text(encoding="utf-8")
