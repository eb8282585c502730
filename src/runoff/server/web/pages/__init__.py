"""The pages of the server: a folder each, with its Python and its template together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from runoff.server.web.frame.routes import router as frame
from runoff.server.web.pages.board import router as board
from runoff.server.web.pages.campaign import router as campaign
from runoff.server.web.pages.campaign_files import router as campaign_files
from runoff.server.web.pages.campaign_labels import router as campaign_labels
from runoff.server.web.pages.campaign_pairs import router as campaign_pairs
from runoff.server.web.pages.campaign_quality import router as campaign_quality
from runoff.server.web.pages.campaign_results import router as campaign_results
from runoff.server.web.pages.campaigns import router as campaigns
from runoff.server.web.pages.compare import router as compare
from runoff.server.web.pages.enter import router as enter
from runoff.server.web.pages.home import router as home
from runoff.server.web.pages.judge import router as judge
from runoff.server.web.pages.labels import router as labels
from runoff.server.web.pages.method import router as method
from runoff.server.web.pages.new_board import router as new_board
from runoff.server.web.pages.organise import router as organise
from runoff.server.web.pages.patterns import router as patterns
from runoff.server.web.pages.people import router as people
from runoff.server.web.pages.run import router as run
from runoff.server.web.pages.settings import router as settings
from runoff.server.web.pages.submit import router as submit
from runoff.server.web.pages.team import router as team

if TYPE_CHECKING:
    from fastapi import APIRouter

PAGE_ROUTERS: Final[tuple[APIRouter, ...]] = (
    judge,
    enter,
    frame,
    home,
    board,
    run,
    compare,
    submit,
    team,
    organise,
    new_board,
    settings,
    labels,
    campaigns,
    campaign,
    campaign_pairs,
    campaign_quality,
    campaign_results,
    campaign_labels,
    campaign_files,
    people,
    method,
    patterns,
)
"""All pages, and what they load, in the order in which addresses are looked up: assessors ask for most."""
