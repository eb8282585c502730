"""Times of a board in words."""

from __future__ import annotations

from datetime import datetime

from runoff.server.cases.reads import StoredBoard


def taking_words(board: StoredBoard, now: datetime) -> str:
    """Whether a board takes submissions, and until when."""
    if board.opens_at and now < board.opens_at:
        return f"opens {board.opens_at:%Y-%m-%d}"
    if board.closes_at and now >= board.closes_at:
        return f"closed since {board.closes_at:%Y-%m-%d}"
    return f"open until {board.closes_at:%Y-%m-%d}" if board.closes_at else "open"
