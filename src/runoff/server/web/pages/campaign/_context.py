"""What the page of a campaign shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from runoff.server.web.campaign_visits import CampaignHead
from runoff.server.web.frame.context import PageContext, shown
from runoff.server.web.frame.fields import FieldGroup

if TYPE_CHECKING:
    from runoff.reports.page.tables import Table
    from runoff.reports.sections import Fact


@dataclass(frozen=True, kw_only=True)
class Progress:
    """The part of the page that is asked for again while the campaign goes on."""

    address: str = shown("Where this part alone is.")
    state: str = shown("What the rest of the page depends on.")
    seconds: int = shown("After how many seconds it is asked for again; 0 for never.")
    waiting: str = shown("What the server is doing for the campaign; empty if nothing.")
    share: str = shown("The share of the judgments that are done, from 0 to 1; empty before the start.")
    hint: str = shown("What keeps it from going on; empty if nothing does.")
    facts: tuple[Fact, ...] = shown("How far it is, what it costs, how long it takes.")
    problems: tuple[str, ...] = shown("Why the last step failed; empty if it did not.")
    retry: str = shown("Where the button to try a failed step again is sent; empty if there is none.")


@dataclass(frozen=True, kw_only=True)
class Preparation:
    """What a draft needs before its start."""

    facts: tuple[Fact, ...] = shown("Runs, queries and pools; none while runs are being read.")
    costs: Table | None = shown("Pairs, tasks, cost and time in each way; None while runs are being read.")
    saving: str = shown("What the sequential way saves, in a sentence.")
    problem: str = shown("Why there is no preview; empty if there is one.")
    texts: str = shown("Whether assessors will see texts or ids.")
    has_texts: bool = shown("Whether the texts are there.")
    text_groups: tuple[FieldGroup, ...] = shown("The form for the texts.")
    limit: str = shown("How large both files may be together.")
    test_pairs: str = shown("How many test pairs there are, in a sentence.")
    can_start: bool = shown("Whether it can be started.")


@dataclass(frozen=True, kw_only=True)
class CampaignLinkLine:
    """A link for assessors."""

    number: int = shown("The number of the link.")
    kind: str = shown("invitation, or the crowdsourcing site that it is for.")
    uses: str = shown("How many came in by it, and how many may.")
    made: str = shown("The day on which it was made.")
    until: str = shown("Until when it can be used.")
    state: str = shown("open, used up, expired or withdrawn.")


@dataclass(frozen=True, kw_only=True)
class ExtensionView:
    """What an extension would take, before it is done."""

    facts: tuple[Fact, ...] = shown("Pairs, judgments, cost and time that it adds.")
    values: tuple[tuple[str, str], ...] = shown("Names and values of the form that does it.")
    is_nothing: bool = shown("Whether it adds nothing.")


@dataclass(frozen=True, kw_only=True)
class CampaignPage(PageContext):
    """The page of a campaign."""

    board: str = shown("The name of the board.")
    head: CampaignHead = shown("What stands above the page.")
    address: str = shown("Where the page is.")
    progress: Progress = shown("How far it is.")
    preparation: Preparation | None = shown("What a draft needs; None once it has started.")
    can_pause: bool = shown("Whether it gives tasks now.")
    can_resume: bool = shown("Whether it can be opened again.")
    can_close: bool = shown("Whether it can be closed.")
    link: str = shown("A link that has just been made, shown this once; empty if none was.")
    link_for: str = shown("Whom that link is for.")
    is_for_site: bool = shown("Whether it is for workers of a crowdsourcing site.")
    link_lines: tuple[CampaignLinkLine, ...] = shown("The links that were made, the newest first.")
    link_groups: tuple[FieldGroup, ...] = shown("The form for a link; none before the start.")
    extend_groups: tuple[FieldGroup, ...] = shown("The form to ask for more; none before the start.")
    extension: ExtensionView | None = shown("What an extension would take; None if none was looked at.")
    extend_problem: str = shown("Why it cannot be extended as was asked; empty if nothing was asked, or it can.")
    problem: str = shown("What could not be done; empty if nothing was asked, or all was done.")
