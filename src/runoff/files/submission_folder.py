"""Submissions: a team's `metadata.json`, and folders of runs with one each, as MS MARCO collects them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from runoff.errors import InputError
from runoff.files._board_fields import Fields, any_text, day, flag, hint, text
from runoff.files.ir_metadata import BESIDE, METADATA, read_metadata
from runoff.files.problems import Problems, quoted
from runoff.files.runs import run_name
from runoff.files.streams import read_bytes
from runoff.tables.board import Board, BoardRun
from runoff.tables.run_metadata import field_text

_KEYS: Final = (
    "name", "team", "date", "description", "model_description", "baseline", "variant_of", "paper", "code", "type",
)  # fmt: skip
_DATED: Final = re.compile(r"(\d{4})(\d{2})(\d{2})(?!\d)", re.ASCII)
_LARGEST: Final = 1 << 20


def read_run_folder(folder: str | os.PathLike[str], *, title: str, measure: str, run_file: str | None = None) -> Board:
    """The board of all submissions in a folder; its queries and labels are for the user to add.

    Each submission is a folder with a run file and a `metadata.json` that may hold name, team, date, description (or
    model_description), baseline and variant_of; paper, code and type are passed over. What it does not say, the run's
    ir_metadata may say, in its header or in `ir-metadata.yml`, which can also be there alone. Without a name or a tag
    the run is called as its folder, without a date it has that at the beginning of the folder's name, as in
    `20210210-xyz`.

    run_file  the run's file name without compression ending, such as "dev.txt", where a folder has several
    """
    root = Path(folder)
    names = (METADATA, *BESIDE)
    folders = sorted(folder for folder in root.iterdir() if folder.is_dir()) if root.is_dir() else []
    described = [[folder / name for name in names if (folder / name).is_file()] for folder in folders]
    places = [files[0] for files in described if files]
    if not places:
        problem = f"{root}: no submissions; expected folders with a run and a {METADATA} or {BESIDE[0]} each"
        raise InputError([f"{problem}; check the path"])
    faults: list[str] = []
    submissions: list[tuple[Path, BoardRun]] = []
    for place in places:
        problems = Problems(os.fspath(place))
        try:
            submissions.append((place, _run(place, run_file, problems)))
            problems.raise_if_any()
        except InputError as error:
            faults += error.problems
    faults += _name_faults(submissions)
    if faults:
        raise InputError(faults)
    return Board(title=title, measure=measure, runs=tuple(run for _, run in submissions))


def _run(place: Path, run_file: str | None, problems: Problems) -> BoardRun:
    content = _object(read_bytes(place, max_bytes=_LARGEST), os.fspath(place)) if place.name == METADATA else {}
    fields = Fields(content, (), "", {}, problems)
    fields.refuse_unknown(_KEYS)
    path = _run_path(place.parent, run_file, problems)
    return _described_run(fields, path, name=place.parent.name, dated=_date_of(place.parent.name), tagged=True)


def _described_run(
    fields: Fields, path: Path | None, *, name: str, dated: date | None = None, tagged: bool = False
) -> BoardRun:
    """A run with what its metadata say; name and date are for metadata without, and a tag, if `tagged`, is the name."""
    described = "description" if "description" in fields.content else "model_description"
    metadata = {} if path is None else read_metadata(path)
    run = BoardRun(
        name=fields.value("name", text, "the name of the run", (tagged and field_text(metadata, "tag")) or name),
        path=path,
        team=fields.value("team", any_text, "the name of the team", ""),
        date=fields.value("date", day, "a date such as 2021-02-10", dated),
        description=fields.value(described, any_text, "text", ""),
        baseline=fields.value("baseline", flag, "true or false", False),
        variant_of=fields.value("variant_of", text, "the name of another run", None),
    )
    return run.with_metadata(metadata)


def read_submission(
    path: str | os.PathLike[str], *, name: str | None = None, team: str | None = None, day: date | None = None
) -> BoardRun:
    """What is known of a run file: what is given, and then what `metadata.json` beside it says."""
    file = Path(path)
    place = file.parent / METADATA
    content = _object(read_bytes(place, max_bytes=_LARGEST), os.fspath(place)) if place.is_file() else {}
    problems = Problems(os.fspath(place))
    run = _described_run(Fields(content, (), "", {}, problems), file, name=run_name(file))
    problems.raise_if_any()
    # Organisers say which runs are baselines; a team does not.
    return replace(run, name=name or run.name, team=team or run.team, date=day or run.date, baseline=False)


def _run_path(folder: Path, run_file: str | None, problems: Problems) -> Path | None:
    files = sorted(
        file
        for file in folder.iterdir()
        if file.is_file() and file.name not in (METADATA, *BESIDE) and not file.name.startswith(".")
    )
    chosen = [file for file in files if run_file is None or run_name(file) == run_file]
    if len(chosen) == 1:
        return chosen[0]
    wanted = "one run file" if run_file is None else f"one file called {quoted(run_file)}"
    names = ", ".join(quoted(file.name) for file in files) or "no file"
    advice = "say which with run_file" if run_file is None and chosen else "add the run or remove the folder"
    problems.add(0, f"its folder has {names}; expected {wanted}; {advice}")
    return None


def _date_of(folder: str) -> date | None:
    match = _DATED.match(folder)
    return day("-".join(match.groups())) if match else None


def _name_faults(submissions: list[tuple[Path, BoardRun]]) -> list[str]:
    faults = []
    first: dict[str, Path] = {}
    for place, run in submissions:
        if first.setdefault(run.name, place) != place:
            faults.append(
                f"{place}: run {quoted(run.name)} is listed twice, first in {first[run.name]}; "
                "expected every name once; rename one"
            )
    for place, run in submissions:
        if run.variant_of is not None and run.variant_of not in first:
            faults.append(
                f"{place}: run {quoted(run.name)} is a variant of {quoted(run.variant_of)}, which is not in this "
                f"folder; {hint(run.variant_of, first)}expected the name of another run; fix or remove it"
            )
    return faults


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
    if len(content) > LONGEST:
        raise InputError([f"{name}: {len(content):,} bytes; expected {LONGEST:,} at most; shorten the description"])
    problems = Problems(name)
    fields = Fields(_object(content, name), (), "", {}, problems)
    fields.refuse_unknown(KEYS)
    until = fields.value("anonymous_until", _day, _DAY, None)
    described = "description" if "description" in fields.content else "model_description"
    expected = f"text of {LONGEST_TEXT:,} characters at most"
    metadata = RunMetadata(
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
    return metadata


def _day(value: Any) -> date | None:
    """A date as ISO writes it, or with slashes, as the files of MS MARCO do."""
    return day(value.replace("/", "-") if isinstance(value, str) else value)


def _short_text(value: Any) -> str | None:
    text = any_text(value)
    return text if text is not None and len(text) <= LONGEST_TEXT else None


def _object(content: bytes | str, name: str) -> dict[str, Any]:
    advice = 'expected a JSON object such as {"name": "bm25", "team": "Trees"}; fix it'
    try:
        value = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise InputError([f"{name}: not JSON ({error}); {advice}"]) from None
    if not isinstance(value, dict):
        raise InputError([f"{name}: not a JSON object; {advice}"])
    return value
