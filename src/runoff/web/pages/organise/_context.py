"""What organisers see of a board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from runoff.web.frame.context import PageContext, shown

if TYPE_CHECKING:
    from runoff.reports.page.tables import Table


@dataclass(frozen=True, kw_only=True)
class SettingField:
    """A setting that can be changed."""

    name: str = shown("The name of the setting.")
    label: str = shown("What it is called.")
    kind: str = shown("text, textarea, number or datetime-local.")
    value: str = shown("What it is now.")
    hint: str = shown("What it means.")


@dataclass(frozen=True, kw_only=True)
class OrganisePage(PageContext):
    """The organisers' view of a board."""

    board: str = shown("The name of the board.")
    address: str = shown("Where the page is.")
    version: int = shown("The version of the settings that the form changes.")
    findings: tuple[str, ...] = shown("What the audit found, in sentences.")
    private: Table | None = shown("Runs with their means on private labels; None without private labels.")
    audit: tuple[Table, ...] = shown("Submissions, breaches of the rule, and changes from public to private means.")
    same_files: tuple[str, ...] = shown("Files that more than one team submitted, in sentences.")
    sets: Table | None = shown("Versions of query sets and label sets.")
    log: Table | None = shown("The newest changes of the board and its runs.")
    invitations: Table | None = shown("Links that were sent and not used yet.")
    settings: tuple[SettingField, ...] = shown("The settings.")
    problem: str = shown("Why the settings were not changed; empty if nothing is wrong.")
