"""A folder of submissions: a folder each, with a run file and a `metadata.json`, as MS MARCO collects them."""

from __future__ import annotations

import json
import os
import re
from datetime import date
from pathlib import Path
from typing import Any, Final

from runoff.errors import InputError
from runoff.files._board_fields import Fields, any_text, day, flag, hint, text
from runoff.files.problems import Problems, quoted
from runoff.files.runs import run_name
from runoff.files.streams import read_chunks
from runoff.tables.board import Board, BoardRun

METADATA: Final = "metadata.json"
_KEYS: Final = (
    "name", "team", "date", "description", "model_description", "baseline", "variant_of", "paper", "code", "type",
)  # fmt: skip
_DATED: Final = re.compile(r"(\d{4})(\d{2})(\d{2})(?!\d)", re.ASCII)
_LARGEST: Final = 1 << 20


def read_run_folder(folder: str | os.PathLike[str], *, title: str, measure: str, run_file: str | None = None) -> Board:
    """The board of all submissions in a folder; its queries and labels are for the user to add.

    Each submission is a folder with a run file and a `metadata.json` that may hold name, team, date, description (or
    model_description), baseline and variant_of; paper, code and type are passed over. Without a name the run is called
    as its folder, without a date it has that at the beginning of the folder's name, as in `20210210-xyz`.

    run_file  the run's file name without compression ending, such as "dev.txt", where a folder has several
    """
    root = Path(folder)
    places = sorted(root.glob(f"*/{METADATA}")) if root.is_dir() else []
    if not places:
        raise InputError([f"{root}: no submissions; expected folders with a run and a {METADATA} each; check the path"])
    faults: list[str] = []
    found: list[tuple[Path, BoardRun]] = []
    for place in places:
        problems = Problems(os.fspath(place))
        try:
            found.append((place, _run(place, run_file, problems)))
            problems.raise_if_any()
        except InputError as error:
            faults += error.problems
    faults += _name_faults(found)
    if faults:
        raise InputError(faults)
    return Board(title=title, measure=measure, runs=tuple(run for _, run in found))


def _run(place: Path, run_file: str | None, problems: Problems) -> BoardRun:
    fields = Fields(_metadata(place), (), "", {}, problems)
    fields.refuse_unknown(_KEYS)
    described = "description" if "description" in fields.content else "model_description"
    return BoardRun(
        name=fields.value("name", text, "the name of the run", place.parent.name),
        path=_run_path(place.parent, run_file, problems),
        team=fields.value("team", any_text, "the name of the team", ""),
        date=fields.value("date", day, "a date such as 2021-02-10", _date_of(place.parent.name)),
        description=fields.value(described, any_text, "text", ""),
        baseline=fields.value("baseline", flag, "true or false", False),
        variant_of=fields.value("variant_of", text, "the name of another run", None),
    )


def _metadata(place: Path) -> dict[str, Any]:
    data = b"".join(chunk.bytes.tobytes() for chunk in read_chunks(place, max_bytes=_LARGEST))
    try:
        found = json.loads(data.decode())
    except (ValueError, RecursionError) as error:
        raise InputError([f"{place}: not JSON ({error}); expected a JSON object; fix the file"]) from None
    if not isinstance(found, dict):
        raise InputError([f'{place}: not a JSON object; expected one such as {{"team": "A"}}; fix the file'])
    return found


def _run_path(folder: Path, run_file: str | None, problems: Problems) -> Path | None:
    files = sorted(
        file for file in folder.iterdir() if file.is_file() and file.name != METADATA and not file.name.startswith(".")
    )
    chosen = [file for file in files if run_file is None or run_name(file) == run_file]
    if len(chosen) == 1:
        return chosen[0]
    wanted = "one run file" if run_file is None else f"one file called {quoted(run_file)}"
    names = ", ".join(quoted(file.name) for file in files) or "no file"
    advice = "say which with run_file" if run_file is None and chosen else "add the run or remove the folder"
    problems.add(0, f"beside it stands {names}; expected {wanted}; {advice}")
    return None


def _date_of(folder: str) -> date | None:
    match = _DATED.match(folder)
    return day("-".join(match.groups())) if match else None


def _name_faults(found: list[tuple[Path, BoardRun]]) -> list[str]:
    faults = []
    first: dict[str, Path] = {}
    for place, run in found:
        if first.setdefault(run.name, place) != place:
            faults.append(
                f"{place}: run {quoted(run.name)} is listed twice, first in {first[run.name]}; "
                "expected every name once; rename one"
            )
    for place, run in found:
        if run.variant_of is not None and run.variant_of not in first:
            faults.append(
                f"{place}: run {quoted(run.name)} is a variant of {quoted(run.variant_of)}, which is not in this "
                f"folder; {hint(run.variant_of, first)}expected the name of another run; fix or remove it"
            )
    return faults
