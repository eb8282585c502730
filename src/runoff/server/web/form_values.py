"""The fields of a form as values; what is wrong is kept with its field, so that all of it is told at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Final, TypeVar

from runoff.errors import UsageError

LONGEST: Final = 5_000
Value = TypeVar("Value")


class Values:
    """What was sent, and by field what is wrong with it.

    >>> sent = Values({"most": "two", "depth": "10"})
    >>> sent.whole("most", 1, 1000), sent.whole("depth", 1, 100), sent.problems
    (1, 10, {'most': "'two' is no whole number; expected 1 to 1,000"})
    """

    def __init__(self, sent: Mapping[str, str]) -> None:
        self.sent = {name: text.strip()[:LONGEST] for name, text in sent.items()}
        self.problems: dict[str, str] = {
            name: f"{len(text):,} characters; expected {LONGEST:,} at most"
            for name, text in sent.items()
            if len(text.strip()) > LONGEST
        }

    def text(self, name: str) -> str:
        """The text of a field; empty if it was not sent."""
        return self.sent.get(name, "")

    def needed(self, name: str, what: str) -> str:
        """The text of a field that cannot be empty."""
        if not self.text(name):
            self.problems.setdefault(name, f"nothing here; expected {what}")
        return self.text(name)

    def whole(self, name: str, low: int, high: int) -> int:
        """A whole number within limits."""
        text = self.text(name)
        if not (text.isascii() and text.isdigit() and len(text) < 12 and low <= int(text) <= high):
            self.problems[name] = f"{text[:40]!r} is no whole number; expected {low:,} to {high:,}"
            if text.isascii() and text.isdigit():
                self.problems[name] = f"{text[:40]} cannot be used; expected {low:,} to {high:,}"
            return low
        return int(text)

    def number(self, name: str, low: float, high: float) -> float:
        """A number from `low` and below `high`."""
        try:
            value = float(self.text(name))
        except ValueError:
            value = float("nan")
        if not low <= value < high:
            self.problems[name] = (
                f"{self.text(name)[:40]!r} cannot be used; expected a number from {low:g}, below {high:,.10g}"
            )
            return low
        return value

    def moment(self, name: str) -> datetime | None:
        """A time in UTC; None for an empty field."""
        text = self.text(name)
        try:
            return datetime.fromisoformat(text).replace(tzinfo=UTC) if text else None
        except ValueError:
            self.problems[name] = f"{text[:40]!r} is no time; expected one such as 2026-05-01T12:00"
            return None

    def one_of(self, name: str, known: Iterable[str]) -> str:
        """One of some words."""
        allowed = list(known)
        if self.text(name) not in allowed:
            self.problems[name] = f"{self.text(name)[:40]!r} is unknown; expected one of {', '.join(allowed)}"
            return allowed[0]
        return self.text(name)

    def made(self, name: str, make: Callable[[str], Value]) -> Value | None:
        """What a function makes of a text; its `UsageError` is the problem of the field."""
        try:
            return make(self.text(name))
        except UsageError as error:
            self.problems.setdefault(name, str(error))
            return None
