"""The pages of the server: a folder each, with its Python and its template together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from runoff.server.web.frame import routes as frame
from runoff.server.web.pages import (
    board,
    campaign,
    campaign_files,
    campaign_labels,
    campaign_pairs,
    campaign_quality,
    campaign_results,
    campaigns,
    compare,
    enter,
    home,
    judge,
    labels,
    method,
    new_board,
    organise,
    patterns,
    people,
    run,
    settings,
    submit,
    team,
)

if TYPE_CHECKING:
    from fastapi import APIRouter

PAGE_ROUTERS: Final[tuple[APIRouter, ...]] = tuple(
    page.router
    for page in (
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
)
"""All pages, and what they load, in the order in which addresses are looked up: assessors ask for most."""
