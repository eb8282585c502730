"""A table of results as plain values, and each value as a person reads it."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Final, Literal, TypeAlias

import numpy as np

from runoff.errors import UsageError

Kind: TypeAlias = Literal["text", "number", "count", "share", "p"]
Best: TypeAlias = Literal["high", "low"]
Attached: TypeAlias = Literal["label", "mark", "spread"]
Value: TypeAlias = str | int | float | bool | None

DIGITS: Final[dict[Kind, int]] = {"text": 0, "number": 4, "count": 0, "share": 1, "p": 4}
"""Decimal places of each kind where a column names none; those of a share are places of its percentage."""

_MACHINE_NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True)
class Column:
    """One column: what it is called, what it holds and how it is shown.

    name        the stable name that programs read: lower-case letters, digits and underscores.
    heading     what a person reads above the column.
    kind        `text` holds strings and yes/no, `count` whole numbers, `share` parts of 1 shown as a percentage,
                `p` p-values, `number` everything else.
    digits      decimal places when shown; None takes the usual ones of the kind.
    best        which end is good; the best cells are set in bold. None: no end is.
    signed      show a plus sign, for differences.
    is_needed   numbers of queries that would be needed: more than a million is said so, and no more exactly.
    attached    for people, part of the cells of another column, `to`: a `label` before the text, a `mark` raised behind
                it, or its `spread` after ±. CSV and frames have it as a column of its own.
    help        one sentence that says what the column means.

    >>> Column("rr_10", "RR@10", "number", best="high").places
    4
    """

    name: str
    heading: str
    kind: Kind = "text"
    _: KW_ONLY
    digits: int | None = None
    best: Best | None = None
    signed: bool = False
    is_needed: bool = False
    attached: Attached | None = None
    to: str = ""
    help: str = ""

    def __post_init__(self) -> None:
        if not _MACHINE_NAME.fullmatch(self.name):
            raise UsageError(f"column name {self.name!r} is not of the form rr_10; see `machine_name`")
        if self.kind not in DIGITS:
            raise UsageError(f"column {self.name!r} has kind {self.kind!r}; expected one of {', '.join(DIGITS)}")
        if self.best is not None and self.kind == "text":
            raise UsageError(f"column {self.name!r} holds text, so it has no best value; leave `best` out")

    @property
    def places(self) -> int:
        """Decimal places when shown."""
        return DIGITS[self.kind] if self.digits is None else self.digits

    @property
    def is_numeric(self) -> bool:
        """Whether the column holds numbers, which are aligned to the right."""
        return self.kind != "text"


@dataclass(frozen=True, kw_only=True)
class Grid:
    """A titled table; a value of None is undefined.

    Rows may be given as any sequences. NaN becomes None and numpy scalars become Python ones.

    legend  what the marks in the cells mean; LaTeX has it in the caption

    >>> grid = Grid(title="Scores", columns=[Column("run", "Run"), Column("rr", "RR", "number")], rows=[["bm25", 0.2]])
    >>> grid.rows
    (('bm25', 0.2),)
    """

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Value]]
    notes: Sequence[str] = ()
    legend: str = ""

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        set_field(self, "columns", tuple(self.columns))
        set_field(self, "notes", tuple(self.notes))
        names = [column.name for column in self.columns]
        if not names:
            raise UsageError(f"grid {self.title!r} has no columns; it needs at least one")
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise UsageError(f"grid {self.title!r} has two columns called {twice[0]!r}; names must differ")
        homeless = [column.name for column in self.columns if column.attached and column.to not in names]
        if homeless:
            raise UsageError(f"column {homeless[0]!r} of grid {self.title!r} is attached to no column of it; name one")
        rows = tuple(tuple(map(_plain, row)) for row in self.rows)
        set_field(self, "rows", rows)
        for number, row in enumerate(rows, start=1):
            if len(row) != len(names):
                raise UsageError(
                    f"grid {self.title!r}, row {number}: {len(row)} values for {len(names)} columns; give one each"
                )
            for column, value in zip(self.columns, row, strict=True):
                # bool is a kind of int for Python, and a kind of text here: yes or no
                is_text = isinstance(value, (str, bool))
                is_fraction = isinstance(value, float) and column.kind == "count"
                if value is not None and (is_text != (column.kind == "text") or is_fraction):
                    raise UsageError(
                        f"grid {self.title!r}, row {number}: {value!r} does not fit column {column.name!r} "
                        f"of kind {column.kind!r}"
                    )

    @classmethod
    def of(
        cls,
        columns: Iterable[tuple[Column, Iterable[Value]]],
        *,
        title: str,
        notes: Sequence[str] = (),
        legend: str = "",
    ) -> Grid:
        """A table whose values are listed column by column, for tables of which some columns may be absent."""
        pairs = [(column, tuple(values)) for column, values in columns]
        rows = list(zip(*(values for _, values in pairs), strict=True))
        return cls(title=title, columns=[column for column, _ in pairs], rows=rows, notes=notes, legend=legend)

    def values(self, name: str) -> tuple[Value, ...]:
        """The values of one column, from the first row to the last."""
        names = [column.name for column in self.columns]
        if name not in names:
            raise UsageError(f"there is no column {name!r}; the columns are {', '.join(names)}")
        index = names.index(name)
        return tuple(row[index] for row in self.rows)


def machine_name(text: str) -> str:
    """Turn a label such as a measure's into a column name.

    >>> machine_name("nDCG@10")
    'ndcg_10'
    """
    name = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
    return name if _MACHINE_NAME.fullmatch(name) else f"c_{name}".rstrip("_")


def _plain(value: object) -> Value:
    """The Python value behind a numpy scalar, with None for NaN."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return None if math.isnan(value) else float(value)
    if value is None or isinstance(value, (str, int)):
        return value
    raise UsageError(f"a grid cannot hold {value!r} of type {type(value).__name__}; expected text, a number or None")


UNDEFINED: Final = "\N{EN DASH}"
"""Shown for a value that does not exist."""

MILLION: Final = 1_000_000
"""Queries that nobody has: what needs more is not said more exactly."""

_HIDDEN_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})
# These turn the direction of the text around them, so a name could rewrite its neighbours.
_DIRECTION_MARKS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def visible(text: str) -> str:
    r"""Write control characters out, so that a name cannot steer a terminal or break a line.

    >>> visible("bm25\x1b[2J")
    'bm25\\x1b[2J'
    """
    if text.isprintable():
        return text
    return "".join(_escape(char) if _is_hidden(char) else char for char in text)


def cell_text(column: Column, value: Value) -> str:
    """One value as a person reads it, with ASCII digits and signs.

    >>> cell_text(Column("queries", "Queries", "count"), 6980)
    '6,980'
    >>> cell_text(Column("p", "p", "p"), 2.5e-5), cell_text(Column("p", "p", "p", digits=3), 0.001)
    ('<0.0001', '≤0.001')
    """
    if value is None:
        return UNDEFINED
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return visible(value)
    return _number_text(column, value)


@dataclass(frozen=True, kw_only=True)
class ShownCell:
    """A cell as a person reads it: its text, raised marks behind it, a spread after ±, and whether it is the best."""

    text: str
    marks: str = ""
    spread: str = ""
    is_best: bool = False


_RAISED: Final = str.maketrans("abcdefgh", "ᵃᵇᶜᵈᵉᶠᵍʰ")


def raised(marks: str) -> str:
    """Marks as characters that are raised by themselves, for text without markup."""
    return marks.translate(_RAISED)


def shown_columns(grid: Grid) -> list[Column]:
    """The columns that a person sees: all that are not part of another one."""
    return [column for column in grid.columns if not column.attached]


def shown_rows(grid: Grid) -> list[list[ShownCell]]:
    """Every cell of the columns that a person sees, row by row."""
    best = best_cells(grid)
    parts = {(column.to, column.attached): place for place, column in enumerate(grid.columns) if column.attached}

    def part(row: Sequence[Value], name: str, kind: Attached) -> str:
        place = parts.get((name, kind))
        return "" if place is None or row[place] is None else cell_text(grid.columns[place], row[place])

    rows = []
    for at, row in enumerate(grid.rows):
        cells = []
        for place, column in enumerate(grid.columns):
            if not column.attached:
                label = part(row, column.name, "label")
                cell = ShownCell(
                    text=f"({label}) {cell_text(column, row[place])}" if label else cell_text(column, row[place]),
                    marks=part(row, column.name, "mark"),
                    spread=part(row, column.name, "spread"),
                    is_best=(at, place) in best,
                )
                cells.append(cell)
        rows.append(cells)
    return rows


def legend_of(grid: Grid) -> str:
    """What the marks of a grid mean, and where a legend is, that the best cells are bold."""
    has_best = any(cell.is_best for row in shown_rows(grid) for cell in row)
    return f"Best in bold. {grid.legend}" if grid.legend and has_best else grid.legend


def best_cells(grid: Grid) -> frozenset[tuple[int, int]]:
    """The (row, column) of every cell that reads the same as its column's best value.

    A column in which all defined values read the same has no best cell.
    """
    found: set[tuple[int, int]] = set()
    for place, column in enumerate(grid.columns):
        if column.best is None:
            continue
        values = [value for value in grid.values(column.name) if isinstance(value, (int, float))]
        if not values:
            continue
        top = cell_text(column, max(values) if column.best == "high" else min(values))
        texts = [cell_text(column, row[place]) for row in grid.rows]
        if set(texts) - {UNDEFINED} != {top}:
            found |= {(at, place) for at, text in enumerate(texts) if text == top}
    return frozenset(found)


def _number_text(column: Column, value: float) -> str:
    sign = "+" if column.signed else ""
    if column.kind == "count":
        if column.is_needed and value > MILLION:
            return "more than a million"
        return f"{value:{sign},}"
    if math.isinf(value):
        return f"{'-' if value < 0 else sign}∞"
    if column.kind == "share":
        return f"{value:{sign}z.{column.places}%}"
    if column.kind == "p" and value <= (least := 10.0**-column.places):
        # A p-value that was rounded up to the least that can be shown is at most that.
        return f"{'<' if value < least else '≤'}{least:.{column.places}f}"
    return f"{value:{sign}z,.{column.places}f}"


def _is_hidden(char: str) -> bool:
    return unicodedata.category(char) in _HIDDEN_CATEGORIES or char in _DIRECTION_MARKS


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")
