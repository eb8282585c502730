"""What the page about the method shows."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.server.web.frame.context import PageContext, shown


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One number or sign, and what it means."""

    key: str = shown("The id of the section.")
    title: str = shown("What it is called on the pages.")
    paragraphs: tuple[str, ...] = shown("What it means.")
    source: str = shown("The paper that it comes from, with its DOI.")


@dataclass(frozen=True, kw_only=True)
class MethodPage(PageContext):
    """About the method."""

    entries: tuple[Entry, ...] = shown("Every number and sign.")
