"""What the page of a campaign's files shows."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.server.web.campaign_visits import CampaignHead
from runoff.server.web.frame.context import PageContext, shown
from runoff.server.web.frame.fields import FieldGroup


@dataclass(frozen=True, kw_only=True)
class FileLine:
    """A file that can be saved."""

    name: str = shown("Its name.")
    href: str = shown("Where it is.")
    about: str = shown("What it holds, and who reads it.")


@dataclass(frozen=True, kw_only=True)
class CampaignFilesPage(PageContext):
    """The page of a campaign's files."""

    board: str = shown("The name of the board.")
    head: CampaignHead = shown("What stands above the page.")
    files: tuple[FileLine, ...] = shown("Every file, and all of them in one.")
    import_address: str = shown("Where judgments are sent.")
    groups: tuple[FieldGroup, ...] = shown("The form for judgments.")
    problems: tuple[str, ...] = shown("What is wrong with a file that was sent, by line.")
    problem: str = shown("Why nothing came in; empty if nothing was sent.")
