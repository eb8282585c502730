"""What a team says of a run that it submits: a JSON object, in the form of MS MARCO's `metadata.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType
from typing import Any, Final

from runoff.errors import InputError
from runoff.files._board_fields import Fields, any_text, day, flag, text
from runoff.files.problems import Problems

KEYS: Final = (
    "name", "team", "description", "model_description", "variant_of", "anonymous", "anonymous_until",
    "embargo_until", "paper", "code", "type",
)  # fmt: skip
LONGEST: Final = 100_000
LONGEST_TEXT: Final = 5_000
_DAY: Final = "a date such as 2026-05-01"


@dataclass(frozen=True, kw_only=True)
class RunMetadata:
    """What a team says of its run.

    name, team       None where they are left out; the team can be its name or the one in its address
    variant_of       the name of the team's run of which this is a small variation
    anonymous        the team is not to be named
    anonymous_until  it is named from this day on
    embargo_until    others see the run from this day on
    more             paper, code and type, as they were sent
    """

    name: str | None = None
    team: str | None = None
    description: str = ""
    variant_of: str | None = None
    anonymous: bool = False
    anonymous_until: date | None = None
    embargo_until: date | None = None
    more: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "more", MappingProxyType(dict(self.more)))


def metadata_of_json(content: bytes | str, *, name: str = "metadata") -> RunMetadata:
    """What a JSON object says of a run; every fault at once.

    >>> metadata_of_json('{"name": "bm25", "team": "Trees", "embargo_until": "2026-05-01"}').embargo_until
    datetime.date(2026, 5, 1)
    """
    problems = Problems(name)
    fields = Fields(_object(content, name), (), "", {}, problems)
    fields.refuse_unknown(KEYS)
    until = fields.value("anonymous_until", _day, _DAY, None)
    described = "description" if "description" in fields.content else "model_description"
    expected = f"text of {LONGEST_TEXT:,} characters at most"
    found = RunMetadata(
        name=fields.value("name", text, "the name of the run", None),
        team=fields.value("team", text, "the name of your team", None),
        description=fields.value(described, _short_text, expected, ""),
        variant_of=fields.value("variant_of", text, "the name of another run of your team", None),
        # Who names a day for the end of it wants it before.
        anonymous=fields.value("anonymous", flag, "true or false", until is not None),
        anonymous_until=until,
        embargo_until=fields.value("embargo_until", _day, _DAY, None),
        more={
            key: fields.value(key, _short_text, expected, "")
            for key in ("paper", "code", "type")
            if key in fields.content
        },
    )
    problems.raise_if_any()
    return found


def _day(value: Any) -> date | None:
    """A date as ISO writes it, or with slashes, as the files of MS MARCO do."""
    return day(value.replace("/", "-") if isinstance(value, str) else value)


def _short_text(value: Any) -> str | None:
    found = any_text(value)
    return found if found is not None and len(found) <= LONGEST_TEXT else None


def _object(content: bytes | str, name: str) -> dict[str, Any]:
    advice = 'expected a JSON object such as {"name": "bm25", "team": "Trees"}; fix it'
    if len(content) > LONGEST:
        raise InputError([f"{name}: {len(content):,} bytes; expected {LONGEST:,} at most; shorten the description"])
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise InputError([f"{name}: not JSON ({error}); {advice}"]) from None
    if not isinstance(found, dict):
        raise InputError([f"{name}: not a JSON object; {advice}"])
    return found
