"""What the pages of all campaigns of a board show."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.server.web.campaign_visits import CampaignHead
from runoff.server.web.frame.context import PageContext, shown
from runoff.server.web.frame.fields import FieldGroup


@dataclass(frozen=True, kw_only=True)
class CampaignLine:
    """One campaign."""

    title: str = shown("Its name.")
    href: str = shown("Its page.")
    state: str = shown("draft, open, paused or closed.")
    about: str = shown("What it judges, in a line.")
    done: str = shown("Judgments that are done, and how many there will be; empty for a draft.")
    share: str = shown("The share of them, in percent.")
    spent: str = shown("What the tasks that are done have cost.")
    expected: str = shown("What all of them will cost.")
    versions: int = shown("How many versions of the labels it has made.")


@dataclass(frozen=True, kw_only=True)
class CampaignsPage(PageContext):
    """The page of all campaigns of a board."""

    board: str = shown("The name of the board.")
    address: str = shown("Where the page is.")
    lines: tuple[CampaignLine, ...] = shown("Every campaign, the newest first.")
    runs: int = shown("How many runs of the board are scored.")


@dataclass(frozen=True, kw_only=True)
class CampaignFormPage(PageContext):
    """The page of a form for a campaign, new or changed."""

    board: str = shown("The name of the board.")
    head: CampaignHead | None = shown("What stands above the page; None for a new campaign.")
    address: str = shown("Where the form is sent.")
    version: int = shown("The version of the settings that the form changes; 0 for a new campaign.")
    is_started: bool = shown("Whether the plan is made, so that what it was made from is fixed.")
    groups: tuple[FieldGroup, ...] = shown("The fields.")
    problem: str = shown("What is wrong besides single fields; empty if nothing is.", "")
