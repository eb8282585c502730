"""What the page of a team shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from runoff.server.web.frame.context import PageContext, shown
from runoff.server.web.frame.fields import Field

if TYPE_CHECKING:
    from runoff.server.web.frame.quotas import QuotaView


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
    is_chosen: bool = shown("Whether the team chose it to stand for it.")
    held: bool = shown("Whether the release rule of the board keeps its scores back.")


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
class MemberLine:
    """Somebody in the team."""

    number: int = shown("The number of the person.")
    name: str = shown("How others see them.")
    is_self: bool = shown("Whether it is the visitor.")


@dataclass(frozen=True, kw_only=True)
class InvitationLine:
    """An invitation that can still be used."""

    number: int = shown("The number of the link.")
    email: str = shown("Who it was made for.")
    until: str = shown("Until when.")


@dataclass(frozen=True, kw_only=True)
class TeamPage(PageContext):
    """The page of a team."""

    name: str = shown("The name of the team.")
    address: str = shown("Where the page is.")
    people: tuple[MemberLine, ...] = shown("Everybody in the team, with what can be done.")
    invitations: tuple[InvitationLine, ...] = shown("Open invitations into the team.")
    link: str = shown("The link that was just made, shown this once; empty if none was.", "")
    link_for: str = shown("Who that link is for.", "")
    mailed: bool = shown("Whether links are mailed too.", False)
    email: Field = shown("The field of an invitation.")
    problem: str = shown("Why nothing was done; empty if nothing is wrong.", "")
    members: tuple[str, ...] = shown("Its people, in the order in which they joined.")
    boards: tuple[TeamBoard, ...] = shown("All boards of the site.")
