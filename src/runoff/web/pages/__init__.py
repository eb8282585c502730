"""The pages of the server: a folder each, with its Python and its template together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from runoff.web.frame.routes import router as frame
from runoff.web.pages.board import router as board
from runoff.web.pages.campaign import router as campaign
from runoff.web.pages.campaign_files import router as campaign_files
from runoff.web.pages.campaign_labels import router as campaign_labels
from runoff.web.pages.campaign_pairs import router as campaign_pairs
from runoff.web.pages.campaign_quality import router as campaign_quality
from runoff.web.pages.campaign_results import router as campaign_results
from runoff.web.pages.campaigns import router as campaigns
from runoff.web.pages.compare import router as compare
from runoff.web.pages.enter import router as enter
from runoff.web.pages.home import router as home
from runoff.web.pages.judge import router as judge
from runoff.web.pages.labels import router as labels
from runoff.web.pages.method import router as method
from runoff.web.pages.new_board import router as new_board
from runoff.web.pages.organise import router as organise
from runoff.web.pages.patterns import router as patterns
from runoff.web.pages.people import router as people
from runoff.web.pages.run import router as run
from runoff.web.pages.settings import router as settings
from runoff.web.pages.submit import router as submit
from runoff.web.pages.team import router as team

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
