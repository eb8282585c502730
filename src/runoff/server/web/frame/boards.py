"""Opening times of a board, versions of its labels and the quota of a team, in words and dots."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from runoff.server.cases.reads import QuerySet, Quota, StoredBoard

MOST_DOTS: Final = 12


def taking_words(board: StoredBoard, now: datetime) -> str:
    """Whether a board takes submissions, and until when."""
    if board.opens_at and now < board.opens_at:
        return f"opens {board.opens_at:%Y-%m-%d}"
    if board.closes_at and now >= board.closes_at:
        return f"closed since {board.closes_at:%Y-%m-%d}"
    return f"open until {board.closes_at:%Y-%m-%d}" if board.closes_at else "open"


def versioned(labels: QuerySet) -> str:
    """Labels or queries with their version; an earlier version has its number in the name by which it is chosen."""
    version = f"(version {labels.version})"
    return labels.name if labels.name.endswith(version) else f"{labels.name} {version}"


@dataclass(frozen=True, kw_only=True)
class QuotaView:
    """The quota of a team as the widget shows it."""

    sentence: str
    after: str
    dots: tuple[bool, ...]
    can_submit: bool


def quota_view(quota: Quota, board: StoredBoard, now: datetime) -> QuotaView:
    """A quota in words."""
    days = "day" if board.window_days == 1 else f"{board.window_days} days"
    text = f"{quota.used:,} of {quota.most:,} submissions used in the last {days}, {quota.left:,} left"
    after = "This is the last one for now." if quota.left == 1 else f"Left after this one: {quota.left - 1:,}."
    if not quota.left:
        text += f"; the next is possible from {quota.free_at:%Y-%m-%d} (UTC)"
        after = ""
    if quota.member is not None:
        text += f". {quota.member} has used these in all their teams together"
    return QuotaView(
        sentence=f"{text}. Small variations: {quota.variants_used:,} of {quota.variants:,} used.",
        after=after,
        dots=tuple(place < quota.used for place in range(quota.most)) if quota.most <= MOST_DOTS else (),
        can_submit=bool(quota.left) and quota.free_at <= now,
    )
