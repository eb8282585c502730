"""What the pages of label versions show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from runoff.server.web.frame.context import PageContext, shown
from runoff.server.web.frame.fields import FieldGroup

if TYPE_CHECKING:
    from runoff.reports.page.tables import Table


@dataclass(frozen=True, kw_only=True)
class VersionLine:
    """One version of a label set."""

    name: str = shown("The name of the label set.")
    version: int = shown("Its number.")
    href: str = shown("The page of this version.")
    state: str = shown("in use, used before, or not used yet.")
    sealed: bool = shown("Whether it is private.")
    queries: str = shown("How many queries it has.")
    judged: str = shown("How many documents are judged.")
    added: str = shown("The day on which it was added.")
    scored: str = shown("How many runs are scored on it.")
    is_whole: bool = shown("Whether these are all runs.")
    level: str = shown("Its own relevance level; empty for that of the board.")
    note: str = shown("What the organiser said of it.")


@dataclass(frozen=True, kw_only=True)
class LabelsPage(PageContext):
    """The page of all label versions."""

    board: str = shown("The name of the board.")
    address: str = shown("Where the page is, and where the form is sent.")
    lines: tuple[VersionLine, ...] = shown("Every version, the oldest first.")
    groups: tuple[FieldGroup, ...] = shown("The form for a new version.")


@dataclass(frozen=True, kw_only=True)
class LabelVersionPage(PageContext):
    """The page of one version, against the one in use."""

    board: str = shown("The name of the board.")
    line: VersionLine = shown("The version.")
    use_address: str = shown("Where the button to use it is sent; empty if it is in use.")
    board_address: str = shown("The board under this version; empty if others may not see it.")
    against: str = shown("The version that it is compared with, in words; empty if there is none.")
    sentences: tuple[str, ...] = shown("What it changes.")
    changes: Table | None = shown("Ranks and verdicts before and after; None while there are none.")
