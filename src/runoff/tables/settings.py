"""Settings, each declared once, and those of a board: type, default, allowed values and help.

`board.toml`, the database, the forms, the API, `Policy` and the documentation take names, checks and words from here.
To add a setting, add a field to `BoardSettings`; `tests/server/test_settings_round_trip.py` takes it through all of
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, replace
from datetime import datetime
from types import MappingProxyType
from typing import Annotated, Any, Final, get_type_hints

from runoff.errors import UsageError
from runoff.tables.setting_types import FieldNames, Fraction, GradeGains, Megabytes, Moment, OneOf, SettingType, Whole

BOARD_GROUP: Final = "The board"
MEASURED: Final = "Measurement"
SUBMISSIONS: Final = "Submissions"
SHOWN: Final = "What is shown, and when"


@dataclass(frozen=True)
class Setting:
    """What is declared about a setting, beside its type.

    kind      the values that it may have
    label     its name in a form
    help      one or two plain sentences; forms and documentation show them
    group     the part of the form that it is in
    required  whether a board or campaign must have it
    fixed     whether it cannot change once the board or campaign was made
    planned   whether it cannot change once a campaign has started
    rescores  whether a change lets every run be scored again
    """

    kind: SettingType
    label: str
    help: str
    group: str
    required: bool = False
    fixed: bool = False
    planned: bool = False
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
        str,
        Setting(SettingType("the name of the board"), "Title", "The name of the board.", BOARD_GROUP, required=True),
    ]
    slug: Annotated[
        str,
        Setting(
            SettingType("a name such as passages-2026"),
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
            SettingType(lines=True),
            "Description",
            "What the task is, who runs it, and what a good run does.",
            BOARD_GROUP,
        ),
    ] = ""
    measure: Annotated[
        str,
        Setting(
            SettingType("a measure such as RR@10"),
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
            "For IPSO with graded labels: the gain of each grade from 0, such as 0, 0.5, 1. Empty: relevant or not.",
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
            "How many runs a team, and each person in all their teams together, may submit per rolling window.",
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
    suspicious_runs: Annotated[
        str,
        Setting(
            OneOf(labels=(("flag", "listed for organisers"), ("refuse", "refused"))),
            "Suspicious runs",
            "Runs that cover less than half of the public queries, or differ from another run of the same people in at "
            "most 5% of them: from such runs labels can be worked out.",
            SUBMISSIONS,
        ),
    ] = "flag"
    required_metadata: Annotated[
        tuple[str, ...] | None,
        Setting(
            FieldNames(),
            "Required metadata",
            "Fields of ir_metadata, such as actor.team, that every run must have a value for. Empty: none.",
            SUBMISSIONS,
        ),
    ] = None
    upload_limit: Annotated[
        int,
        Setting(
            Megabytes(low=1, high=2**53),
            "Largest file (MB)",
            "The largest run file that is accepted, as uploaded.",
            SUBMISSIONS,
        ),
    ] = 500_000_000
    digits: Annotated[
        int,
        Setting(Whole(low=1, high=10), "Digits of a score", "Fewer digits reveal less about single queries.", SHOWN),
    ] = 3
    public_labels: Annotated[
        str,
        Setting(
            OneOf(labels=(("hidden", "hidden from teams"), ("open", "open: teams hold them"))),
            "Labels of the public queries",
            "Hidden: a comparison shows its verdict and rounded means, and no other number, because labels could be "
            "worked out from those. Open: everything is shown.",
            SHOWN,
        ),
    ] = "hidden"
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
        Setting(
            Moment(),
            "Private results are public from (UTC)",
            "Not before the board has closed, because a run that is sent then could read private labels from them. "
            "Empty, or without a closing time: only organisers see them.",
            SHOWN,
        ),
    ] = None
    anonymous_until: Annotated[
        datetime | None,
        Setting(Moment(), "Team names are public from (UTC)", "Empty: immediately.", SHOWN),
    ] = None

    def __post_init__(self) -> None:
        check_settings(self, SETTINGS)
        if self.opens_at and self.closes_at and self.opens_at >= self.closes_at:
            raise UsageError(
                f"the board closes at {self.closes_at} and opens at {self.opens_at}; expected a later time to close; "
                "change one of the two"
            )


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


def declared_settings(owner: type) -> Mapping[str, Setting]:
    """The settings that the fields of a dataclass declare, by name; other fields are left out."""
    hints = get_type_hints(owner, include_extras=True)
    declared = {}
    for item in fields(owner):
        if setting := next(iter(getattr(hints[item.name], "__metadata__", ())), None):
            default = None if item.default is MISSING else item.default
            declared[item.name] = replace(setting, name=item.name, default=default)
    return MappingProxyType(declared)


def check_settings(owner: object, declared: Mapping[str, Setting]) -> None:
    """Check the values of a frozen dataclass as they are declared; raise for the first that is not allowed."""
    for name, setting in declared.items():
        value = getattr(owner, name, None)
        if value not in ("", None):
            object.__setattr__(owner, name, setting.checked(value))


SETTINGS: Final[Mapping[str, Setting]] = declared_settings(OrganiserSettings)
"""Every setting by name, in the order of forms and documentation."""


def settings_of(board: BoardSettings) -> dict[str, Any]:
    """The settings of a board by name, as plain data that JSON can hold."""
    return {
        name: setting.kind.plain(getattr(board, name)) for name, setting in SETTINGS.items() if hasattr(board, name)
    }


def settings_table() -> str:
    """The settings as a table in Markdown: TOML key, values, default and meaning."""
    lines = ["| key | values | default | meaning |", "|---|---|---|---|"]
    for setting in SETTINGS.values():
        default = "" if setting.default in (None, "") else f"`{setting.kind.plain(setting.default)}`"
        meaning = setting.help.replace("Empty:", "Left out:")
        lines.append(f"| `{setting.name}` | {setting.kind.expected} | {default} | {meaning} |")
    return "\n".join(lines)
