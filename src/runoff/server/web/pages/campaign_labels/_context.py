"""What the page of new labels shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from runoff.server.web.campaign_visits import CampaignHead
from runoff.server.web.frame.context import PageContext, shown
from runoff.server.web.frame.fields import Field

if TYPE_CHECKING:
    from runoff.reports.page.tables import Table


@dataclass(frozen=True, kw_only=True)
class MadeLine:
    """A version that the campaign has made."""

    text: str = shown("Its name and number.")
    href: str = shown("Its page.")
    about: str = shown("From how many judgments it was made, when, and how many queries it changed.")


@dataclass(frozen=True, kw_only=True)
class NewLabelsPage(PageContext):
    """The page of new labels."""

    board: str = shown("The name of the board.")
    head: CampaignHead = shown("What stands above the page.")
    address: str = shown("Where the page is, and where the form is sent.")
    labels_address: str = shown("The page of all versions.")
    results_address: str = shown("The page of the results so far.")
    seen: str = shown("The digest of what is proposed; empty if nothing is.")
    is_earlier: bool = shown("Whether newer judgments are being counted, and this was before them.")
    sentences: tuple[str, ...] = shown("What the new version would change, in sentences.")
    changes: Table | None = shown("Ranks and verdicts before and after; None if nothing is proposed.")
    note: Field = shown("The field for a note on the version.")
    made: tuple[MadeLine, ...] = shown("Versions that the campaign has made, the newest first.")
    problem: str = shown("Why nothing was made; empty if nothing was asked.")
