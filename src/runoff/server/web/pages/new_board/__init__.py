"""Make a board: from a form with its files, or from an archive with a board.toml."""

from __future__ import annotations

from runoff.server.web.pages.new_board._context import NewBoardPage
from runoff.server.web.pages.new_board._routes import router

__all__ = ["NewBoardPage", "router"]
