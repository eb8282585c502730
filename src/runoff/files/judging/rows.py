"""Rows of judgments as text, from any table, checked one by one and joined into preferences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from runoff.errors import InputError
from runoff.files.problems import Problems, quoted
from runoff.files.text.tokens import parse_decimal
from runoff.tables.ids import Ids
from runoff.tables.preferences import ABSENT, LEFT, RIGHT, TIE, Preferences, without_repeats

COLUMNS: Final = ("query", "left", "right", "preferred", "assessor", "task", "seconds", "expected")
"""What a row holds; the first four are needed. `expected` is the right answer of a test pair."""
NEEDED: Final = COLUMNS[:4]
NAMES: Final = {
    "query": ("query", "query_id", "qid", "topic"),
    "left": ("left", "doc_a"),
    "right": ("right", "doc_b"),
    "preferred": ("preferred",),
    "assessor": ("assessor",),
    "task": ("task",),
    "seconds": ("seconds",),
    "expected": ("expected",),
}
"""What the columns may be called."""

_SIDES: Final = {"left": LEFT, "a": LEFT, "right": RIGHT, "b": RIGHT}
_TIE: Final = "tie"
_NOT_IN_IDS: Final = re.compile("[\x00-\x20\x7f\ud800-\udfff]")
_NOT_IN_NAMES: Final = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")


class JudgmentRows:
    """Rows that were read so far; `add` notes the faults of each."""

    def __init__(self, source: str) -> None:
        self.problems = Problems(source)
        self._queries: dict[str, int] = {}
        self._docs: dict[str, int] = {}
        self._assessors: dict[str, int] = {}
        self._tasks: dict[str, int] = {}
        self._codes: list[tuple[int, int, int, int, int, int, int]] = []
        self._seconds: list[float] = []

    def add(self, line: int, cells: Sequence[str]) -> None:
        """Take a row: the texts of COLUMNS, empty where there is none."""
        query, left, right, preferred, assessor, task, seconds, expected = cells
        if left == right and left:
            self._fault(line, f"document {quoted(left)} is compared with itself; expected two documents")
        choice = self._side(line, "preferred", preferred, left, right)
        if choice == TIE and preferred.lower() != _TIE and preferred:
            return
        if not preferred:
            self._fault(line, "nothing is preferred; expected a document, left, right or tie")
        wanted = self._side(line, "expected", expected, left, right) if expected else 0
        self._codes.append(
            (
                self._place(line, "query", query, self._queries),
                self._place(line, "left", left, self._docs),
                self._place(line, "right", right, self._docs),
                choice,
                self._named(line, "assessor", assessor, self._assessors),
                self._named(line, "task", task, self._tasks),
                wanted,
            )
        )
        self._seconds.append(self._duration(line, seconds))

    def table(self, name: str, ignored_columns: Sequence[str]) -> Preferences:
        """The preferences; an InputError that tells all faults if there were any."""
        self.problems.raise_if_any()
        if not self._codes:
            raise InputError([f"{self.problems.source}: no judgments; expected one on every line; check the file"])
        codes = np.array(self._codes, dtype=np.int32).T.copy()
        return without_repeats(
            Preferences(
                name=name,
                query_ids=tuple(self._queries),
                docs=Ids.of(self._docs),
                row_query=codes[0],
                left=codes[1],
                right=codes[2],
                choice=codes[3].astype(np.int8),
                assessors=tuple(self._assessors),
                row_assessor=codes[4],
                tasks=tuple(self._tasks),
                row_task=codes[5],
                seconds=np.array(self._seconds),
                expected=codes[6].astype(np.int8),
                ignored_columns=tuple(ignored_columns),
            )
        )

    def _fault(self, line: int, text: str) -> None:
        self.problems.add(line, f"{text}; fix or remove this line")

    def _side(self, line: int, field: str, value: str, left: str, right: str) -> int:
        """The side that a document's id, or `left`, `right`, `a`, `b` or `tie`, means; an id comes first."""
        if value == left:
            return LEFT
        if value == right:
            return RIGHT
        side = _SIDES.get(value.lower(), TIE)
        if side == TIE and value and not (field == "preferred" and value.lower() == _TIE):
            more = ", left, right or tie" if field == "preferred" else ", left or right"
            self._fault(
                line,
                f"{field} {quoted(value)} is neither {quoted(left)} nor {quoted(right)}; expected one of them{more}",
            )
        return side

    def _place(self, line: int, field: str, value: str, places: dict[str, int]) -> int:
        place = places.get(value)
        if place is None:
            if not value or _NOT_IN_IDS.search(value):
                self._fault(line, f"{field} {quoted(value)} cannot be an id; expected text without spaces")
                return 0
            place = places[value] = len(places)
        return place

    def _named(self, line: int, field: str, value: str, places: dict[str, int]) -> int:
        if not value:
            return ABSENT
        place = places.get(value)
        if place is None:
            if _NOT_IN_NAMES.search(value):
                self._fault(line, f"{field} {quoted(value)} cannot be a name; expected text on one line")
                return ABSENT
            place = places[value] = len(places)
        return place

    def _duration(self, line: int, value: str) -> float:
        if not value:
            return np.nan
        seconds = parse_decimal(value.encode(errors="replace"))
        if not seconds >= 0.0:
            self._fault(line, f"seconds {quoted(value)} is not a time; expected a number such as 12.5")
        return seconds
