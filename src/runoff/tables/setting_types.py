"""Types of settings: what a value may be, in TOML and JSON, and as people type it into a form."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any, ClassVar, Final

_MEGABYTE: Final = 1_000_000
_FIELD: Final = re.compile(r"\w[\w -]{0,60}(?:\.\w[\w -]{0,60}){0,15}")


@dataclass(frozen=True)
class SettingType:
    """The values that a setting may have: any text, unless a subclass says otherwise.

    wanted  what error messages ask for
    lines   whether the text may have several lines
    """

    input: ClassVar[str] = "text"
    """The type of its input in a form."""
    wanted: str = "text"
    lines: bool = False

    @property
    def expected(self) -> str:
        """What an error message asks for."""
        return self.wanted

    @property
    def options(self) -> Mapping[str, str]:
        """The values to choose from, with their labels; none where any value of the type is allowed."""
        return {}

    def checked(self, value: object) -> Any:
        """The value, from TOML or JSON, if it is allowed; None if it is not."""
        return value if isinstance(value, str) else None

    def typed(self, text: str) -> Any:
        """What somebody typed into a form, if it is allowed; None if it is not."""
        return self.checked(text)

    def shown(self, value: Any) -> str:
        """A value as a form shows it."""
        return "" if value is None else str(value)

    def plain(self, value: Any) -> Any:
        """A value as JSON can hold it; `checked` turns it back."""
        return value


@dataclass(frozen=True)
class ShortText(SettingType):
    """A text of one line with at most `longest` characters."""

    longest: int = 60

    @property
    def expected(self) -> str:
        """What an error message asks for."""
        return f"{self.longest} characters at most"

    def checked(self, value: object) -> Any:
        """The text without blanks around it, if it is allowed."""
        text = value.strip() if isinstance(value, str) else None
        return text if text is not None and len(text) <= self.longest and (not text or text.isprintable()) else None


@dataclass(frozen=True)
class Flag(SettingType):
    """Yes or no."""

    input: ClassVar[str] = "check"
    wanted: str = "true or false"

    def checked(self, value: object) -> Any:
        """The value if it is one of the two."""
        return value if isinstance(value, bool) else None

    def typed(self, text: str) -> Any:
        """Whether the box was ticked."""
        return bool(text)

    def shown(self, value: Any) -> str:
        """What a ticked box sends; empty for one that is not ticked."""
        return "yes" if value else ""


@dataclass(frozen=True)
class Whole(SettingType):
    """A whole number from `low` to `high`."""

    input: ClassVar[str] = "number"
    low: int = 0
    high: int = 2**31 - 1

    @property
    def expected(self) -> str:
        """What an error message asks for."""
        return f"a whole number from {self.low} to {self.high:,}"

    def checked(self, value: object) -> Any:
        """The number if it is allowed."""
        if not isinstance(value, int) or isinstance(value, bool):
            return None
        return value if self.low <= value <= self.high else None

    def typed(self, text: str) -> Any:
        """The number that somebody typed."""
        return self.checked(int(text)) if re.fullmatch(r"\d{1,19}", text, re.ASCII) else None


@dataclass(frozen=True)
class Megabytes(Whole):
    """A number of bytes that people type in megabytes."""

    def typed(self, text: str) -> Any:
        """The bytes of a number of megabytes."""
        megabytes = _parsed(text)
        return None if megabytes is None else self.checked(round(megabytes * _MEGABYTE))

    def shown(self, value: Any) -> str:
        """The bytes in megabytes, all digits."""
        return _shortest(value / _MEGABYTE)


@dataclass(frozen=True)
class Amount(SettingType):
    """A number from 0 to `high`."""

    input: ClassVar[str] = "number"
    high: float = 1e6

    @property
    def expected(self) -> str:
        """What an error message asks for."""
        return f"a number from 0 to {self.high:,.10g}"

    def checked(self, value: object) -> Any:
        """The number if it is allowed."""
        number = _number(value)
        return number if number is not None and 0.0 <= number <= self.high else None

    def typed(self, text: str) -> Any:
        """The number that somebody typed."""
        return self.checked(_parsed(text))

    def shown(self, value: Any) -> str:
        """The number, all digits."""
        return _shortest(value)


@dataclass(frozen=True)
class Fraction(Amount):
    """A number between 0 and 1; 0 itself is allowed if `zero` is set."""

    zero: bool = False

    @property
    def expected(self) -> str:
        """What an error message asks for."""
        return "a number from 0, below 1" if self.zero else "a number between 0 and 1"

    def checked(self, value: object) -> Any:
        """The number if it is allowed."""
        number = _number(value)
        return number if number is not None and (0.0 < number < 1.0 or (self.zero and number == 0.0)) else None


@dataclass(frozen=True)
class OneOf(SettingType):
    """One of some words; each has a label for people."""

    input: ClassVar[str] = "select"
    labels: tuple[tuple[str, str], ...] = ()

    @property
    def expected(self) -> str:
        """What an error message asks for."""
        return f"one of {', '.join(self.options)}"

    @property
    def options(self) -> Mapping[str, str]:
        """The words with their labels."""
        return dict(self.labels)

    def checked(self, value: object) -> Any:
        """The word if it is one of them."""
        return value if isinstance(value, str) and value in self.options else None


@dataclass(frozen=True)
class Several(SettingType):
    """Some values, as a list in TOML and JSON."""

    def plain(self, value: Any) -> Any:
        """The values as a list."""
        return None if value is None else list(value)


@dataclass(frozen=True)
class GradeGains(Several):
    """The gain of each grade, from grade 0 up: 0 for grade 0, and never falling."""

    wanted: str = "the gain of each grade, 0 for grade 0 and none below that of the grade before, such as [0, 0.5, 1]"

    def checked(self, value: object) -> Any:
        """The gains if they are allowed."""
        numbers = [_number(gain) for gain in value] if isinstance(value, (list, tuple)) else []
        gains = tuple(number for number in numbers if number is not None)
        is_allowed = gains and len(gains) == len(numbers) and gains[0] == 0 and list(gains) == sorted(gains)
        return gains if is_allowed else None

    def typed(self, text: str) -> Any:
        """The gains that somebody typed, with commas or spaces between them."""
        return self.checked([_parsed(part) for part in text.strip("[]").replace(",", " ").split()])

    def shown(self, value: Any) -> str:
        """The gains with commas between them."""
        return ", ".join(map(_shortest, value or ()))


@dataclass(frozen=True)
class FieldNames(Several):
    """Names of fields, with dots between their parts."""

    wanted: str = 'names of fields such as ["actor.team", "implementation.source.repository"]'

    def checked(self, value: object) -> Any:
        """The names if they are allowed."""
        names = tuple(value) if isinstance(value, (list, tuple)) else ()
        is_allowed = all(isinstance(name, str) and _FIELD.fullmatch(name) for name in names)
        return names if names and is_allowed and len(set(names)) == len(names) else None

    def typed(self, text: str) -> Any:
        """The names that somebody typed, with commas between them."""
        return self.checked([part.strip() for part in text.split(",")])

    def shown(self, value: Any) -> str:
        """The names with commas between them."""
        return ", ".join(value or ())


@dataclass(frozen=True)
class Moment(SettingType):
    """A time in UTC."""

    input: ClassVar[str] = "datetime-local"
    wanted: str = "a time (UTC) such as 2026-05-01T12:00"

    def checked(self, value: object) -> Any:
        """The time; one without a time zone is in UTC, and a date is its midnight."""
        if isinstance(value, str):
            try:
                value = datetime.fromisoformat(value)
            except ValueError:
                return None
        if isinstance(value, date) and not isinstance(value, datetime):
            value = datetime.combine(value, time(), UTC)
        if not isinstance(value, datetime):
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)

    def shown(self, value: Any) -> str:
        """The time, to the second where it has seconds."""
        return "" if value is None else value.replace(tzinfo=None).isoformat(timespec="auto").removesuffix(":00")

    def plain(self, value: Any) -> Any:
        """The time as text."""
        return None if value is None else value.isoformat()


def _number(value: object) -> float | None:
    """A finite number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:  # a whole number beyond all floats
        return None


def _parsed(text: str) -> float | None:
    """A finite number that was typed."""
    try:
        return _number(float(text))
    except ValueError:
        return None


def _shortest(number: float) -> str:
    """A number as people write it, with all digits that it needs."""
    return text if float(text := f"{number:g}") == number else repr(number)
