"""What the page for a new board shows."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.server.web.frame.context import PageContext, shown
from runoff.server.web.frame.fields import FieldGroup


@dataclass(frozen=True, kw_only=True)
class NewBoardPage(PageContext):
    """The page for a new board."""

    address: str = shown("Where the form is sent.")
    archive_address: str = shown("Where the form with an archive is sent.")
    groups: tuple[FieldGroup, ...] = shown("Settings and files.")
    archive: tuple[FieldGroup, ...] = shown("The form with an archive.")
    problem: str = shown("What is wrong besides single fields of the form; empty if nothing is.", "")
    archive_problem: str = shown("What is wrong with the archive; empty if nothing is.", "")
