"""Rows of a result: the columns of a table and the keys of the JSON, each declared once.

A row of our own is a dataclass whose fields are both. Of other objects, paths say where values are.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True, kw_only=True)
... class Line:
...     run: str = column("Run")
...     mean: float = column("Mean", "number", best="high")
...     ranks: tuple[int, int] = column("Ranks", cell=lambda ranks: f"{ranks[0]} to {ranks[1]}")
...     seed: int = 0
>>> line = Line(run="bm25", mean=0.25, ranks=(1, 3))
>>> grid_of(Line, [line], title="Board").rows
(('bm25', 0.25, '1 to 3'),)
>>> row_dict(line)
{'run': 'bm25', 'mean': 0.25, 'ranks': [1, 3], 'seed': 0}
>>> grid_at([line], {"run": Column("run", "Run"), "ranks.0": Column("best", "Best rank", "count")}, title="Board").rows
(('bm25', 1),)
>>> keys_of(line, "run seed best=ranks.0")
{'run': 'bm25', 'seed': 0, 'best': 1}
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any

import numpy as np

from runoff.display.grid import Best, Column, Grid, Kind, Value
from runoff.errors import UsageError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_COLUMN = "column"


@dataclass(frozen=True)
class _Shown:
    column: Column
    cell: Callable[[Any], Value] | None


def column(  # noqa: PLR0913  # the settings of `Column`
    heading: str,
    kind: Kind = "text",
    *,
    cell: Callable[[Any], Value] | None = None,
    digits: int | None = None,
    best: Best | None = None,
    signed: bool = False,
    is_needed: bool = False,
    help: str = "",  # noqa: A002  # the name that `Column` has
    default: Any = MISSING,
) -> Any:
    """A field of a row that is a column of its table; `cell` makes what is shown of a value that is no cell itself.

    The settings are those of `Column`, whose name is the field's.
    """
    shape = Column("c", heading, kind, digits=digits, best=best, signed=signed, is_needed=is_needed, help=help)
    return field(default=default, metadata={_COLUMN: _Shown(shape, cell)})


def grid_of(
    row_type: type[DataclassInstance],
    rows: Iterable[DataclassInstance],
    *,
    title: str,
    notes: Sequence[str] = (),
    without: Iterable[str] = (),
    headings: Mapping[str, str] | None = None,
) -> Grid:
    """The table of some rows: a column per field made by `column`, in their order.

    without   fields to leave out
    headings  other headings of some columns, such as the name of the measure
    """
    left_out, headings = set(without), headings or {}
    shown = {entry.name: entry.metadata[_COLUMN] for entry in fields(row_type) if _COLUMN in entry.metadata}
    unknown = sorted((left_out | set(headings)) - set(shown))
    if unknown:
        raise UsageError(f"{row_type.__name__} has no column {unknown[0]!r}; its columns are {', '.join(shown)}")
    shown = {name: shape for name, shape in shown.items() if name not in left_out}
    columns = [
        replace(shape.column, name=name, heading=headings.get(name, shape.column.heading))
        for name, shape in shown.items()
    ]
    cells = [[_cell(getattr(row, name), shape.cell) for name, shape in shown.items()] for row in rows]
    return Grid(title=title, columns=columns, rows=cells, notes=notes)


def grid_at(sources: Iterable[object], columns: Mapping[str, Column], *, title: str, notes: Sequence[str] = ()) -> Grid:
    """The table of some objects: the value at each path in the column beside it."""
    rows = [[_cell(value_at(source, path)) for path in columns] for source in sources]
    return Grid(title=title, columns=list(columns.values()), rows=rows, notes=notes)


def keys_of(source: object, names: str) -> dict[str, Any]:
    """Some attributes of an object as JSON holds them; `name=path` for one that is called otherwise or is deeper."""
    pairs = [name.partition("=") for name in names.split()]
    return {name: _plain(value_at(source, path or name)) for name, _, path in pairs}


def value_at(source: Any, path: str) -> Any:
    """The value at a path of attributes, keys of mappings and places of tuples; None where None is on the way.

    >>> value_at({"ci95": (0.1, 0.9)}, "ci95.-1"), value_at({"ci95": None}, "ci95.1")
    (0.9, None)
    """
    for part in path.split("."):
        if source is None:
            return None
        if isinstance(source, Mapping):
            source = source[part]
        else:
            source = source[int(part)] if part.lstrip("-").isdecimal() else getattr(source, part)
    return source


def row_dict(row: DataclassInstance, *, without: Collection[str] = ()) -> dict[str, Any]:
    """The fields of a row by name, as JSON holds them: lists, dictionaries, dates as text, None for NaN."""
    return {entry.name: _plain(getattr(row, entry.name)) for entry in fields(row) if entry.name not in without}


def _cell(value: Any, shown: Callable[[Any], Value] | None = None) -> Value:
    if shown is not None and value is not None:
        return shown(value)
    return value.isoformat() if isinstance(value, date) else value


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return row_dict(value)
    if isinstance(value, np.generic | np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, date):
        return value.isoformat()
    return None if isinstance(value, float) and math.isnan(value) else value
