"""The settings of a board, each declared once: type, default, allowed values and help.

`board.toml`, the database, the forms, the API, `Policy` and the documentation take names, checks and words from here.
To add a setting, add a field to `BoardSettings`; `tests/server/test_settings_round_trip.py` takes it through all of
them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from datetime import UTC, date, datetime
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Final, get_type_hints

from runoff.errors import UsageError

BOARD_GROUP: Final = "The board"
MEASURED: Final = "Measurement"
SUBMISSIONS: Final = "Submissions"
SHOWN: Final = "What is shown, and when"
_MEGABYTE: Final = 1_000_000


@dataclass(frozen=True)
class Kind:
    """The values that a setting may have: any text, unless a kind of its own says otherwise.

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
class Whole(Kind):
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
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        return value if is_whole and self.low <= value <= self.high else None  # type: ignore[operator]

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
class Fraction(Kind):
    """A number between 0 and 1; 0 itself is allowed if `zero` is set."""

    input: ClassVar[str] = "number"
    zero: bool = False

    @property
    def expected(self) -> str:
        """What an error message asks for."""
        return "a number from 0, below 1" if self.zero else "a number between 0 and 1"

    def checked(self, value: object) -> Any:
        """The number if it is allowed."""
        number = _number(value)
        return number if number is not None and (0.0 < number < 1.0 or (self.zero and number == 0.0)) else None

    def typed(self, text: str) -> Any:
        """The number that somebody typed."""
        return self.checked(_parsed(text))

    def shown(self, value: Any) -> str:
        """The number, all digits."""
        return _shortest(value)


@dataclass(frozen=True)
class OneOf(Kind):
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
class GradeGains(Kind):
    """The gain of each grade, from grade 0 up: 0 for grade 0, and never falling."""

    @property
    def expected(self) -> str:
        """What an error message asks for."""
        return "the gain of each grade, 0 for grade 0 and none below that of the grade before, such as [0, 0.5, 1]"

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
        return "" if value is None else ", ".join(map(_shortest, value))

    def plain(self, value: Any) -> Any:
        """The gains as a list."""
        return None if value is None else list(value)


@dataclass(frozen=True)
class Moment(Kind):
    """A time in UTC."""

    input: ClassVar[str] = "datetime-local"

    @property
    def expected(self) -> str:
        """What an error message asks for."""
        return "a time (UTC) such as 2026-05-01T12:00"

    def checked(self, value: object) -> Any:
        """The time; one without a time zone is in UTC, and a date is its midnight."""
        if isinstance(value, str):
            try:
                value = datetime.fromisoformat(value)
            except ValueError:
                return None
        if isinstance(value, date) and not isinstance(value, datetime):
            value = datetime(value.year, value.month, value.day)  # noqa: DTZ001  # its zone is set below
        if not isinstance(value, datetime):
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)

    def shown(self, value: Any) -> str:
        """The time, to the second where it has seconds."""
        return "" if value is None else value.replace(tzinfo=None).isoformat(timespec="auto").removesuffix(":00")

    def plain(self, value: Any) -> Any:
        """The time as text."""
        return None if value is None else value.isoformat()


@dataclass(frozen=True)
class Setting:
    """What is declared about a setting, beside its type.

    kind      the values that it may have
    label     its name in a form
    help      one or two plain sentences; forms and documentation show them
    group     the part of the form that it is in
    required  whether a board must have it
    fixed     whether it cannot change once a board was made
    rescores  whether a change lets every run be scored again
    """

    kind: Kind
    label: str
    help: str
    group: str
    required: bool = False
    fixed: bool = False
    rescores: bool = False
    name: str = ""
    default: Any = None

    def checked(self, value: object) -> Any:
        """The value, or None where it has none; raise if it is not allowed."""
        if value is None and self.default is None:
            return None
        allowed = self.kind.checked(value)
        if allowed is None:
            raise UsageError(f"{self.name}={value!r} cannot be used; expected {self.kind.expected}")
        return allowed

    def typed(self, text: str) -> Any:
        """What was typed into a form, an empty field being the default of an optional setting; raise if not allowed."""
        if not text and self.default is None and not self.required:
            return None
        value = self.kind.typed(text) if text or not self.required else None
        if value is None:
            raise UsageError(f"{text[:40]!r} cannot be used; expected {self.kind.expected}")
        return value


@dataclass(frozen=True, kw_only=True)
class BoardSettings:
    """What organisers choose for a board, and everybody may know."""

    title: Annotated[
        str, Setting(Kind("the name of the board"), "Title", "The name of the board.", BOARD_GROUP, required=True)
    ]
    slug: Annotated[
        str,
        Setting(
            Kind("a name such as passages-2026"),
            "Name in the address",
            "Lowercase letters, digits and hyphens, such as passages-2026. It cannot be changed later.",
            BOARD_GROUP,
            required=True,
            fixed=True,
        ),
    ] = ""
    description: Annotated[
        str,
        Setting(
            Kind(lines=True), "Description", "What the task is, who runs it, and what a good run does.", BOARD_GROUP
        ),
    ] = ""
    measure: Annotated[
        str,
        Setting(
            Kind("a measure such as RR@10"),
            "Measure",
            "Such as RR@10, nDCG@10 or AP@1000.",
            MEASURED,
            required=True,
            rescores=True,
        ),
    ]
    depth: Annotated[
        int | None,
        Setting(
            Whole(low=1, high=1_000_000),
            "Depth",
            "How many ranks comparisons look at. Empty: the measure's cutoff.",
            MEASURED,
            rescores=True,
        ),
    ] = None
    relevance_level: Annotated[
        int,
        Setting(
            Whole(low=1, high=127),
            "Relevance level",
            "The lowest grade that counts as relevant.",
            MEASURED,
            rescores=True,
        ),
    ] = 1
    gains: Annotated[
        tuple[float, ...] | None,
        Setting(
            GradeGains(),
            "Gains of the grades",
            "For IPSO with graded labels: the gain of each grade from 0, such as 0, 0.2, 0.8, 1. Empty: two grades.",
            MEASURED,
        ),
    ] = None
    alpha: Annotated[
        float,
        Setting(
            Fraction(),
            "Significance level",
            "The accepted chance of calling a difference real when it is not, such as 0.05.",
            MEASURED,
        ),
    ] = 0.05
    correction: Annotated[
        str,
        Setting(
            OneOf(
                labels=(
                    ("none", "none"),
                    ("bonferroni", "Bonferroni"),
                    ("holm", "Holm"),
                    ("benjamini_hochberg", "Benjamini-Hochberg"),
                )
            ),
            "Correction for multiple comparisons",
            "Keeps the chance of a false claim low when many runs are compared.",
            MEASURED,
        ),
    ] = "holm"
    record_rule: Annotated[
        str,
        Setting(
            OneOf(
                labels=(
                    ("holm", "Holm over all records"),
                    ("spending", "alpha spending, each on its day"),
                    ("fallback", "online fallback, each on its day"),
                )
            ),
            "Certified records",
            "How the chance of a false certificate is controlled over the whole history.",
            MEASURED,
        ),
    ] = "fallback"
    most: Annotated[
        int,
        Setting(
            Whole(low=1, high=1_000_000),
            "Submissions per team",
            "How many runs a team may submit per rolling window.",
            SUBMISSIONS,
        ),
    ] = 2
    window_days: Annotated[
        int,
        Setting(
            Whole(low=1, high=10_000),
            "Length of the window in days",
            "Submissions are counted per rolling window of this many days.",
            SUBMISSIONS,
        ),
    ] = 30
    variants: Annotated[
        int,
        Setting(
            Whole(low=0, high=1_000_000),
            "Small variations among them",
            "How many of these submissions may be small variations of another run.",
            SUBMISSIONS,
        ),
    ] = 1
    opens_at: Annotated[
        datetime | None,
        Setting(Moment(), "Opens (UTC)", "Submissions are accepted from then on. Empty: immediately.", SUBMISSIONS),
    ] = None
    closes_at: Annotated[
        datetime | None,
        Setting(Moment(), "Closes (UTC)", "Submissions are accepted until then. Empty: no end.", SUBMISSIONS),
    ] = None
    upload_limit: Annotated[
        int,
        Setting(
            Megabytes(low=1, high=2**53),
            "Largest file (MB)",
            "The largest run file that is accepted, as uploaded.",
            SUBMISSIONS,
        ),
    ] = 500 * _MEGABYTE
    digits: Annotated[
        int,
        Setting(Whole(low=1, high=10), "Digits of a score", "Fewer digits reveal less about single queries.", SHOWN),
    ] = 3
    release: Annotated[
        str,
        Setting(
            OneOf(labels=(("all", "all runs"), ("ladder", "only runs that beat their team's best beyond noise"))),
            "Published scores",
            "The second choice is the Ladder: a team that tunes by submitting learns nothing from small changes.",
            SHOWN,
        ),
    ] = "all"
    private_until: Annotated[
        datetime | None,
        Setting(Moment(), "Private results are public from (UTC)", "Empty: only organisers see them.", SHOWN),
    ] = None
    anonymous_until: Annotated[
        datetime | None,
        Setting(Moment(), "Team names are public from (UTC)", "Empty: immediately.", SHOWN),
    ] = None

    def __post_init__(self) -> None:
        for setting in SETTINGS.values():
            value = getattr(self, setting.name, None)
            if value not in ("", None):
                object.__setattr__(self, setting.name, setting.checked(value))
        if self.opens_at and self.closes_at and self.opens_at >= self.closes_at:
            raise UsageError(f"the board closes at {self.closes_at} and opens at {self.opens_at}; expected the reverse")


@dataclass(frozen=True, kw_only=True)
class OrganiserSettings(BoardSettings):
    """All settings, also what organisers alone may know."""

    hidden_share: Annotated[
        float,
        Setting(
            Fraction(zero=True),
            "Hidden share of the public queries",
            "This share, from 0 and below 1, is left out of public scores. Nobody learns which queries it is.",
            SHOWN,
            rescores=True,
        ),
    ] = 0.0


def _declared() -> Mapping[str, Setting]:
    hints = get_type_hints(OrganiserSettings, include_extras=True)
    declared = {}
    for item in fields(OrganiserSettings):
        setting = hints[item.name].__metadata__[0]
        default = None if item.default is MISSING else item.default
        declared[item.name] = Setting(**{**vars(setting), "name": item.name, "default": default})
    return MappingProxyType(declared)


SETTINGS: Final[Mapping[str, Setting]] = _declared()
"""Every setting by name, in the order of forms and documentation."""


def settings_of(board: BoardSettings) -> dict[str, Any]:
    """The settings of a board by name, as plain data that JSON can hold."""
    return {
        setting.name: setting.kind.plain(getattr(board, setting.name))
        for setting in SETTINGS.values()
        if hasattr(board, setting.name)
    }


def settings_table() -> str:
    """The settings as a table in Markdown: TOML key, values, default and meaning."""
    lines = ["| key | values | default | meaning |", "|---|---|---|---|"]
    for setting in SETTINGS.values():
        default = "" if setting.default in (None, "") else f"`{setting.kind.plain(setting.default)}`"
        meaning = setting.help.replace("Empty:", "Left out:")
        lines.append(f"| `{setting.name}` | {setting.kind.expected} | {default} | {meaning} |")
    return "\n".join(lines)


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
