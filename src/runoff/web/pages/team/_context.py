"""What the page of a team shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from runoff.web.frame.context import PageContext, shown

if TYPE_CHECKING:
    from runoff.web.frame.quotas import QuotaView


@dataclass(frozen=True, kw_only=True)
class SubmittedRun:
    """A run that the team submitted."""

    name: str = shown("The name of the run.")
    href: str = shown("Its page.")
    date: str = shown("When it was submitted (UTC).")
    state: str = shown("queued, scoring, scored or rejected.")
    mean: str = shown("Its mean on the first open labels; a dash before it is scored.")
    counts: str = shown("Whether it counts for the rule, and until when.")
    verdict: str = shown("The verdict against the record of its day; empty while there is none.")


@dataclass(frozen=True, kw_only=True)
class TeamBoard:
    """What a team has on one board."""

    key: str = shown("The id of the section.")
    title: str = shown("The name of the board.")
    href: str = shown("Its page.")
    measure: str = shown("What it is ordered by.")
    is_open: bool = shown("Whether it takes submissions.")
    quota: QuotaView = shown("What is used and left.")
    runs: tuple[SubmittedRun, ...] = shown("What was submitted, the newest first.")


@dataclass(frozen=True, kw_only=True)
class TeamPage(PageContext):
    """The page of a team."""

    name: str = shown("The name of the team.")
    members: tuple[str, ...] = shown("Its people, in the order in which they joined.")
    boards: tuple[TeamBoard, ...] = shown("All boards of the site.")
