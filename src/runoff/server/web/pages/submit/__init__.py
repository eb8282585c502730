"""Submit a run, or only look whether it would be taken."""

from __future__ import annotations

from runoff.server.web.pages.submit._context import Draft, FileAnswer, SubmitPage
from runoff.server.web.pages.submit._routes import router

__all__ = ["FileAnswer", "Draft", "SubmitPage", "router"]
