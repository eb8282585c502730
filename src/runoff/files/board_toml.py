"""Boards in TOML: `board.toml` into a `Board`, with every fault at once."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Any, Final

from runoff.errors import InputError, UsageError
from runoff.files._board_fields import (
    Fields,
    NamedFiles,
    amount,
    any_text,
    day,
    flag,
    hint,
    number,
    shown,
    table,
    text,
)
from runoff.files._toml_lines import Place, line_of, lines_of_keys
from runoff.files.problems import Problems, quoted
from runoff.files.runs import run_name
from runoff.files.streams import read_bytes
from runoff.tables.board import Board, BoardRun
from runoff.tables.setting_types import SettingType
from runoff.tables.settings import SETTINGS

BOARD_KEYS: Final = (*SETTINGS, "queries", "labels", "runs")
LEVEL: Final = "relevance_level"
RUN_KEYS: Final = ("path", "name", "team", "date", "description", "baseline", "variant_of", "scores", "costs")
_LARGEST: Final = 16 << 20
_AT: Final = re.compile(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)", re.DOTALL)


def read_board(
    source: str | os.PathLike[str], *, check_files: bool = True, inside: str | os.PathLike[str] | None = None
) -> Board:
    """The board that a TOML file describes; paths in it are relative to the file.

    check_files  whether the files that it names have to be there
    inside       a folder that no path may lead out of, for a board from a stranger
    """
    path = Path(source)
    data = read_bytes(path, max_bytes=_LARGEST)
    return board_of_toml(data, name=os.fspath(source), folder=path.parent, check_files=check_files, inside=inside)


def board_of_toml(
    content: bytes | str,
    *,
    name: str = "<board>",
    folder: str | os.PathLike[str] = ".",
    check_files: bool = True,
    inside: str | os.PathLike[str] | None = None,
) -> Board:
    r"""The board that a text in TOML describes.

    name    how messages call the text
    folder  what the paths in it are relative to
    inside  a folder that none of them may lead out of, for a board from a stranger

    >>> board_of_toml('title = "Demo"\nmeasure = "RR@10"\n[[runs]]\nname = "a"\nscores.private = 0.25').names
    ('a',)
    """
    problems = Problems(name)
    found, lines = _parsed(content, name)
    top = Fields(found, (), "", lines, problems)
    top.refuse_unknown(BOARD_KEYS)
    settings = {name: _setting(top, name) for name in SETTINGS}
    named = NamedFiles(folder=Path(folder), check=check_files, inside=None if inside is None else Path(inside))
    runs = _runs(top, named)
    levels: dict[str, int] = {}
    files = {key: _files(top, key, named, levels) for key in ("queries", "labels")}
    if not files["labels"] and "labels" not in found and any(run.path for run in runs):
        problems.add(0, "no labels; expected a qrels file to score the runs with; add [labels.NAME] with its path")
    problems.raise_if_any()
    try:
        return Board(queries=files["queries"], labels=files["labels"], label_levels=levels, runs=runs, **settings)
    except UsageError as error:  # settings that are allowed alone, and not together
        raise InputError([f"{name}: {error}; change one of them"]) from None


def _parsed(content: bytes | str, name: str) -> tuple[dict[str, Any], dict[Place, int]]:
    try:
        decoded = content if isinstance(content, str) else content.decode("utf-8-sig")
        decoded = decoded.replace("\r\n", "\n")
        return tomllib.loads(decoded), lines_of_keys(decoded)
    except UnicodeDecodeError:
        raise InputError([f"{name}: bytes that are not UTF-8; expected TOML; convert the file"]) from None
    except RecursionError:
        raise InputError([f"{name}: brackets nested too deep; expected a board; check the file"]) from None
    except ValueError as error:  # a TOMLDecodeError is one; so is a number with thousands of digits
        at = _AT.fullmatch(str(error))
        where = f"{name}:{at[2]}" if at and at[2] else name
        what = at[1] if at else str(error)
        problem = f'{where}: not TOML ({what}); expected lines such as title = "Demo"; fix the line'
        raise InputError([problem]) from None


def _setting(fields: Fields, name: str) -> Any:
    """The value of a setting, of the board or of a label set; its default where the file does not name it."""
    setting = SETTINGS[name]
    is_text = type(setting.kind) is SettingType
    expected = f"{setting.kind.expected}, between quotes" if is_text else setting.kind.expected
    needs = setting.required and not setting.fixed
    if needs:
        fields.require(name, expected)

    def checked(value: object) -> Any:
        return None if needs and value == str(value).strip() == "" else setting.kind.checked(value)

    return fields.value(name, checked, expected, "" if needs else setting.default)


def _files(top: Fields, key: str, named: NamedFiles, levels: dict[str, int]) -> dict[str, Path]:
    """The files of query sets or label sets, by name; relevance levels of label sets are added to `levels`."""
    found = {}
    for name, fields in top.tables(key):
        fields.refuse_unknown(("path", LEVEL) if key == "labels" else ("path",))
        fields.require("path", "the path of a file")
        path = fields.file("path", named)
        if path is not None:
            found[name] = path
        if LEVEL in fields.content and key == "labels":
            levels[name] = _setting(fields, LEVEL)
    return found


def _runs(top: Fields, named: NamedFiles) -> tuple[BoardRun, ...]:
    listed = top.content.get("runs", [])
    if not isinstance(listed, list) or not listed:
        what = f"runs is {shown(listed)}" if "runs" in top.content and listed != [] else "no runs"
        top.note("runs", f"{what}; expected at least one entry [[runs]]; add one")
        return ()
    entries: list[tuple[Fields, BoardRun]] = []
    for place, content in enumerate(listed):
        fields = Fields(table(content) or {}, ("runs", place), f" of run {place + 1}", top.lines, top.problems)
        if not isinstance(content, dict):
            fields.note(None, f"run {place + 1} is {shown(content)}; expected a table; write it as [[runs]]")
            continue
        entries.append((fields, _run(fields, named)))
    _check_names(entries)
    return tuple(run for _, run in entries)


def _run(fields: Fields, named: NamedFiles) -> BoardRun:
    fields.refuse_unknown(RUN_KEYS)
    path = fields.file("path", named)
    none: dict[str, Any] = {}
    scores = fields.value("scores", table, "a table such as { public = 0.48, private = 0.42 }", none)
    inner = Fields(scores, (*fields.place, "scores"), f" in the scores{fields.owner}", fields.lines, fields.problems)
    costs = fields.value("costs", table, "a table such as { latency_ms = 35, usd = 0.2 }", none)
    priced = Fields(costs, (*fields.place, "costs"), f" in the costs{fields.owner}", fields.lines, fields.problems)
    if "path" not in fields.content and not scores:
        fields.note(None, f"no key 'path'{fields.owner}; expected the path of a file, or scores; add one")
    if path is None:
        fields.require("name", "the name of the run, since no file gives it one")
    return BoardRun(
        name=fields.value("name", text, "the name of the run, between quotes", "" if path is None else run_name(path)),
        path=path,
        team=fields.value("team", any_text, "the name of the team, between quotes", ""),
        date=fields.value("date", day, "a date such as 2021-02-10", None),
        description=fields.value("description", any_text, "text between quotes", ""),
        baseline=fields.value("baseline", flag, "true or false", False),
        variant_of=fields.value("variant_of", text, "the name of another run", None),
        scores={key: inner.value(key, number, "a finite number such as 0.42", 0.0) for key in scores},
        costs={key: priced.value(key, amount, "a finite number of 0 or more such as 35", 0.0) for key in costs},
    )


def _check_names(entries: list[tuple[Fields, BoardRun]]) -> None:
    first: dict[str, Fields] = {}
    for fields, run in entries:
        if run.name and run.name in first:
            line = line_of(fields.lines, (*first[run.name].place, "name"))
            fields.note(
                "name",
                f"run {quoted(run.name)} is listed twice, first in line {line}; expected every name once; rename one",
            )
        first.setdefault(run.name, fields)
    parents = {run.name: run.variant_of for _, run in entries}
    for fields, run in entries:
        parent = run.variant_of
        if parent is not None and parent not in parents:
            fields.note(
                "variant_of",
                f"run {quoted(run.name)} is a variant of {quoted(parent)}, which is not on this board; "
                f"{hint(parent, parents)}expected the name of another run; fix or remove it",
            )
        elif parent is not None and _comes_back(run.name, parents):
            fields.note(
                "variant_of",
                f"run {quoted(run.name)} is a variant of itself, through {quoted(parent)}; expected the name of an "
                "earlier run; fix or remove it",
            )


def _comes_back(name: str, parents: dict[str, str | None]) -> bool:
    """Whether a run is reached again from itself, going from each run to the one it is a variant of."""
    seen: set[str] = set()
    parent = parents[name]
    while parent is not None and parent not in seen:
        if parent == name:
            return True
        seen.add(parent)
        parent = parents.get(parent)
    return False
