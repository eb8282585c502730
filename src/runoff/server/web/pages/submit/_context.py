"""What the page for submissions shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from runoff.server.web.frame.context import PageContext, shown
from runoff.server.web.pages.board import Option

if TYPE_CHECKING:
    from runoff.server.web.frame.quotas import QuotaView


@dataclass(frozen=True, kw_only=True)
class Draft:
    """What a person has filled in."""

    team: str = shown("The team, as in its address.", "")
    name: str = shown("The name of the run.", "")
    description: str = shown("What the run is.", "")
    paper: str = shown("Where it is described.", "")
    code: str = shown("Where its code is.", "")
    type: str = shown("The kind of run, such as full ranking or reranking.", "")
    variant_of: str = shown("The name of the team's run that it varies a little.", "")
    anonymous: bool = shown("Whether the team is not to be named.", False)
    anonymous_until: str = shown("The team is named from this day on.", "")
    embargo_until: str = shown("Others see the run from this day on.", "")


@dataclass(frozen=True, kw_only=True)
class FileAnswer:
    """What the server says about a file that was sent."""

    is_fine: bool = shown("Whether it would be taken.")
    sentence: str = shown("What was found, in a sentence.")
    problems: tuple[str, ...] = shown("What is wrong, with line numbers.", ())


@dataclass(frozen=True, kw_only=True)
class TeamQuota:
    """What a team may still submit."""

    slug: str = shown("The team, as in its address.")
    name: str = shown("The name of the team.")
    quota: QuotaView = shown("What is used and left.")


@dataclass(frozen=True, kw_only=True)
class SubmitPage(PageContext):
    """The page for submissions."""

    board: str = shown("The name of the board.")
    named_from: str = shown("The day from which the board names anonymous teams; empty where it has none.", "")
    address: str = shown("Where the form is sent.")
    why_not: str = shown("Why nothing can be submitted by this visitor now; empty if it can.")
    sign_in: bool = shown("Whether signing in would help.")
    limit: str = shown("The largest file, in words.")
    key: str = shown("Drawn for this form: sent twice, it is one submission.")
    teams: tuple[TeamQuota, ...] = shown("The visitor's teams.")
    variants: tuple[Option, ...] = shown("Runs of these teams that can be varied.")
    draft: Draft = shown("What was filled in before.")
    answer: FileAnswer | None = shown("What the server said about the file.")
