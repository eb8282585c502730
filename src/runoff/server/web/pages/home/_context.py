"""What the first page shows."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.server.web.frame.context import PageContext, shown


@dataclass(frozen=True, kw_only=True)
class Card:
    """A board in short."""

    title: str = shown("The name of the board.")
    href: str = shown("Its page.")
    description: str = shown("The first lines of what the organisers say about it.")
    measure: str = shown("What it is ordered by.")
    runs: int = shown("Published runs.")
    newest: str = shown("The day of the newest run; empty without runs.")
    when: str = shown("Whether it takes submissions, and until when.")


@dataclass(frozen=True, kw_only=True)
class HomePage(PageContext):
    """The first page."""

    cards: tuple[Card, ...] = shown("The boards, the oldest first.")
