"""Line numbers of the keys of a TOML file, found by scanning its text, since tomllib does not report them.

The scan serves messages alone: where it finds no line for a key, as inside an array of several lines, the nearest table
around the key is named instead.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

Place = tuple[str | int, ...]
"""Where a value is: keys, and numbers from 0 in arrays, as in ("runs", 2, "date")."""

_PART = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*')"""
_KEY = rf"{_PART}(?:[ \t]*\.[ \t]*{_PART})*"
_HEADER = re.compile(rf"[ \t]*(\[\[?)[ \t]*({_KEY})[ \t]*\]")
_ASSIGNMENT = re.compile(rf"[ \t]*({_KEY})[ \t]*=")
_STRING = re.compile(r'''"""|\'\'\'|"(?:[^"\\]|\\.)*"|'[^']*'|#''')


def lines_of_keys(text: str) -> dict[Place, int]:
    r"""The line of every table header and key, from 1.

    >>> lines_of_keys('title = "x"\n[[runs]]\nname = "a"\n')
    {(): 1, ('title',): 1, ('runs', 0): 2, ('runs', 0, 'name'): 3}
    """
    found: dict[Place, int] = {(): 1}
    counts: Counter[Place] = Counter()
    table: Place = ()
    closing = ""
    for number, line in enumerate(text.split("\n"), start=1):
        inside, closing = closing, _open_string(line, closing)
        if inside:
            continue
        header = _HEADER.match(line)
        assignment = None if header else _ASSIGNMENT.match(line)
        if header:
            table = _resolved(_parts(header[2]), counts)
            if header[1] == "[[":
                counts[table] += 1
                table = (*table, counts[table] - 1)
            found.setdefault(table, number)
        elif assignment:
            found.setdefault((*table, *_parts(assignment[1])), number)
    return found


def line_of(lines: Mapping[Place, int], place: Place) -> int:
    """The line of a key, else of the nearest table around it; 0, for the file as a whole, if there is none."""
    while place:
        below = [line for other, line in lines.items() if other[: len(place)] == place]
        if below:
            return min(below)
        place = place[:-1]
    return 0


def _parts(key: str) -> list[str]:
    return [part[1:-1] if part[0] in "\"'" else part for part in re.findall(_PART, key)]


def _resolved(parts: list[str], counts: Counter[Place]) -> Place:
    """A header's keys with the number of the last entry behind every array of tables on the way."""
    place: Place = ()
    for step, part in enumerate(parts):
        place = (*place, part)
        if counts[place] and step + 1 < len(parts):
            place = (*place, counts[place] - 1)
    return place


def _open_string(line: str, closing: str) -> str:
    """The quotes that a string of several lines still waits for at the end of a line; nothing if there is none."""
    at = 0
    while True:
        if closing:
            end = line.find(closing, at)
            if end < 0:
                return closing
            at, closing = end + 3, ""
        token = _STRING.search(line, at)
        if token is None or token[0] == "#":
            return ""
        at = token.end()
        closing = token[0] if len(token[0]) == 3 and token[0] in ('"""', "'''") else ""
