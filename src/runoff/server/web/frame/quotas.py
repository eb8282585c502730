"""What the rule of a board leaves to a team, in words and dots."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from runoff.server.cases.reads import Quota, StoredBoard

MOST_DOTS: Final = 12


@dataclass(frozen=True, kw_only=True)
class QuotaView:
    """The quota of a team as the widget shows it."""

    sentence: str
    after: str
    dots: tuple[bool, ...]
    can_submit: bool
    can_vary: bool


def quota_view(quota: Quota, board: StoredBoard, now: datetime) -> QuotaView:
    """A quota in words."""
    window = f"in any {board.window_days} days"
    text = f"{quota.used:,} of {quota.most:,} submissions {window} are used, {quota.left:,} left"
    if quota.left:
        after = f"Left after this one: {quota.left - 1:,}." if quota.left > 1 else "This is the last one for now."
    else:
        text += f"; the next can be made from {quota.free_at:%Y-%m-%d} (UTC)"
        after = ""
    varied = quota.variants_used < quota.variants and bool(quota.left)
    return QuotaView(
        sentence=f"{text}. Small variations: {quota.variants_used:,} of {quota.variants:,} used.",
        after=after,
        dots=tuple(place < quota.used for place in range(quota.most)) if quota.most <= MOST_DOTS else (),
        can_submit=bool(quota.left) and quota.free_at <= now,
        can_vary=varied,
    )
