"""What the page of test pairs shows."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.server.web.campaign_visits import CampaignHead
from runoff.server.web.frame.context import PageContext, shown
from runoff.server.web.frame.fields import FieldGroup


@dataclass(frozen=True, kw_only=True)
class PairLine:
    """A test pair."""

    number: int = shown("Its number.")
    query_id: str = shown("The id of the query.")
    query: str = shown("The text of the query, or its id.")
    right: str = shown("The beginning of the right answer, or its id.")
    right_id: str = shown("The id of the right answer.")
    wrong: str = shown("The beginning of the wrong answer, or its id.")
    wrong_id: str = shown("The id of the wrong answer.")
    origin: str = shown("drawn, or added by an organiser.")


@dataclass(frozen=True, kw_only=True)
class KnownPairsPage(PageContext):
    """The page of test pairs."""

    board: str = shown("The name of the board.")
    head: CampaignHead = shown("What stands above the page.")
    address: str = shown("Where the page is.")
    words: str = shown("Which of how many are shown.")
    lines: tuple[PairLine, ...] = shown("A page of the test pairs.")
    newer: str = shown("The address of the page before; empty where there is none.")
    older: str = shown("The address of the page behind; empty where there is none.")
    can_draw: bool = shown("Whether some can be drawn now.")
    groups: tuple[FieldGroup, ...] = shown("The form to add some.")
    problem: str = shown("What could not be done; empty if nothing was asked, or all was done.")
